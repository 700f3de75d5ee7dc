import { Logger } from '@nestjs/common';
import { codePoints } from '@yiqiao/domain/members';
import type { VendorAccount } from '../channels/account.js';
import {
  NoAnswer,
  type VendorAnswer,
  type VendorClient,
  VendorFailure,
  type VendorFailureKind,
  type VendorLimits,
  type VendorRequest,
} from '../channels/vendor.js';
import { Breaker, type Pass } from './breaker.js';
import { DayCap, type Load, RateLimiter } from './rate-limiter.js';
import type { Time } from './time.js';

/** Nothing is sent that has less time than this for its answer: it would be paid for and thrown away. */
export const LEAST_MS = 500;

/** Whoever stops waiting so shortly before the deadline stops because of it: alarms ring up to two milliseconds early, whoever's they are. */
const EARLY_MS = 50;

/** Why a request is given up for which another upstream was faster. */
export const OVERTAKEN = 'another upstream was faster';

/**
 * So many requests that their callers no longer wait for are let go on to the end of their time, to see whether the vendor answers at all:
 * as many as its breaker needs to know.
 */
const WATCHED_MOST = 5;

type UpstreamSurroundings = {
  readonly time: Time;
  /** The calendar day that daily caps are counted by: of APP_TIMEZONE. */
  readonly today: () => string;
};

/** "Too fast" is a matter of pace, unless the vendor says so this often in a row and answers nothing in between. */
const PAUSES_BORNE = 3;

/** More wait for this account than it may keep waiting, whoever they are. */
export class QueueFull extends VendorFailure {
  constructor(upstream: string) {
    super('rate', `${upstream}: too many wait`);
  }
}

/** The turn of a request does not come in time. */
export class NoTurn extends VendorFailure {
  constructor(
    upstream: string,
    /** When there may be room again, if others of the same family wait for their turn; null: it is not the family's doing. */
    readonly crowdedForMs: number | null,
  ) {
    super('rate', `${upstream}: no turn in time`);
  }
}

type UpstreamRequest = VendorRequest & {
  /** Whose it is. */
  readonly family: number;
  /** Milliseconds since 1970: nobody waits any longer, queues included. */
  readonly deadline: number;
  /** Called when it goes to the vendor, which is after its turn has come. */
  readonly onSent?: () => void;
};

/** One account at a vendor, with what protects it and us from each other: its breaker, its pace, its patience. */
export class Upstream {
  readonly name: string;
  readonly weight: number;
  readonly #breaker: Breaker;
  readonly #pacer: RateLimiter;
  readonly #failures: FailureLog;
  readonly #log = new Logger('Upstream');
  /** Requests under way that nobody waits for. */
  #watched = 0;

