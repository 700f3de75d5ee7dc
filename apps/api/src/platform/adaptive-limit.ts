/** Options of an {@link AdaptiveLimit}. Times in ms. */
export type LimitOptions = {
  /** The latency of our own work to keep under load. */
  targetMs: number;
  /** The bounds of the limit by latency. */
  least: number;
  most: number;
  /** The limit while requests fail because a store is away; without it the limit stays as it is then. */
  first?: number;
};

/** Nothing waits longer for the processor: an older ticket waits for something else and gives up its slot. */
const STUCK_MS = 1_000;
/** A window with fewer requests is not representative: it is merged with the next. */
const FEW = 5;
/**
 * How often a translation waits for the event loop: received, held, sent to the vendor and back, settled, answered. The turns during an
 * external call are not part of a request's own time.
 */
const LOOP_TURNS = 10;
/** So many requests lost in a window, or half of fewer, are an outage. */
const LOST = 3;
/** The largest steps of the limit; `again`: up to `least` after an outage, while requests end at all. */
const STEP = { down: 0.5, up: 1.1, calm: 1.05, again: 1.5 };

/** One admitted request. */
export class Ticket {
  /** When its current stretch of work began; null while it waits for an external call, is stuck or finished. */
  since: number | null;
  ownMs = 0;
  /** It was counted; nothing that ends later reopens it. */
  over = false;
  /** It fails because a store that it needs does not answer. */
  isLost = false;
  /** Its duration is not ours alone: it waited for others, or moved a file. */
  waited = false;
  /** Its external calls in flight: the texts of one request may be with several vendors. */
  #externalCalls = 0;
  /** Set when the client disconnected, so its duration is not measured; returns whether its work is over. */
  abandoned: (() => boolean) | null = null;

  constructor(
    private readonly limit: AdaptiveLimit,
    readonly key: string,
    now: number,
  ) {
    this.since = now;
  }

