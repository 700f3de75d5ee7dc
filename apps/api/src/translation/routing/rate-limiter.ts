import { AccountPace, charWindow, PLACE_MS, type RateLimit, requestWindow, type Shared } from './account-pace.js';
import { FairQueue } from './fair-queue.js';
import type { Time } from './time.js';

/**
 * A sliding window: at most so many units in any `windowMs`, as vendors count. Keeps the uses of the last window; times must not go back.
 */
export class RateWindow {
  #used: { at: number; units: number }[] = [];
  #sum = 0;

  constructor(private readonly limit: { readonly units: number; readonly windowMs: number }) {}

  use(units: number, now: number): void {
    this.#used.push({ at: now, units });
    this.#sum += units;
  }

  /**
   * A lower bound of the milliseconds until `units` more fit, when `ahead` units are used before them as early as possible. Infinity when
   * they never fit.
   */
  delay(units: number, ahead: number, now: number): number {
    this.#forget(now);
    const { units: most, windowMs } = this.limit;
    if (units > most) return Number.POSITIVE_INFINITY;
    // The units still ahead after whole windows have passed must fit, together with these, beside the recorded uses.
    const wholeWindows = Math.floor(ahead / most) * windowMs;
    let excess = this.#sum + (ahead % most) + units - most;
    if (excess <= 0) return wholeWindows;
    for (const { at, units: freed } of this.#used) {
      excess -= freed;
      if (excess <= 0) return wholeWindows + at + windowMs - now;
    }
    return wholeWindows + windowMs;
  }

  #forget(now: number): void {
    const gone = this.#used.findIndex(({ at }) => at + this.limit.windowMs > now);
    for (const { units } of this.#used.splice(0, gone === -1 ? this.#used.length : gone)) this.#sum -= units;
  }
}

export type Load = {
  readonly chars: number;
  /** Families take turns. */
  readonly family: number;
};

