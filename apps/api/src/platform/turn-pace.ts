/**
 * Starts at most `perTurn` tasks in one turn of the event loop; the others wait for the next turns, first come first served. Requests that
 * arrive together would otherwise run together, and whatever else arrives meanwhile waits until all of them have: the longer a turn
 * takes, the more has arrived when the next one begins.
 */
export class TurnPace {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;

  /** `perTurn` ≥ 1. */
  constructor(private readonly perTurn: number) {
    this.#free = perTurn;
  }

  /** Runs `task` now, or in one of the next turns. It must not throw. */
  start(task: () => void): void {
    if (!this.#isTurning) this.#awaitTurn();
    if (this.#free === 0) {
      this.#waiting.push(task);
      return;
    }
    this.#free--;
    task();
  }

  #awaitTurn(): void {
    this.#isTurning = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    const due = this.#waiting.splice(0, this.perTurn);
    this.#free = this.perTurn - due.length;
    this.#isTurning = false;
    if (due.length > 0) this.#awaitTurn();
    for (const task of due) task();
  }
}