  /** It waits for an external system now: that is not our own work and takes no slot. */
  pause(now = performance.now()): void {
    this.waited = true;
    if (this.#externalCalls++ === 0) this.limit.pause(this, now);
  }

  /** It works again once none of its external calls is in flight. It is never refused half-way, whatever the limit is by then. */
  resume(now = performance.now()): void {
    if (--this.#externalCalls === 0) this.limit.resume(this, now);
  }

  leave(now = performance.now()): void {
    this.limit.leave(this, now);
  }

  /** The client disconnected: the work goes on and keeps its slot until `isOver` returns true or it is stuck. */
  abandon(isOver: () => boolean): void {
    this.abandoned = isOver;
    this.limit.watch(this);
  }
}

/**
 * Limits the requests in progress by measured latency. By Little's law concurrency is throughput × latency, so the limit that keeps latency
 * at `targetMs` follows from the measurement: `adjust` multiplies it by target ÷ measured. It starts at `most`: nothing is refused before
 * latency rises.
 *
 * A key may hold as many slots as are free (dynamic thresholds of shared buffers, Choudhury and Hahne 1998): one key alone takes half of the
 * limit, n busy keys take 1/(n + 1) each, and a new key always finds free slots. There is no queue: a request refused at once can be tried
 * elsewhere, and admitted requests already wait for each other in the event loop and in the stores.
 */
export class AdaptiveLimit {
  #limit: number;
  /** Oldest stretch of work first. */
  readonly #working = new Set<Ticket>();
  readonly #workingOf = new Map<string, number>();
  readonly #abandoned = new Set<Ticket>();
  #window = emptyWindow();

  constructor(private readonly options: LimitOptions) {
    this.#limit = options.most;
  }

  get state(): { limit: number; working: number } {
    return { limit: Math.round(this.#limit), working: this.#working.size };
  }

  /** A ticket, or null when `key` has its share or no slot is free. */
  enter(key: string, now = performance.now()): Ticket | null {
    const free = this.#limit - this.#working.size;
    if ((this.#workingOf.get(key) ?? 0) + 1 > free) {
      this.#window.refused++;
      return null;
    }
    const ticket = new Ticket(this, key, now);
    this.#hold(ticket);
    return ticket;
  }

  pause(ticket: Ticket, now: number): void {
    if (ticket.since === null) return;
    ticket.ownMs += now - ticket.since;
    ticket.since = null;
    this.#free(ticket);
  }

  resume(ticket: Ticket, now: number): void {
    if (ticket.over || ticket.since !== null) return;
    ticket.since = now;
    this.#hold(ticket);
  }

  leave(ticket: Ticket, now: number): void {
    if (ticket.over) return;
    this.pause(ticket, now);
    this.#finish(ticket);
  }

  /** From now on `adjust` checks whether its work is over. */
  watch(ticket: Ticket): void {
    if (!ticket.over) this.#abandoned.add(ticket);
  }

  /**
   * Adjusts the limit by the measurements since the last call. `delayMs`: how long requests waited for the event loop before they were
   * accepted.
   */
  adjust(delayMs: number, now = performance.now()): void {
    this.#releaseStuck(now);
    for (const ticket of this.#abandoned) if (ticket.abandoned?.()) this.leave(ticket, now);
    const { finished, lost, ownMs, refused, peak } = this.#window;
    const { targetMs, least, first } = this.options;
    // Once the store is back, those who waited for it need it all at once, for each step of their work: a few are let in, then quickly more.
    if (first !== undefined && lost > 0 && lost >= Math.min(finished / 2, LOST)) {
      this.#limit = Math.min(this.#limit, first);
      this.#window = emptyWindow();
      return;
    }
    if (this.#limit < least) {
      if (finished > 0 || this.#working.size === 0) this.#limit = Math.min(this.#limit * STEP.again, least);
      this.#window = emptyWindow();
      return;
    }
    if (finished < FEW && this.#working.size >= FEW) return;
    const latency = finished === 0 ? 0 : Math.max(ownMs / finished + delayMs, LOOP_TURNS * delayMs);
    // A few slow requests do not wait for each other: a smaller limit would not make them faster.
    if (latency > targetMs && peak >= least) {
      // Starts near the actual concurrency: lowering a limit far above it would have no effect.
      this.#move(Math.min(this.#limit, 2 * peak) * Math.max(STEP.down, targetMs / latency));
    } else if (latency <= targetMs) {
      const room = latency === 0 ? STEP.up : targetMs / latency;
      this.#move(this.#limit * (refused === 0 ? STEP.calm : Math.min(STEP.up, room)));
    }
    this.#window = emptyWindow();
  }

  #move(limit: number): void {
    this.#limit = Math.min(this.options.most, Math.max(this.options.least, limit));
  }

  #hold(ticket: Ticket): void {
    this.#working.add(ticket);
    this.#window.peak = Math.max(this.#window.peak, this.#working.size);
    this.#workingOf.set(ticket.key, (this.#workingOf.get(ticket.key) ?? 0) + 1);
  }

  #free(ticket: Ticket): void {
    this.#working.delete(ticket);
    const left = (this.#workingOf.get(ticket.key) ?? 1) - 1;
    if (left > 0) this.#workingOf.set(ticket.key, left);
    else this.#workingOf.delete(ticket.key);
  }

  #finish(ticket: Ticket): void {
    if (!ticket.abandoned) {
      this.#window.finished++;
      if (ticket.isLost) this.#window.lost++;
      this.#window.ownMs += Math.min(ticket.ownMs, STUCK_MS);
    }
    ticket.over = true;
    this.#abandoned.delete(ticket);
  }

  #releaseStuck(now: number): void {
    for (const ticket of this.#working) {
      if (now - (ticket.since ?? now) < STUCK_MS) return;
      this.pause(ticket, now);
      this.#finish(ticket);
    }
  }
}

const emptyWindow = () => ({ finished: 0, lost: 0, ownMs: 0, refused: 0, peak: 0 });
