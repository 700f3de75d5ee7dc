type Waiting = {
  readonly family: number;
  readonly chars: number;
};

/**
 * First come, first served within a family, and families one after the other: who asks for much waits behind himself, not others behind
 * him.
 */
export class FairQueue<T extends Waiting> {
  /** In the order in which families have their turn; none is empty. */
  readonly #lines = new Map<number, T[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Whether any of this family's wait. */
  has(family: number): boolean {
    return this.#lines.has(family);
  }

  /** How many of this family wait. */
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

  /** Takes the first one out: its family has its next turn after all others. */
  shift(): T | undefined {
    const one = this.first;
    if (one === undefined) return undefined;
    const line = this.#lines.get(one.family) ?? [];
    line.shift();
    this.#lines.delete(one.family);
    if (line.length > 0) this.#lines.set(one.family, line);
    return one;
  }

  /** Answers whether it was there. */
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

  /** How much goes before a newcomer of `family`, as it looks now. */
  ahead(family: number): { requests: number; chars: number } {
    const own = this.countOf(family);
    let [requests, chars, rounds] = [0, 0, own + 1];
    for (const [whose, line] of this.#lines) {
      // Those who come later in the turn have one round less before the newcomer's.
      if (whose === family) rounds = own;
      requests += Math.min(line.length, rounds);
      for (let at = 0; at < line.length && at < rounds; at++) chars += line[at]?.chars ?? 0;
    }
    return { requests, chars };
  }
}
