/** `userId`: the account whose turns the item takes; `id`: unique within a batch. */
type Queued = { id: string; userId: number };

/**
 * First in, first out within an account; round robin between accounts in turns of `share` items, so that one busy account cannot fill a
 * batch while others wait.
 */
export class FairQueue<T extends Queued> {
  readonly #accounts = new Map<number, T[]>();
  #size = 0;

  constructor(private readonly share: number) {}

  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    const items = this.#accounts.get(item.userId);
    if (items) items.push(item);
    else this.#accounts.set(item.userId, [item]);
    this.#size++;
  }

  /** At most `max` items, no id twice: a duplicate waits until the first one is committed. */
  take(max: number): T[] {
    const batch: T[] = [];
    const ids = new Set<string>();
    const blocked = new Set<number>();
    while (batch.length < max && this.#accounts.size > blocked.size) {
      for (const [userId, items] of this.#accounts) {
        if (blocked.has(userId)) continue;
        const room = Math.min(this.share, max - batch.length, items.length);
        if (room === 0) break;
        let taken = 0;
        for (; taken < room; taken++) {
          const item = items[taken];
          if (!item || ids.has(item.id)) break;
          ids.add(item.id);
          batch.push(item);
        }
        if (taken < room) blocked.add(userId);
        // Deleting and setting the key moves the account to the end of the Map, so its next turn comes last.
        this.#accounts.delete(userId);
        if (taken < items.length) this.#accounts.set(userId, taken === 0 ? items : items.slice(taken));
        if (batch.length >= max) break;
      }
    }
    this.#size -= batch.length;
    return batch;
  }

  /** Removes and returns every item that passes `test`. */
  remove(test: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [userId, items] of this.#accounts) {
      const kept = items.filter((item) => !test(item));
      if (kept.length === items.length) continue;
      removed.push(...items.filter(test));
      if (kept.length > 0) this.#accounts.set(userId, kept);
      else this.#accounts.delete(userId);
    }
    this.#size -= removed.length;
    return removed;
  }
}
