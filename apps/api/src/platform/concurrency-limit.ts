/** How a {@link ConcurrencyLimit} is steered. Times in ms. */
export type LimitOptions = {
  /** The latency of our own work that is kept under load. */
  targetMs: number;
  /** The limit moves between these. */
  least: number;
  most: number;
};

/** Longer than this nothing waits for the processor: a ticket that old waits for something else, and gives its place back. */
const STUCK_MS = 1_000;
/** A window with fewer requests than this says little: they count with those of the next. */
const FEW = 5;
/**
 * So often a translation waits for the event loop: sent, held, to the vendor and back, settled, answered. Those turns that fall into the time
 * outside are in nobody's own time.
 */
const LOOP_TURNS = 10;
/** One step of the limit, at most. */
const STEP = { down: 0.5, up: 1.1, calm: 1.05 };

/** One request while it is worked on. */
export class Ticket {
  /** When its present stretch of work began; null while it waits outside, is stuck or over. */
  since: number | null;
  ownMs = 0;
  /** It was counted: nothing that ends later brings it back. */
  over = false;
  /** Parts of it that wait outside at this moment: texts of one request may be with several vendors. */
  #outside = 0;
  /** Nobody waits for it any more: how long it takes says nothing. Tells whether its work is over. */
  abandoned: (() => boolean) | null = null;

  constructor(
    private readonly limit: ConcurrencyLimit,
    readonly key: string,
    now: number,
  ) {
    this.since = now;
  }

  /** It waits for somebody else now: that is no work of ours, and takes no place. */
  pause(now = performance.now()): void {
    if (this.#outside++ === 0) this.limit.pause(this, now);
  }

  /** It works again once none of its parts waits any more. Nobody is turned away half-way, whatever the limit is by now. */
  resume(now = performance.now()): void {
    if (--this.#outside === 0) this.limit.resume(this, now);
  }

  leave(now = performance.now()): void {
    this.limit.leave(this, now);
  }

  /** Whoever asked has hung up: what was begun goes on, and keeps its place until `isOver` says so or it is stuck. */
  abandon(isOver: () => boolean): void {
    this.abandoned = isOver;
    this.limit.watch(this);
  }
}

/**
 * How many requests are worked on at once. By Little's law concurrency is throughput × latency, so the limit that keeps latency at
 * `targetMs` follows from the latency that is measured: `steer` multiplies it by target ÷ measured. It starts at `most`: nothing is refused
 * before latency says so.
 *
 * A key may hold as many places as are free (dynamic thresholds of shared buffers, Choudhury and Hahne 1998): one key alone takes half of the
 * limit, n keys that all want more take 1/(n + 1) each, and one that comes anew always finds some free. No queue: what is refused at once
 * can be tried elsewhere, and the requests that are admitted wait for each other in the event loop and in the stores as it is.
 */
export class ConcurrencyLimit {
  #limit: number;
  /** The oldest stretch of work first. */
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

  /** A ticket, or null when `key` has its share or no place is free. */
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
    this.#giveBack(ticket);
  }

  resume(ticket: Ticket, now: number): void {
    if (ticket.over || ticket.since !== null) return;
    ticket.since = now;
    this.#hold(ticket);
  }

  leave(ticket: Ticket, now: number): void {
    if (ticket.over) return;
    this.pause(ticket, now);
    this.#finished(ticket);
  }

  /** From now on `steer` looks whether its work is over. */
  watch(ticket: Ticket): void {
    if (!ticket.over) this.#abandoned.add(ticket);
  }

  /**
   * Moves the limit by what the time since the last call has shown. `delayMs`: how long requests waited for the event loop before anybody
   * saw them.
   */
  steer(delayMs: number, now = performance.now()): void {
    this.#giveUpStuck(now);
    for (const ticket of this.#abandoned) if (ticket.abandoned?.()) this.leave(ticket, now);
    const { finished, ownMs, refused, peak } = this.#window;
    if (finished < FEW && this.#working.size >= FEW) return;
    const { targetMs, least } = this.options;
    const latency = finished === 0 ? 0 : Math.max(ownMs / finished + delayMs, LOOP_TURNS * delayMs);
    // Few requests that are slow do not wait for each other: fewer of them would be as slow.
    if (latency > targetMs && peak >= least) {
      // From where it is felt: far above what is worked on a smaller limit would change nothing.
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

  #giveBack(ticket: Ticket): void {
    this.#working.delete(ticket);
    const left = (this.#workingOf.get(ticket.key) ?? 1) - 1;
    if (left > 0) this.#workingOf.set(ticket.key, left);
    else this.#workingOf.delete(ticket.key);
  }

  #finished(ticket: Ticket): void {
    if (!ticket.abandoned) {
      this.#window.finished++;
      this.#window.ownMs += Math.min(ticket.ownMs, STUCK_MS);
    }
    ticket.over = true;
    this.#abandoned.delete(ticket);
  }

  #giveUpStuck(now: number): void {
    for (const ticket of this.#working) {
      if (now - (ticket.since ?? now) < STUCK_MS) return;
      this.pause(ticket, now);
      this.#finished(ticket);
    }
  }
}

const emptyWindow = () => ({ finished: 0, ownMs: 0, refused: 0, peak: 0 });
