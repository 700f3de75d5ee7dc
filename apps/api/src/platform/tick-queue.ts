/**
 * Starts at most `perTick` tasks in one turn of the event loop; the others wait for the next turns, first come first served. Requests that
 * arrive together would otherwise run in one long turn, and the longer a turn takes, the more requests have arrived when the next one begins.
 */
export class TickQueue {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** `perTick` ≥ 1. */
  constructor(private readonly perTick: number) {
    this.#free = perTick;
  }

  /** Runs `task` now or in a later turn. It must not throw. */
  start(task: () => void): void {
    if (!this.#isScheduled) this.#scheduleTick();
    if (this.#free === 0) {
      this.#waiting.push(task);
      return;
    }
    this.#free--;
    task();
  }

  #scheduleTick(): void {
    this.#isScheduled = true;
    setImmediate(() => this.#tick());
  }

  #tick(): void {
    const due = this.#waiting.splice(0, this.perTick);
    this.#free = this.perTick - due.length;
    this.#isScheduled = false;
    if (due.length > 0) this.#scheduleTick();
    for (const task of due) task();
  }
}
