import type { Load } from './rate-limiter.js';
import type { Upstream } from './upstream.js';

/** Chooses the account for the next request: by weight among those that are free, else the one with the shortest wait. */
export class LoadBalancer {
  readonly #order = new WeightedRoundRobin<Upstream>();

  /** Null when none of them accepts requests now. */
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
 * Smooth weighted round robin: weights 5, 1, 1 give a a b a c a a, not a a a a a b c. Entries that are not among the choices keep their
 * credit.
 */
export class WeightedRoundRobin<T extends Weighted> {
  readonly #due = new Map<T, number>();

  /** One of `choices`. */
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
