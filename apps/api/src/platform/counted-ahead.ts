/** How a limit stands: what was counted in its present window, and in how many ms the window ends. */
export type Standing = { consumedPoints: number; msBeforeNext: number };

type Known = { consumed: number; until: number; ahead: number };

const TELL_EVERY_MS = 100;

/**
 * Lets those pass at once who are surely far from their limit, and counts them a little later, many with one command. A key's first
 * taker in a window, and everybody beyond half of the limit, is for the common count to judge. One process never lets more pass than
 * the limit; each further one that the same member asks in the same tenth of a second may add a tenth of it.
 */
export class CountedAhead {
  readonly #known = new Map<string, Known>();
  #willTell = false;

  /** `tell` counts `count` takers of `key` and answers how the limit stands after them. */
  constructor(
    private readonly points: number,
    private readonly tell: (key: string, count: number) => Promise<Standing>,
  ) {}

  /** Whether one more may pass without asking; then it is counted here. */
  pass(key: string): boolean {
    const known = this.#known.get(key);
    if (!known || performance.now() >= known.until) return false;
    if (known.ahead + 1 > this.points / 10 || known.consumed + known.ahead + 1 > this.points / 2) return false;
    known.ahead++;
    if (!this.#willTell) setTimeout(() => void this.#tellAll(), TELL_EVERY_MS).unref();
    this.#willTell = true;
    return true;
  }

  /** How many of `key` passed and are not in the common count yet. Whoever asks counts them now. */
  takeOver(key: string): number {
    const known = this.#known.get(key);
    const ahead = known?.ahead ?? 0;
    if (known) known.ahead = 0;
    return ahead;
  }

  learn(key: string, { consumedPoints, msBeforeNext }: Standing): void {
    const known = this.#known.get(key);
    const until = performance.now() + msBeforeNext;
    if (known) Object.assign(known, { consumed: consumedPoints, until });
    else this.#known.set(key, { consumed: consumedPoints, until, ahead: 0 });
  }

  async #tellAll(): Promise<void> {
    this.#willTell = false;
    const now = performance.now();
    const told = [...this.#known].map(async ([key, known]) => {
      const count = this.takeOver(key);
      if (count > 0) this.learn(key, await this.tell(key, count));
      else if (now >= known.until) this.#known.delete(key);
    });
    await Promise.allSettled(told);
  }
}