  constructor(
    readonly account: Omit<VendorAccount, 'key' | 'secret'>,
    readonly client: VendorClient,
    private readonly surroundings: UpstreamSurroundings,
  ) {
    this.name = `${account.code}/${account.name}`;
    this.weight = account.weight;
    const { time, today } = surroundings;
    this.#failures = new FailureLog(this.name, time);
    this.#breaker = new Breaker(time, (change) => {
      // Those who queue for an upstream that fails would only fail later: they go elsewhere while there is time.
      if (change.to === 'open') this.#pacer.flush();
      this.#log.warn({ msg: 'an upstream changed', upstream: this.name, ...change });
    });
    this.#pacer = new RateLimiter(
      {
        requestsPerSecond: tighter(client.limits.requestsPerSecond, account.requestsPerSecond),
        charsPerMinute: tighter(client.limits.charsPerMinute, account.charsPerMinute),
        inFlight: client.limits.inFlight,
        day: account.charsPerDay === null ? null : new DayCap(account.charsPerDay, today),
      },
      time,
    );
  }

  /** Whether it may be asked now: its breaker lets one more request through. */
  get admits(): boolean {
    return this.#breaker.admits;
  }

  /** How long its breaker lets nothing through, in milliseconds. */
  get openFor(): number {
    return this.#breaker.openFor;
  }

  /** Settles when the one request that tries it out is over; null when there is none. */
  get probe(): Promise<void> | null {
    return this.#breaker.probe;
  }

  /** What one request may hold: the vendor's limits, and no more characters than the account may use in a minute. */
  get limits(): VendorLimits {
    const { limits } = this.client;
    const charsPerMinute = tighter(limits.charsPerMinute, this.account.charsPerMinute);
    return { ...limits, charsPerRequest: tighter(limits.charsPerRequest, charsPerMinute) ?? limits.charsPerRequest };
  }

  isFree(chars: number): boolean {
    return this.#pacer.isFree(chars);
  }

  /** How long a request would wait for its turn, at least. */
  delay(load: Load): number {
    return this.#pacer.delay(load);
  }

  /**
   * Asks the vendor when it is this request's turn. Null: it was not asked, because its breaker lets nothing through any more. Throws
   * VendorFailure and nothing else: {@link QueueFull} when too many wait, {@link NoTurn} when the turn does not come in time, `timeout` also when nobody waits any more.
   */
  async ask(request: UpstreamRequest): Promise<VendorAnswer | null> {
    if (!this.admits) return null;
    const chars = request.texts.reduce((sum, text) => sum + codePoints(text), 0);
    const until = request.deadline - LEAST_MS;
    if (this.#pacer.isFull(request.family)) {
      const full = new QueueFull(this.name);
      this.#failures.note(full);
      throw full;
    }
    const isCrowded = this.#pacer.hasWaiting(request.family);
    if (!(await this.#pacer.enter({ chars, until, family: request.family, signal: request.signal }))) {
      if (request.signal.aborted) throw new VendorFailure('timeout', `${this.name}: nobody waits`);
      if (!this.admits) return null;
      const waitMs = this.#pacer.delay({ chars, family: request.family });
      const crowdedForMs = Number.isFinite(waitMs) ? Math.max(0, this.surroundings.time.now() + waitMs - until) : null;
      throw new NoTurn(this.name, isCrowded ? crowdedForMs : null);
    }
    const pass = this.#breaker.admit();
    if (pass) return this.#send(request, pass);
    this.#pacer.leave();
    return null;
  }

  /** Its answer was none: said in the log, and as yet nobody's fault. */
  note(failure: VendorFailure): void {
    this.#failures.note(failure);
  }

  /** Another upstream has shown that what this one answered was no answer. */
  blame(): void {
    this.#breaker.blame('bad-answer');
  }

  close(): Promise<void> {
    this.#pacer.flush();
    return this.client.close();
  }

  /** What became of one request is known when it has ended or has had all of the time that the vendor may take; its caller may leave before. */
  async #send(request: UpstreamRequest, pass: Pass): Promise<VendorAnswer> {
    const { texts, source, target, terms } = request;
    const attempt = new AbortController();
    const stopAlarm = this.surroundings.time.after(this.limits.requestMs, () => attempt.abort());
    request.onSent?.();
    const answer = this.client
      .translate({ texts, source, target, terms, signal: attempt.signal })
      .then(
        (given) => {
          pass.succeeded();
          this.#pacer.resume();
          return given;
        },
        (error: unknown) => {
          throw this.#judge(error, { pass, isGivenUp: attempt.signal.reason === GIVEN_UP });
        },
      )
      .finally(() => {
        stopAlarm();
        this.#pacer.leave();
      });
    return this.#asLongAsWanted(answer, { request, attempt });
  }

  async #asLongAsWanted(
    answer: Promise<VendorAnswer>,
    { request, attempt }: { request: UpstreamRequest; attempt: AbortController },
  ): Promise<VendorAnswer> {
    const { time } = this.surroundings;
    const left = Promise.withResolvers<never>();
    const leave = (): void => {
      left.reject(new VendorFailure('timeout', `${this.name}: nobody waits`));
      if (this.#isWorthWatching(request)) void this.#watch(answer);
      else attempt.abort(GIVEN_UP);
    };
    const stopAlarm = time.after(request.deadline - time.now(), leave);
    request.signal.addEventListener('abort', leave);
    if (request.signal.aborted) leave();
    try {
      return await Promise.race([answer, left.promise]);
    } finally {
      stopAlarm();
      request.signal.removeEventListener('abort', leave);
    }
  }

  /** Whoever went away by himself says nothing about the vendor; one that was too slow for somebody is to show whether it is alive. */
  #isWorthWatching({ signal, deadline }: UpstreamRequest): boolean {
    const isTooSlow = signal.reason === OVERTAKEN || this.surroundings.time.now() + EARLY_MS >= deadline;
    return isTooSlow && this.#watched < WATCHED_MOST;
  }

  async #watch(answer: Promise<VendorAnswer>): Promise<void> {
    this.#watched++;
    await answer.catch(() => undefined);
    this.#watched--;
  }

  #judge(error: unknown, { pass, isGivenUp }: { pass: Pass; isGivenUp: boolean }): VendorFailure {
    const failure = error instanceof VendorFailure ? error : unexpected(error);
    // Many requests that are told together are told once.
    const news = failure.kind !== 'rate' || this.#pacer.pause(failure.retryAfterMs);
    const borne = failure.kind === 'rate' && (!news || this.#pacer.pauses <= PAUSES_BORNE);
    if (!isGivenUp) this.#failures.note(failure);
    // Told to stop before its time was over, it has not failed.
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

const tighter = (vendors: number | null, ours: number | null): number | null =>
  vendors === null ? ours : Math.min(vendors, ours ?? vendors);

const QUIET_MS = 60_000;

/**
 * What an operator must know to mend an upstream: how it fails, in its vendor's words (status and code, never a text, never a key). Once a
 * minute for each kind, with how often it was left unsaid since: an outage is one line, not thousands.
 */
export class FailureLog {
  readonly #said = new Map<VendorFailureKind, { readonly at: number; unsaid: number }>();
  readonly #log = new Logger('Upstream');

  constructor(
    private readonly upstream: string,
    private readonly time: Time,
  ) {}

  note({ kind, message, cause }: VendorFailure): void {
    const at = this.time.now();
    const last = this.#said.get(kind);
    if (last && at < last.at + QUIET_MS) {
      last.unsaid++;
      return;
    }
    this.#said.set(kind, { at, unsaid: 0 });
    const unsaid = last?.unsaid ?? 0;
    this.#log.warn({
      msg: 'an upstream failed',
      upstream: this.upstream,
      kind,
      said: message,
      unsaid,
      ...where(cause),
    });
  }
}

/** Where a bug of ours broke out: its place, without its words, which could be a member's. */
const where = (cause: unknown): { frames?: readonly string[] } => {
  if (!(cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError)) return {};
  const frames = cause.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return frames ? { frames: frames.slice(0, 8) } : {};
};