export type Turn = Load & {
  /** The deadline for the turn: milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
};

/**
 * The length of the queue per concurrent request: a new request waits for no more answers than this. More requests would only be served too
 * late, and an unbounded queue takes memory.
 */
const WAITING_PER_PLACE = 5;
/**
 * A queue that has not been empty for this long is overload, not a burst. From then on a new request waits for at most one answer of other
 * families, besides the requests of its own (controlled delay, Nichols and Jacobson 2012).
 */
const STANDING_MS = 100;
/** The pause after a rate refusal without a Retry-After; doubles each time until the vendor answers again. */
const PAUSE_MS = 1_000;
const PAUSE_MOST_MS = 30_000;
/** The shortest pause, even if the vendor allows an immediate retry. */
const PAUSE_LEAST_MS = 250;

/** The longest pause, so that one wrong Retry-After cannot disable an account for good. */
const ASKED_MOST_MS = 1_800_000;

type Waiting = Turn & { readonly go: (may: boolean) => void };

type Options = {
  readonly time: Time;
  /** Unique among the accounts. */
  readonly name: string;
  /** What all processes share; null: this one is alone. */
  readonly shared: Shared | null;
};

/**
 * Sends requests one by one, families in turn, within the vendor's rate limits: a request waits for its turn instead of being refused, as
 * long as its turn comes in time. After a rate refusal requests continue one at a time, and each answer allows one more concurrent request
 * (slow start). Only waiting requests hold timers. What this process may not send by itself it asks the others for, for all requests whose
 * turn it is with one question.
 */
export class RateLimiter {
  private readonly time: Time;
  #requests: RateWindow | null = null;
  #chars: RateWindow | null = null;
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  /** When the queue was last empty. */
  #waitingSince = 0;
  /** The current limit of concurrent requests. */
  #most: number;
  #pausedUntil = 0;
  #pauses = 0;
  #stopAlarm: () => void = () => undefined;
  readonly #account: AccountPace;
  /** Requests whose turn it is, while the other processes are asked; those that leave meanwhile are removed. Null: none are asked. */
  #asking: Set<Waiting> | null = null;
  /** When the other processes leave room again: by the rates, and when to ask again for places, which may become free at any time. */
  #notBefore = 0;
  #noPlaceBefore = 0;
  /** Other processes have the places. */
  #isShort = false;

  constructor(
    private pace: RateLimit,
    { time, name, shared }: Options,
  ) {
    this.time = time;
    this.#most = pace.inFlight;
    this.#account = new AccountPace(name, pace, shared);
    this.change(pace);
  }

  /** Other rates from now on. */
  change(pace: RateLimit): void {
    this.pace = pace;
    const { requestsPerSecond: rate, charsPerMinute } = pace;
    this.#requests = rate === null ? null : new RateWindow(requestWindow(rate));
    this.#chars = charsPerMinute === null ? null : new RateWindow(charWindow(charsPerMinute));
    this.#account.change(pace);
    this.#notBefore = 0;
  }

  /** The number of rate refusals since the last answer. */
  get pauses(): number {
    return this.#pauses;
  }

  /** The minimum wait of such a request if it came now. Infinity: not today. */
  delay({ chars, family }: Load): number {
    return this.#delayBehind(this.#waiting.isEmpty ? NOBODY : this.#waiting.ahead(family), chars);
  }

  /** Whether requests of this family are queued. */
  hasWaiting(family: number): boolean {
    return this.#waiting.has(family);
  }

  /** Whether the queue is full for a new request of this family. */
  isFull(family: number): boolean {
    if ((this.#running < this.#most && !this.#isShort) || this.#waiting.isEmpty) return false;
    const places = this.#isShort ? Math.max(1, this.#running) : this.pace.inFlight;
    const ahead = this.#waiting.ahead(family).requests;
    const isStanding = this.time.now() - this.#waitingSince >= STANDING_MS;
    return ahead >= WAITING_PER_PLACE * places || (isStanding && ahead - this.#waiting.countOf(family) >= places);
  }

  /** Whether a request of this size would be sent at once. */
  isFree(chars: number): boolean {
    return this.#waiting.isEmpty && this.#running < this.#most && this.#delayBehind(NOBODY, chars) === 0;
  }

  /** Resolves to true when it is the request's turn: `leave` must follow. To false when the queue is full or the turn would come too late. */
  enter(turn: Turn): Promise<boolean> {
    if (turn.signal.aborted || this.isFull(turn.family) || this.time.now() + this.delay(turn) > turn.until)
      return Promise.resolve(false);
    if (this.isFree(turn.chars) && this.#account.takeNow(turn.chars)) {
      this.#start(turn.chars);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leaveQueue = (): void => this.#dismiss(waiting);
      const stopAlarm = this.time.after(turn.until - this.time.now(), leaveQueue);
      const go = (may: boolean): void => {
        stopAlarm();
        turn.signal.removeEventListener('abort', leaveQueue);
        resolve(may);
      };
      const waiting: Waiting = { ...turn, go };
      turn.signal.addEventListener('abort', leaveQueue);
      if (this.#waiting.isEmpty) this.#waitingSince = this.time.now();
      this.#waiting.push(waiting);
      this.#pump();
    });
  }

  /** Called when a request that had its turn is over. */
  leave(): void {
    this.#account.leave();
    this.#running--;
    this.#noPlaceBefore = 0;
    this.#pump();
  }

  /**
   * After a rate refusal: sends nothing for a while. Returns false when a request that was in flight at the same time was refused before,
   * because they count once.
   */
  pause(retryAfterMs: number | null): boolean {
    const now = this.time.now();
    if (now < this.#pausedUntil) return false;
    const own = Math.min(PAUSE_MOST_MS, PAUSE_MS * 2 ** this.#pauses);
    this.#pausedUntil = now + Math.min(ASKED_MOST_MS, Math.max(PAUSE_LEAST_MS, retryAfterMs ?? own));
    this.#most = 1;
    this.#pauses++;
    this.#pump();
    return true;
  }

  /** After an answer: the next pause is a short one again. */
  resume(): void {
    this.#pauses = 0;
    if (this.#most < this.pace.inFlight) this.#most++;
  }

  /** Ends the wait of all queued requests. */
  flush(): void {
    this.#stopAlarm();
    for (const waiting of this.#asking ?? []) this.#dismiss(waiting);
    for (const { go } of this.#waiting.clear()) go(false);
  }

  #dismiss(waiting: Waiting): void {
    if (this.#asking?.delete(waiting)) return waiting.go(false);
    if (!this.#waiting.remove(waiting)) return;
    waiting.go(false);
    this.#pump();
  }

  #start(chars: number): void {
    this.#running++;
    this.#use(chars);
  }

  #use(chars: number): void {
    const now = this.time.now();
    this.#requests?.use(1, now);
    this.#chars?.use(chars, now);
  }

  /** Sends the queued requests that may go, in order, and sets the timer for the next. */
  #pump(): void {
    this.#stopAlarm();
    const asked: Waiting[] = [];
    const ahead = { requests: 0, chars: 0 };
    const hasRoom = (): boolean => this.#running + asked.length < this.#most;
    for (let next = this.#waiting.first; next && !this.#asking && hasRoom(); next = this.#waiting.first) {
      const wait = this.#delayBehind(ahead, next.chars);
      if (wait > 0 && this.time.now() + wait <= next.until) {
        if (asked.length === 0) this.#stopAlarm = this.time.after(Math.ceil(wait), () => this.#pump());
        break;
      }
      this.#waiting.shift();
      if (wait > 0) next.go(false);
      else if (asked.length === 0 && this.#account.takeNow(next.chars)) {
        this.#start(next.chars);
        next.go(true);
      } else {
        asked.push(next);
        ahead.requests++;
        ahead.chars += next.chars;
      }
    }
    if (asked.length > 0) void this.#ask(asked);
  }

  /** Asks the other processes for room for these. They count as running until the answer. */
  async #ask(asked: readonly Waiting[]): Promise<void> {
    this.#asking = new Set(asked);
    this.#running += asked.length;
    const { granted, waitMs } = await this.#account.take(asked.map(({ chars }) => chars));
    const stayed = this.#asking;
    this.#asking = null;
    const refused: Waiting[] = [];
    for (const [at, waiting] of asked.entries()) {
      const isThere = stayed.has(waiting);
      if (at < granted && isThere) {
        this.#use(waiting.chars);
        waiting.go(true);
        continue;
      }
      this.#running--;
      if (at < granted) this.#account.giveBack(waiting.chars);
      else if (isThere && at === granted && waitMs === Number.POSITIVE_INFINITY) waiting.go(false);
      else if (isThere) refused.push(waiting);
    }
    this.#waiting.putBack(refused);
    this.#isShort = refused.length > 0 && waitMs === PLACE_MS;
    if (this.#isShort) this.#noPlaceBefore = this.time.now() + waitMs;
    else if (refused.length > 0 && Number.isFinite(waitMs)) this.#notBefore = this.time.now() + waitMs;
    this.#pump();
  }

  #delayBehind(ahead: { requests: number; chars: number }, chars: number): number {
    if (this.pace.day?.fits(chars) === false) return Number.POSITIVE_INFINITY;
    const now = this.time.now();
    return Math.max(
      0,
      this.#pausedUntil - now,
      this.#notBefore - now,
      this.#noPlaceBefore - now,
      this.#requests?.delay(1, ahead.requests, now) ?? 0,
      this.#chars?.delay(chars, ahead.chars, now) ?? 0,
    );
  }
}

const NOBODY = { requests: 0, chars: 0 };
