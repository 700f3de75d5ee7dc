import { FairQueue } from './fair-queue.js';
import type { Time } from './time.js';

/**
 * So many units in any stretch of `windowMs`, however they are spread: what vendors count. Remembers what was used until it no longer
 * matters; times must not go back.
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
   * Milliseconds until `units` more fit when `ahead` units are used as soon as they can be, before them: at least so long. Infinity when
   * they never fit.
   */
  delay(units: number, ahead: number, now: number): number {
    this.#forget(now);
    const { units: most, windowMs } = this.limit;
    if (units > most) return Number.POSITIVE_INFINITY;
    // What is still ahead after whole windows have passed, together with these, must fit beside what is remembered.
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

/**
 * So many units a calendar day. Each process counts for itself and from its start: a cap is there to bound a bill, and the vendor's own
 * count stays the truth.
 */
export class DayCap {
  #day = '';
  #used = 0;

  constructor(
    private readonly units: number,
    /** Today, in whichever form, by the calendar that counts. */
    private readonly today: () => string,
  ) {}

  use(units: number): void {
    this.#turn();
    this.#used += units;
  }

  fits(units: number): boolean {
    this.#turn();
    return this.#used + units <= this.units;
  }

  #turn(): void {
    const today = this.today();
    if (today === this.#day) return;
    this.#day = today;
    this.#used = 0;
  }
}

/** What may be sent, in characters (code points) and requests; null: no limit of this kind. */
export type RateLimit = {
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  readonly inFlight: number;
  readonly day: DayCap | null;
};

export type Load = {
  readonly chars: number;
  /** Whose it is: families have their turns one after the other. */
  readonly family: number;
};

export type Turn = Load & {
  /** A turn that does not come until then is of no use any more: milliseconds since 1970. */
  readonly until: number;
  readonly signal: AbortSignal;
};

/** The vendor counts when a request arrives, not when it leaves: on their way requests come closer together. */
const MARGIN = 1.05;
/**
 * For each place at the vendor so many may wait: a newcomer waits for no more than so many answers. More would only be served too late, and a
 * queue without an end takes memory.
 */
const WAITING_PER_PLACE = 5;
/**
 * A queue that was not empty for so long is no burst: more is asked than the vendor takes. From then on a newcomer waits for one answer of
 * others at most, whatever its own family has waiting (controlled delay, Nichols and Jacobson 2012).
 */
const STANDING_MS = 100;
/** How long to leave a vendor alone that says "too fast" and not until when; twice as long each time, until it answers again. */
const PAUSE_MS = 1_000;
const PAUSE_MOST_MS = 30_000;
/** Even if it says "at once". */
const PAUSE_LEAST_MS = 250;

/** A vendor that asks for more than this is asked again after it: one wrong answer must not end an account for good. */
const ASKED_MOST_MS = 1_800_000;

type Waiting = Turn & { readonly go: (may: boolean) => void };

/**
 * Lets requests go one by one, families in turn, never faster than the vendor takes them: a request waits for its turn instead of being
 * refused, as long as its turn comes in time. Where the vendor finds them too fast all the same, they go on one at a time, and one more at
 * once with each that it answers. Waiting costs one alarm each, and none is left when nobody waits.
 */
export class RateLimiter {
  readonly #requests: RateWindow | null;
  readonly #chars: RateWindow | null;
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  /** When the queue was last empty. */
  #waitingSince = 0;
  /** How many may be under way at once, just now. */
  #most: number;
  #pausedUntil = 0;
  #pauses = 0;
  #stopAlarm: () => void = () => undefined;

  constructor(
    private readonly pace: RateLimit,
    private readonly time: Time,
  ) {
    const { requestsPerSecond: rate, charsPerMinute, inFlight } = pace;
    this.#most = inFlight;
    const units = Math.max(1, Math.floor(rate ?? 0));
    this.#requests = rate === null ? null : new RateWindow({ units, windowMs: (units / rate) * 1_000 * MARGIN });
    this.#chars = charsPerMinute === null ? null : new RateWindow({ units: charsPerMinute, windowMs: 60_000 * MARGIN });
  }

  /** How often in a row, without an answer in between, the vendor has said "too fast". */
  get pauses(): number {
    return this.#pauses;
  }

  /** How long such a request would have to wait, at least, if it came now. Infinity: not today. */
  delay({ chars, family }: Load): number {
    return this.#delayBehind(this.#waiting.isEmpty ? NOBODY : this.#waiting.ahead(family), chars);
  }

  /** Whether requests of this family wait for their turn. */
  hasWaiting(family: number): boolean {
    return this.#waiting.has(family);
  }

  /** Whether all places are taken and too many wait for one before a newcomer of this family. */
  isFull(family: number): boolean {
    if (this.#running < this.#most || this.#waiting.isEmpty) return false;
    const places = this.pace.inFlight;
    const ahead = this.#waiting.ahead(family).requests;
    const isStanding = this.time.now() - this.#waitingSince >= STANDING_MS;
    return ahead >= WAITING_PER_PLACE * places || (isStanding && ahead - this.#waiting.countOf(family) >= places);
  }

  /** Whether a request of so many characters would go at once. */
  isFree(chars: number): boolean {
    return this.#waiting.isEmpty && this.#running < this.#most && this.#delayBehind(NOBODY, chars) === 0;
  }

  /** Resolves to true when it is this request's turn: `leave` must follow. To false when too many wait, or its turn does not come in time. */
  enter(turn: Turn): Promise<boolean> {
    if (turn.signal.aborted || this.isFull(turn.family) || this.time.now() + this.delay(turn) > turn.until)
      return Promise.resolve(false);
    if (this.isFree(turn.chars)) {
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

  /** A request that had its turn is over. */
  leave(): void {
    this.#running--;
    this.#pump();
  }

  /**
   * The vendor said "too fast": nobody goes for a while. Answers whether that was news, because requests that were under way together are
   * all told the same.
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

  /** The vendor answers: the next pause is a short one again. */
  resume(): void {
    this.#pauses = 0;
    if (this.#most < this.pace.inFlight) this.#most++;
  }

  /** Sends everybody away who waits. */
  flush(): void {
    this.#stopAlarm();
    for (const { go } of this.#waiting.clear()) go(false);
  }

  #dismiss(waiting: Waiting): void {
    if (!this.#waiting.remove(waiting)) return;
    waiting.go(false);
    this.#pump();
  }

  #start(chars: number): void {
    const now = this.time.now();
    this.#running++;
    this.#requests?.use(1, now);
    this.#chars?.use(chars, now);
    this.pace.day?.use(chars);
  }

  /** Lets go whoever may, from the first on; sets the alarm for the next. */
  #pump(): void {
    this.#stopAlarm();
    for (let next = this.#waiting.first; next !== undefined && this.#running < this.#most; next = this.#waiting.first) {
      const wait = this.#delayBehind(NOBODY, next.chars);
      if (wait > 0 && this.time.now() + wait <= next.until) {
        this.#stopAlarm = this.time.after(Math.ceil(wait), () => this.#pump());
        return;
      }
      this.#waiting.shift();
      if (wait === 0) this.#start(next.chars);
      next.go(wait === 0);
    }
  }

  #delayBehind(ahead: { requests: number; chars: number }, chars: number): number {
    if (this.pace.day?.fits(chars) === false) return Number.POSITIVE_INFINITY;
    const now = this.time.now();
    return Math.max(
      0,
      this.#pausedUntil - now,
      this.#requests?.delay(1, ahead.requests, now) ?? 0,
      this.#chars?.delay(chars, ahead.chars, now) ?? 0,
    );
  }
}

const NOBODY = { requests: 0, chars: 0 };
