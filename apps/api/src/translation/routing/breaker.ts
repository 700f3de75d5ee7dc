import type { VendorFailureKind } from '../channels/vendor-failure.js';
import type { Time } from './time.js';

/** `closed`: requests pass. `open`: none passes until the cool-down is over. `half-open`: one probe at a time passes. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** A change of state, for the operator's log. */
export type BreakerChange = {
  readonly from: BreakerState;
  readonly to: BreakerState;
  /** The failure that opened it; null when it closed or became half-open. */
  readonly kind: VendorFailureKind | null;
  /** The cool-down. */
  readonly coolDownMs: number;
};

/** Failures of the account: the next request would fail as well. */
const LASTING: ReadonlySet<VendorFailureKind> = new Set(['auth', 'quota']);
/** Transient failures. All other kinds are caused by the text or by us and say nothing about the upstream. */
const PASSING: ReadonlySet<VendorFailureKind> = new Set(['rate', 'transient', 'timeout', 'bad-answer']);

const FAILURES_IN_A_ROW = 5;
/** It also opens when half of this many last requests failed: a vendor that fails every other time never fails five times in a row. */
const LOOKS_BACK_ON = 20;
const JUDGED_FROM = 10;

const COOL_DOWN = { passing: { firstMs: 5_000, mostMs: 120_000 }, lasting: { firstMs: 60_000, mostMs: 1_800_000 } };
/** An upstream that fails again within this time after closing has not recovered: its cool-down doubles. */
const RELAPSE_MS = 60_000;

/** A request that passed. Exactly one of the methods is called, once, with its result. */
export interface Pass {
  succeeded(): void;
  failed(kind: VendorFailureKind, retryAfterMs: number | null): void;
  /** The vendor works, whatever the quality of its answer. */
  understood(): void;
  /** It never reached the vendor, or its caller left before the end. */
  dropped(): void;
}

/**
 * A circuit breaker. It learns from real traffic only, without health checks, because every request to a vendor costs money. Each time it
 * opens again the cool-down doubles.
 */
export class Breaker {
  #state: BreakerState = 'closed';
  #kind: VendorFailureKind | null = null;
  #inARow = 0;
  #recent: boolean[] = [];
  #openUntil = 0;
  #relapses = 0;
  #closedAt = Number.NEGATIVE_INFINITY;
  #probe: PromiseWithResolvers<void> | null = null;
  /** Results of requests that passed before the last change of state are ignored. */
  #era = 0;

  constructor(
    private readonly time: Time,
    private readonly onChange: (change: BreakerChange) => void,
  ) {}

  get state(): BreakerState {
    return this.#state;
  }

  /** The failure that opened it; null while it is closed. */
  get kind(): VendorFailureKind | null {
    return this.#kind;
  }

  /** Whether `admit` would let a request through now. */
  get admits(): boolean {
    if (this.#state === 'open') return this.time.now() >= this.#openUntil;
    return this.#state === 'closed' || this.#probe === null;
  }

  /** The rest of the cool-down in milliseconds; 0 when it is not open. */
  get openFor(): number {
    return this.#state === 'open' ? Math.max(0, this.#openUntil - this.time.now()) : 0;
  }

  /** Settles when the half-open probe is over; null without one. */
  get probe(): Promise<void> | null {
    return this.#probe?.promise ?? null;
  }

  /** Null: the request must not pass. */
  admit(): Pass | null {
    if (!this.admits) return null;
    if (this.#state === 'open') this.#become('half-open', null, 0);
    if (this.#state === 'half-open') this.#probe = Promise.withResolvers();
    return this.#pass(this.#era);
  }

  /** Counts a request as failed that was counted as a success. */
  blame(kind: VendorFailureKind): void {
    if (this.#state === 'closed') this.#failed(kind, null);
  }

  #pass(era: number): Pass {
    const once = (judge: () => void) => () => {
      if (era !== this.#era) return;
      const probe = this.#probe;
      judge();
      if (this.#probe === probe) this.#probe = null;
      probe?.resolve();
    };
    return {
      succeeded: once(() => this.#succeeded()),
      understood: once(() => this.#understood()),
      failed: (kind, retryAfterMs) => once(() => this.#failed(kind, retryAfterMs))(),
      dropped: once(() => undefined),
    };
  }

  #succeeded(): void {
    if (this.#state === 'half-open') {
      this.#closedAt = this.time.now();
      this.#become('closed', null, 0);
    }
    this.#inARow = 0;
    this.#remember(true);
  }

  /** It answered, so it works, even if this text got no translation. */
  #understood(): void {
    if (this.#state === 'half-open') this.#succeeded();
  }

  #failed(kind: VendorFailureKind, retryAfterMs: number | null): void {
    if (LASTING.has(kind)) return this.#open(kind, retryAfterMs);
    if (!PASSING.has(kind)) return this.#understood();
    this.#inARow++;
    this.#remember(false);
    const failures = this.#recent.filter((ok) => !ok).length;
    const half = this.#recent.length >= JUDGED_FROM && failures * 2 >= this.#recent.length;
    if (this.#state === 'half-open' || this.#inARow >= FAILURES_IN_A_ROW || half) this.#open(kind, retryAfterMs);
  }

  #open(kind: VendorFailureKind, retryAfterMs: number | null): void {
    const now = this.time.now();
    const relapsed = this.#state === 'half-open' || now - this.#closedAt < RELAPSE_MS;
    this.#relapses = relapsed ? this.#relapses + 1 : 0;
    const { firstMs, mostMs } = COOL_DOWN[LASTING.has(kind) ? 'lasting' : 'passing'];
    const coolDownMs = Math.min(mostMs, Math.max(firstMs * 2 ** this.#relapses, retryAfterMs ?? 0));
    this.#openUntil = now + coolDownMs;
    this.#become('open', kind, coolDownMs);
  }

  #become(to: BreakerState, kind: VendorFailureKind | null, coolDownMs: number): void {
    const from = this.#state;
    this.#state = to;
    this.#kind = to === 'half-open' ? this.#kind : kind;
    this.#era++;
    this.#inARow = 0;
    this.#recent = [];
    this.#probe?.resolve();
    this.#probe = null;
    this.onChange({ from, to, kind, coolDownMs });
  }

  #remember(ok: boolean): void {
    this.#recent.push(ok);
    if (this.#recent.length > LOOKS_BACK_ON) this.#recent.shift();
  }
}
