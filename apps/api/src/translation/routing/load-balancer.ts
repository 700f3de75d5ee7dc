import type { Load } from './rate-limiter.js';
import type { Upstream } from './upstream.js';

/** Which of a channel's accounts is asked next: of those that could go at once, by weight; else where the wait is shortest. */
export class LoadBalancer {
  readonly #order = new WeightedRoundRobin<Upstream>();

  /** Null when none of them may be asked now. */
  pick(upstreams: readonly Upstream[], load: Load): Upstream | null {
    const open = upstreams.filter((upstream) => upstream.admits);
    const free = open.filter((upstream) => upstream.isFree(load.chars));
    return this.#byWeight(free) ?? this.#byWeight(soonest(open, load));
  }

  #byWeight([first, ...rest]: readonly Upstream[]): Upstream | null {
    return first === undefined ? null : this.#order.next([first, ...rest]);
  }
}

const soonest = (upstreams: readonly Upstream[], load: Load): readonly Upstream[] => {
  const delays = upstreams.map((upstream) => upstream.delay(load));
  const shortest = Math.min(...delays);
  return upstreams.filter((_, at) => delays[at] === shortest && Number.isFinite(shortest));
};

type Weighted = { readonly weight: number };

/**
 * Whose turn it is among several, in proportion to their weights and spread evenly: 5, 1, 1 gives a a b a c a a, not a a a a a b c. Those
 * who cannot be chosen now lose nothing and gain nothing.
 */
export class WeightedRoundRobin<T extends Weighted> {
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
