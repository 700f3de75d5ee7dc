import { Logger } from '@nestjs/common';
import { type VendorAccount, type VendorClient, type VendorLimits } from '../channels/vendor.js';
import { NoAnswer, VendorFailure } from '../channels/vendor-failure.js';
import { Breaker, type Pass } from './breaker.js';
import { FailureLog } from './failure-log.js';
import type { RateLimit } from './account-pace.js';
import { DayCap } from './day-cap.js';
import { type Load, RateLimiter } from './rate-limiter.js';
import type { SharedCaps } from './shared-caps.js';
import { type Attempted, measured, type UpstreamState } from './vendor-health.js';
import { step } from '../../platform/telemetry/tracing.js';
import { linkedAbort, type Time, untilAborted } from './time.js';

/** A request with less time left than this is not sent: it would be paid for in vain. */
export const LEAST_MS = 500;

/** A caller that leaves this shortly before the deadline left because of it: timers fire up to two milliseconds early. */
const EARLY_MS = 50;

/** The abort reason of a request that another upstream answered first. */
export const OVERTAKEN = 'another upstream was faster';

/**
 * This many requests without a caller may continue until their time-out, to see whether the vendor answers at all: as many as the breaker
 * needs to decide.
 */
const WATCHED_MOST = 5;

export type UpstreamSurroundings = {
  readonly time: Time;
  /** The calendar day of daily caps, in APP_TIMEZONE. */
  readonly today: () => string;
  /** The counts of all processes; absent: this one counts alone. */
  readonly shared?: SharedCaps;
  /** How many late requests may run on without a caller, `WATCHED_MOST` by default. */
  readonly watchedMost?: number;
  /** Called after every request that the vendor has answered or failed. */
  readonly onAttempt?: (account: PublicAccount, attempt: Attempted) => void;
};

/** A rate refusal only slows us down, unless the vendor repeats it this often without an answer in between. */
const PAUSES_BORNE = 3;

/** The account's queue is full. */
export class QueueFull extends VendorFailure {
  constructor(upstream: string) {
    super('rate', `${upstream}: too many wait`);
  }
}

/** The rate limiter could not give the request a turn before its deadline. */
export class NoTurn extends VendorFailure {
  constructor(
    upstream: string,
    /** When there may be room again, if requests of the same family are queued; null: the family is not the cause. */
    readonly crowdedForMs: number | null,
  ) {
    super('rate', `${upstream}: no turn in time`);
  }
}

/** What is known of an account outside its client. */
type PublicAccount = Omit<VendorAccount, 'key' | 'secret'>;

/** The part of a client that this class uses. */
export type UpstreamClient = {
  readonly limits: Pick<VendorLimits, 'requestsPerSecond' | 'charsPerMinute' | 'inFlight' | 'requestMs'>;
};

export type UpstreamRequest<C, T> = {
  /** Code points, for the limits that count characters. */
  readonly chars: number;
  /** The family it belongs to: families take turns in the queue. */
  readonly family: number;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; the caller waits no longer, time in the queue included. */
  readonly deadline: number;
  /** Called when the request leaves the queue and goes to the vendor. */
  readonly onSent?: () => void;
  /** Rejects with VendorFailure. */
  readonly work: (client: C, signal: AbortSignal) => Promise<T>;
};

/**
 * One account at a vendor behind its circuit breaker, rate limiter and deadlines. Texts, audio and pictures all go through it; each kind
 * has its own instance per account, because vendors limit them separately.
 */
export class Upstream<C extends UpstreamClient = VendorClient> {
  readonly name: string;
  readonly #breaker: Breaker;
  readonly #limiter: RateLimiter;
  readonly #failures: FailureLog;
  readonly #log = new Logger('Upstream');
  readonly #day: DayCap;
  #account: PublicAccount;
  #isRetired = false;
  /** Requests in flight without a caller. */
  #watched = 0;

