import type { Load } from './pacer.js';
import type { Upstream } from './upstream.js';
import { WeightedOrder } from './weighted-order.js';

/** Which of a channel's accounts is asked next: of those that could go at once, by weight; else where the wait is shortest. */
export class UpstreamChoice {
  readonly #order = new WeightedOrder<Upstream>();

  /** Null when none of them may be asked now. */
  of(upstreams: readonly Upstream[], load: Load): Upstream | null {
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
