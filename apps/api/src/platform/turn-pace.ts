/**
 * Starts at most `perTurn` tasks in one turn of the event loop; the others wait for the next turns, first come first served. Requests that
 * arrive together would otherwise run together, and whatever else arrives meanwhile waits until all of them have: the longer a turn
 * takes, the more has arrived when the next one begins.
 */
export class TurnPace {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #turn: NodeJS.Immediate | undefined;

  /** `perTurn` ≥ 1. */
  constructor(private readonly perTurn: number) {
    this.#free = perTurn;
  }

  /** Runs `task` now, or in one of the next turns. It must not throw. */
  start(task: () => void): void {
    this.#turn ??= setImmediate(() => this.#nextTurn());
    if (this.#free === 0) {
      this.#waiting.push(task);
      return;
    }
    this.#free--;
    task();
  }

  #nextTurn(): void {
    const due = this.#waiting.splice(0, this.perTurn);
    this.#free = this.perTurn - due.length;
    this.#turn = due.length > 0 ? setImmediate(() => this.#nextTurn()) : undefined;
    for (const task of due) task();
  }
}