  constructor(
    account: PublicAccount,
    readonly client: C,
    private readonly surroundings: UpstreamSurroundings,
  ) {
    this.#account = account;
    this.name = `${account.code}/${account.name}`;
    const { time, today, shared } = surroundings;
    this.#day = new DayCap(account.charsPerDay ?? Number.POSITIVE_INFINITY, {
      today,
      now: () => time.now(),
      store: () => (shared && this.#account.record ? shared.dayOf(this.#account.record.id) : null),
    });
    shared?.keep(this.#day);
    this.#failures = new FailureLog(this.name, time);
    this.#breaker = new Breaker(time, (change) => {
      // Requests queued for a failing upstream would only fail later: they go elsewhere while there is time.
      if (change.to === 'open') this.#limiter.flush();
      this.#log.warn({ msg: 'an upstream changed', upstream: this.name, ...change });
    });
    this.#limiter = new RateLimiter(this.#pace(), { time, name: this.name, shared: shared ?? null });
  }

  get account(): PublicAccount {
    return this.#account;
  }

  get weight(): number {
    return this.#account.weight;
  }

  /** For the operators. */
  get state(): UpstreamState {
    const { state: breaker, kind, openFor } = this.#breaker;
    const openUntil = breaker === 'open' ? this.surroundings.time.now() + openFor : null;
    return { breaker, kind, openUntil, charsLeft: this.#day.left };
  }

  /** Another weight, other caps or costs of the same account. */
  changeTo(account: PublicAccount): this {
    const before = this.#account;
    this.#account = account;
    this.#day.change(account.charsPerDay ?? Number.POSITIVE_INFINITY);
    const caps = ({ requestsPerSecond, charsPerMinute }: PublicAccount): string =>
      `${requestsPerSecond} ${charsPerMinute}`;
    if (caps(before) !== caps(account)) this.#limiter.change(this.#pace());
    return this;
  }

  /** Takes no more requests; those in its queue go elsewhere. */
  retire(): void {
    this.#isRetired = true;
    this.#limiter.flush();
    this.surroundings.shared?.retire(this.#day);
  }

  /** Whether the breaker lets a request through now. */
  get admits(): boolean {
    return !this.#isRetired && this.#breaker.admits;
  }

  /** How long the breaker stays open, in milliseconds. */
  get openFor(): number {
    return this.#breaker.openFor;
  }

  /** Settles when the half-open breaker's probe is over; null without one. */
  get probe(): Promise<void> | null {
    return this.#breaker.probe;
  }

  /** How long the vendor may take for one request. */
  get requestMs(): number {
    return this.client.limits.requestMs;
  }

  isFree(chars: number): boolean {
    return this.#limiter.isFree(chars);
  }

  /** The least time that a request would spend in the queue. */
  delay(load: Load): number {
    return this.#limiter.delay(load);
  }

  /**
   * Sends the request when its turn comes. Null: it was not sent, because the breaker opened in between. Throws only VendorFailure:
   * {@link QueueFull}, {@link NoTurn}, or `timeout` when the caller's signal or deadline ends the wait.
   */
  async send<T>(request: UpstreamRequest<C, T>): Promise<T | null> {
    if (!this.admits) return null;
    const { chars, family, signal } = request;
    const until = request.deadline - LEAST_MS;
    if (this.#limiter.isFull(family)) {
      const full = new QueueFull(this.name);
      this.#failures.note(full);
      throw full;
    }
    const isCrowded = this.#limiter.hasWaiting(family);
    if (!(await this.#limiter.enter({ chars, until, family, signal }))) {
      if (signal.aborted) throw this.#abandoned();
      if (!this.admits) return null;
      const waitMs = this.#limiter.delay({ chars, family });
      const crowdedForMs = Number.isFinite(waitMs) ? Math.max(0, this.surroundings.time.now() + waitMs - until) : null;
      throw new NoTurn(this.name, isCrowded ? crowdedForMs : null);
    }
    const pass = this.#breaker.admit();
    if (pass) return this.#attempt(request, pass);
    this.#limiter.leave();
    return null;
  }

  /** Logs an answer that was no translation; the breaker does not count it yet. */
  note(failure: VendorFailure): void {
    this.#failures.note(failure);
  }

  /** Counts a bad answer once another upstream has shown that the text was not the reason. */
  blame(): void {
    this.#breaker.blame('bad-answer');
  }

  /** Ends the wait of everything in the queue. */
  flush(): void {
    this.#limiter.flush();
  }

  #pace(): RateLimit {
    const { limits } = this.client;
    return {
      requestsPerSecond: tighter(limits.requestsPerSecond, this.#account.requestsPerSecond),
      charsPerMinute: tighter(limits.charsPerMinute, this.#account.charsPerMinute),
      inFlight: limits.inFlight,
      day: this.#day,
    };
  }

  /** Reports the attempt's result, or its time-out, to the breaker; the caller may leave before. */
  async #attempt<T>(request: UpstreamRequest<C, T>, pass: Pass): Promise<T> {
    const { time } = this.surroundings;
    const [attempt, begun] = [new AbortController(), time.now()];
    const cancelTimeout = time.after(this.requestMs, () => attempt.abort());
    request.onSent?.();
    const noted = (failure: VendorFailure | null): void => {
      const attempted = measured(this.#account, { chars: request.chars, ms: time.now() - begun, failure });
      this.surroundings.onAttempt?.(this.#account, attempted);
    };
    const call = (): Promise<T> => request.work(this.client, attempt.signal);
    const answer = step(`vendor ${this.#account.code}`, { account: this.#account.name }, call)
      .then(
        (given) => {
          pass.succeeded();
          noted(null);
          this.#limiter.resume();
          return given;
        },
        (error: unknown) => {
          const isGivenUp = attempt.signal.reason === GIVEN_UP;
          const failure = this.#judge(error, { pass, isGivenUp });
          if (!isGivenUp) noted(failure);
          throw failure;
        },
      )
      .finally(() => {
        cancelTimeout();
        this.#limiter.leave();
      });
    const waiting = linkedAbort(request.signal);
    const cancelDeadline = time.after(request.deadline - time.now(), () => waiting.controller.abort(GIVEN_UP));
    try {
      return await untilAborted(answer, waiting.controller.signal);
    } catch (error) {
      if (error instanceof VendorFailure) throw error;
      if (this.#isWorthWatching(request)) void this.#watch(answer);
      else attempt.abort(GIVEN_UP);
      throw this.#abandoned();
    } finally {
      cancelDeadline();
      waiting.release();
    }
  }

  #abandoned(): VendorFailure {
    return new VendorFailure('timeout', `${this.name}: nobody waits`);
  }

  /** When a caller leaves early, the vendor is not to blame; after a time-out the request continues, to see whether the vendor is alive. */
  #isWorthWatching({ signal, deadline }: UpstreamRequest<C, unknown>): boolean {
    const isTooSlow = signal.reason === OVERTAKEN || this.surroundings.time.now() + EARLY_MS >= deadline;
    return isTooSlow && this.#watched < (this.surroundings.watchedMost ?? WATCHED_MOST);
  }

  async #watch(answer: Promise<unknown>): Promise<void> {
    this.#watched++;
    await answer.catch(() => undefined);
    this.#watched--;
  }

  #judge(error: unknown, { pass, isGivenUp }: { pass: Pass; isGivenUp: boolean }): VendorFailure {
    const failure = error instanceof VendorFailure ? error : unexpected(error);
    // Requests that were refused together count as one refusal.
    const news = failure.kind !== 'rate' || this.#limiter.pause(failure.retryAfterMs);
    const borne = failure.kind === 'rate' && (!news || this.#limiter.pauses <= PAUSES_BORNE);
    if (!isGivenUp) this.#failures.note(failure);
    // An attempt that was stopped before its time was over has not failed.
    if (isGivenUp || borne) pass.dropped();
    else if (failure instanceof NoAnswer) pass.understood();
    else pass.failed(failure.kind, failure.retryAfterMs);
    return failure;
  }
}

const GIVEN_UP = 'nobody waits';

const unexpected = (error: unknown): VendorFailure =>
  new VendorFailure('transient', `unexpected: ${error instanceof Error ? error.name : typeof error}`, null, {
    cause: error,
  });

export const tighter = (vendors: number | null, ours: number | null): number | null =>
  vendors === null ? ours : Math.min(vendors, ours ?? vendors);
