type Weighted = { readonly weight: number };

/**
 * Whose turn it is among several, in proportion to their weights and spread evenly: 5, 1, 1 gives a a b a c a a, not a a a a a b c. Those
 * who cannot be chosen now lose nothing and gain nothing.
 */
export class WeightedOrder<T extends Weighted> {
  readonly #due = new Map<T, number>();

  /** One of `choices`, of which there is at least one. */
  next(choices: readonly [T, ...T[]]): T {
    let [chosen] = choices;
    let total = 0;
    for (const choice of choices) {
      total += choice.weight;
      this.#due.set(choice, this.#dueOf(choice) + choice.weight);
      if (this.#dueOf(choice) > this.#dueOf(chosen)) chosen = choice;
    }
    this.#due.set(chosen, this.#dueOf(chosen) - total);
    return chosen;
  }

  #dueOf(choice: T): number {
    return this.#due.get(choice) ?? 0;
  }
}
