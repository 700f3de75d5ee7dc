import type { FaultKind, WorkKind } from './vendor-faults.js';

/** Calls of one account that are kept, newest first. */
const MAX_KEPT = 50;

/** Accounts that are remembered; whoever was silent for longest is forgotten. */
const MAX_ACCOUNTS = 2000;

/** What was asked: work, or one of the smaller things. */
export type CallKind = WorkKind | 'detect' | 'languages' | 'usage' | 'glossary' | 'models' | 'unknown';

/** One call as it came. */
export interface CallAsked {
  readonly call: CallKind;
  /** As sent. */
  readonly texts: readonly string[];
  /** The vendor's own codes; source null: left to the vendor. */
  readonly source: string | null;
  readonly target: string | null;
}

/** A call on the wire. `status` null: not answered (yet). `error`: the vendor's own code or words. Characters are code points. */
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

/** What an account did since the start or the last reset. `chars`: of the translations that were answered as such. */
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

/** What the vendors were asked, account by account: how tests prove who was asked and who was not. */
export class VendorCalls {
  readonly #accounts = new Map<string, Kept>();

  /** Of one account; all zero for one that was never heard of. */
  of(account: string): AccountCalls {
    return this.#accounts.get(account) ?? blank(account);
  }

  /** Every account that called, the latest first. */
  list(): readonly AccountCalls[] {
    return [...this.#accounts.values()].reverse();
  }

  /** Forgets the calls of one account, or of all. */
  reset(account?: string): void {
    if (account === undefined) this.#accounts.clear();
    else this.#accounts.delete(account);
  }

  /** Takes down that a call came. What is answered here is told how it ended. */
  begin(account: string, { call, texts, source, target }: CallAsked): PendingCall {
    const kept = this.#accounts.get(account) ?? blank(account);
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

/** A call that has come and is not over. */
export class PendingCall {
  readonly #begun = performance.now();
  #over = false;

  constructor(
    private readonly account: Writable<AccountCalls>,
    private readonly row: Writable<Call>,
  ) {}

  met(faults: readonly FaultKind[]): void {
    this.row.faults = faults;
  }

  /** `status` null: the caller got no whole answer. Only the first end counts. */
  end(status: number | null, error: string | null): void {
    if (this.#over) return;
    this.#over = true;
    this.row.status = status;
    this.row.error = error;
    this.row.ms = Math.round(performance.now() - this.#begun);
    this.account.inFlight -= 1;
    if (error !== null) this.account.refused += 1;
    else if (status !== null && this.row.call === 'translate') this.account.chars += this.row.chars;
  }
}

const blank = (account: string): Kept => ({
  account,
  count: 0,
  refused: 0,
  chars: 0,
  inFlight: 0,
  mostInFlight: 0,
  calls: [],
});

/** Unicode code points of a text. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const pair = (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (pair) count -= 1;
  }
  return count;
}
