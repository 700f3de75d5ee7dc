type Waiting = {
  readonly family: number;
  readonly chars: number;
};

/**
 * First in, first out within a family, and round robin among families: a family with many requests waits for its own, and no other family
 * waits for them.
 */
export class FairQueue<T extends Waiting> {
  /** In the order of the families' turns; none is empty. */
  readonly #lines = new Map<number, T[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Whether requests of this family wait. */
  has(family: number): boolean {
    return this.#lines.has(family);
  }

  /** The number of waiting requests of this family. */
  countOf(family: number): number {
    return this.#lines.get(family)?.length ?? 0;
  }

  get first(): T | undefined {
    return this.#lines.values().next().value?.[0];
  }

  push(one: T): void {
    const line = this.#lines.get(one.family);
    if (line) line.push(one);
    else this.#lines.set(one.family, [one]);
  }

  /** Removes the first one; its family's next turn comes after all others. */
  shift(): T | undefined {
    const one = this.first;
    if (one === undefined) return undefined;
    const line = this.#lines.get(one.family) ?? [];
    line.shift();
    this.#lines.delete(one.family);
    if (line.length > 0) this.#lines.set(one.family, line);
    return one;
  }

  /** Undoes the last {@link shift}s: they are the first again, in this order. */
  putBack(all: readonly T[]): void {
    const others = [...this.#lines];
    this.#lines.clear();
    for (const [family, own] of Map.groupBy(all, (one) => one.family)) this.#lines.set(family, own);
    for (const [family, line] of others) {
      const first = this.#lines.get(family);
      if (first) first.push(...line);
      else this.#lines.set(family, line);
    }
  }

  /** Returns whether it was in the queue. */
  remove(one: T): boolean {
    const line = this.#lines.get(one.family) ?? [];
    const place = line.indexOf(one);
    if (place === -1) return false;
    line.splice(place, 1);
    if (line.length === 0) this.#lines.delete(one.family);
    return true;
  }

  clear(): readonly T[] {
    const all = [...this.#lines.values()].flat();
    this.#lines.clear();
    return all;
  }

  /** How much would go before a new request of `family`. */
  ahead(family: number): { requests: number; chars: number } {
    const own = this.countOf(family);
    let [requests, chars, rounds] = [0, 0, own + 1];
    for (const [whose, line] of this.#lines) {
      // Families later in the turn have one round less before the new request.
      if (whose === family) rounds = own;
      requests += Math.min(line.length, rounds);
      for (let at = 0; at < line.length && at < rounds; at++) chars += line[at]?.chars ?? 0;
    }
    return { requests, chars };
  }
}
