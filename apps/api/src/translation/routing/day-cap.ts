/** The characters of a day that all processes have taken, of an account's cap. */
export type DayStore = {
  /** Takes `chars` more if they fit into `cap`. Resolves to what is left of it then; null: they do not fit. Rejects without the database. */
  take(day: string, chars: number, cap: number): Promise<number | null>;
  /** Adds what was used without asking (negative: gives back what was not used). */
  add(day: string, chars: number): Promise<void>;
};

/** A refusal is believed for so long: meanwhile another process may give back what it did not use, or the cap may change. */
const REFUSED_MS = 1_000;
/** A process takes ahead what it used in so many ms, and no more than this part of what is left. */
const AHEAD_MS = 2_000;
const AHEAD_SHARE = 1 / 16;

type Options = {
  /** Identifies today in the calendar of the cap. */
  readonly today: () => string;
  /** Ms, monotonic. */
  readonly now: () => number;
  /** Where all processes count; null: this process alone does, for now. */
  readonly store: () => DayStore | null;
};

/**
 * At most so many units per calendar day, over all processes and whatever restarts: a process takes from the database before it uses, some
 * ahead while it is busy, and gives back what it does not use. What a killed process had taken ahead is lost, never more than a sixteenth of
 * what was left: the cap bounds a bill, so it errs to that side.
 */
export class DayCap {
  #day = '';
  /** Used by this process today, and how much of it the store does not know: there was no cap or no store then. */
  #used = 0;
  #untold = 0;
  /** Taken from the store and not used. */
  #ahead = 0;
  /** What the store had left after this process took the last time. */
  #left: number | null = null;
  #refused = { chars: Number.POSITIVE_INFINITY, until: 0 };
  /** Used since the last beat, and between the last two. */
  #recent = { now: 0, before: 0 };
  #taking: Promise<unknown> = Promise.resolve();

  constructor(
    private units: number,
    private readonly options: Options,
  ) {}

  /** Another cap for the same day: what was used of it stays used. */
  change(units: number): void {
    if (units === this.units) return;
    this.units = units;
    this.#left = null;
    this.#refused.until = 0;
  }

  /** What is left today; null: no cap. Of several processes the least is the newest. */
  get left(): number | null {
    this.#turn();
    if (!Number.isFinite(this.units)) return null;
    return Math.max(0, this.#left === null ? this.units - this.#used : this.#left + this.#ahead);
  }

  /** Whether so many may fit; {@link take} decides. */
  fits(units: number): boolean {
    this.#turn();
    if (!this.#isShared) return this.#used + units <= this.units;
    return units <= this.units && (units < this.#refused.chars || this.options.now() >= this.#refused.until);
  }

  /** Uses them if that needs no question. */
  takeNow(units: number): boolean {
    this.#turn();
    if (this.#isShared ? this.#ahead < units : this.#used + units > this.units) return false;
    if (this.#isShared) this.#ahead -= units;
    else this.#untold += units;
    this.#used += units;
    this.#recent.now += units;
    return true;
  }

  /** Uses them if they fit. Never rejects: without the database nothing fits. */
  take(units: number): Promise<boolean> {
    if (this.takeNow(units)) return Promise.resolve(true);
    if (!this.#isShared || !this.fits(units)) return Promise.resolve(false);
    // One after the other: what one takes ahead may do for the next.
    const taken = this.#taking.then(async () => {
      if (this.takeNow(units)) return true;
      await this.#fetch(units - this.#ahead);
      return this.takeNow(units);
    });
    this.#taking = taken;
    return taken;
  }

  /** They were taken and not used. */
  giveBack(units: number): void {
    this.#used -= units;
    if (this.#isShared) this.#ahead += units;
    else this.#untold -= units;
  }

  /** Every second: gives back what this process will hardly use. Never rejects. */
  async beat(): Promise<void> {
    this.#turn();
    this.#recent = { now: 0, before: this.#recent.now };
    await this.#return(this.#recent.before === 0 ? this.#ahead : this.#ahead - this.#wantedAhead);
  }

  /** Gives back everything: the process ends. Never rejects. */
  async close(): Promise<void> {
    this.#turn();
    await this.#return(this.#ahead);
  }

  /** Without a cap nothing is counted together: it would cost a write of the database for every account. */
  get #isShared(): boolean {
    return Number.isFinite(this.units) && this.options.store() !== null;
  }

  get #wantedAhead(): number {
    const used = (Math.max(this.#recent.now, this.#recent.before) * AHEAD_MS) / 1_000;
    return Math.floor(Math.min(used, (this.#left ?? 0) * AHEAD_SHARE));
  }

  /** Takes at least `units` ahead, or learns that they do not fit. */
  async #fetch(units: number): Promise<void> {
    const { now } = this.options;
    const store = this.options.store();
    const day = this.#day;
    const untold = this.#untold;
    this.#untold = 0;
    try {
      if (untold !== 0) await store?.add(day, untold);
      const wanted = [units + this.#wantedAhead, units];
      for (const more of new Set(wanted)) {
        const left = await store?.take(day, more, this.units);
        if (left === null || left === undefined) continue;
        if (day === this.#day) [this.#ahead, this.#left] = [this.#ahead + more, left];
        return;
      }
      this.#refused = { chars: units, until: now() + REFUSED_MS };
    } catch {
      if (day === this.#day) this.#untold += untold;
      this.#refused = { chars: 0, until: now() + REFUSED_MS };
    }
  }

  async #return(units: number): Promise<void> {
    if (units <= 0) return;
    const day = this.#day;
    this.#ahead -= units;
    await this.options
      .store()
      ?.add(day, -units)
      .catch(() => undefined);
    if (this.#left !== null && day === this.#day) this.#left += units;
  }

  #turn(): void {
    const today = this.options.today();
    if (today === this.#day) return;
    this.#day = today;
    this.#used = 0;
    this.#untold = 0;
    this.#ahead = 0;
    this.#left = null;
    this.#refused.until = 0;
  }
}
