import type { FaultKind, WorkKind } from './vendor-faults.js';

/** Calls kept per account, newest first. */
const MAX_KEPT = 50;

/** Accounts kept; the least recently used is evicted. */
const MAX_ACCOUNTS = 2000;

/** The kind of a call: billed work, or an auxiliary endpoint. */
export type CallKind = WorkKind | 'detect' | 'languages' | 'usage' | 'glossary' | 'models' | 'unknown';

/** The parsed contents of a call. */
export interface CallDetails {
  readonly call: CallKind;
  /** As sent. */
  readonly texts: readonly string[];
  /** The vendor's codes; source null: auto-detect. */
  readonly source: string | null;
  readonly target: string | null;
}

/** A logged call, as JSON. `status` null: no response (yet). `error`: the vendor's code or message. Characters are code points. */
export interface Call {
  readonly at: string;
  readonly call: CallKind;
  readonly texts: number;
  readonly chars: number;
  readonly source: string | null;
  readonly target: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly faults: readonly FaultKind[];
  readonly ms: number | null;
  readonly sent: readonly string[];
}

/** An account's calls since the start or the last reset. `chars` counts successful translations only. */
export interface AccountCalls {
  readonly account: string;
  readonly count: number;
  readonly refused: number;
  readonly chars: number;
  readonly inFlight: number;
  readonly mostInFlight: number;
  readonly calls: readonly Call[];
}

type Kept = { -readonly [Name in keyof AccountCalls]: AccountCalls[Name] } & { calls: Call[] };

/** Log of calls per account; tests assert on it. */
export class VendorCalls {
  readonly #accounts = new Map<string, Kept>();

  /** The calls of one account; all zero for an unknown one. */
  of(account: string): AccountCalls {
    return this.#accounts.get(account) ?? noCalls(account);
  }

  /** Every account with calls, the latest first. */
  list(): readonly AccountCalls[] {
    return [...this.#accounts.values()].reverse();
  }

  /** Clears the calls of one account, or of all. */
  reset(account?: string): void {
    if (account === undefined) this.#accounts.clear();
    else this.#accounts.delete(account);
  }

  /** Logs a call; report its end to the returned object. */
  begin(account: string, { call, texts, source, target }: CallDetails): PendingCall {
    const kept = this.#accounts.get(account) ?? noCalls(account);
    this.#accounts.delete(account);
    this.#accounts.set(account, kept);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size > MAX_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
    const row: Writable<Call> = {
      at: new Date().toISOString(),
      call,
      texts: texts.length,
      chars: texts.reduce((sum, text) => sum + codePoints(text), 0),
      source,
      target,
      status: null,
      error: null,
      faults: [],
      ms: null,
      sent: texts,
    };
    kept.calls.unshift(row);
    kept.calls.length = Math.min(kept.calls.length, MAX_KEPT);
    kept.count += 1;
    kept.inFlight += 1;
    kept.mostInFlight = Math.max(kept.mostInFlight, kept.inFlight);
    return new PendingCall(kept, row);
  }
}

type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** A logged call in progress. */
export class PendingCall {
  readonly #startedAt = performance.now();
  #ended = false;

  constructor(
    private readonly account: Writable<AccountCalls>,
    private readonly row: Writable<Call>,
  ) {}

  applied(faults: readonly FaultKind[]): void {
    this.row.faults = faults;
  }

  /** `status` null: the client got no complete response. Only the first call counts. */
  end(status: number | null, error: string | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.row.status = status;
    this.row.error = error;
    this.row.ms = Math.round(performance.now() - this.#startedAt);
    this.account.inFlight -= 1;
    if (error !== null) this.account.refused += 1;
    else if (status !== null && this.row.call === 'translate') this.account.chars += this.row.chars;
  }
}

const noCalls = (account: string): Kept => ({
  account,
  count: 0,
  refused: 0,
  chars: 0,
  inFlight: 0,
  mostInFlight: 0,
  calls: [],
});

/** Number of Unicode code points. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) count -= 1;
  }
  return count;
}
