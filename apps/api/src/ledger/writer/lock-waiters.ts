import type pg from 'pg';
import * as sql from './batch-sql.js';
import type { Command } from './commands.js';

const POLL_MS = 50;

/**
 * Commands of accounts whose rows another transaction keeps locked. They step aside until the lock is gone or their deadline passes, so
 * that no other command waits for it. Kept in order of arrival.
 */
export class LockWaiters<T extends { command: Command }> {
  readonly #lockedAccounts = new Set<number>();
  #waiting: T[] = [];
  #polledAt = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** Takes the commands of locked accounts and returns the others. */
  admit(batch: T[]): T[] {
    if (this.#lockedAccounts.size === 0) return batch;
    const free = batch.filter(({ command }) => !this.#isLocked(command));
    if (free.length < batch.length) this.#waiting.push(...batch.filter(({ command }) => this.#isLocked(command)));
    return free;
  }

  /** After a lock timeout: finds out which accounts of the batch are locked. */
  async findLocked(client: pg.Client, batch: readonly T[]): Promise<void> {
    const userIds = new Set(batch.flatMap(({ command }) => accountsOf(command)));
    for (const userId of await lockedOf(client, userIds)) this.#lockedAccounts.add(userId);
  }

  /** Removes and returns the commands whose locks are gone; polls at most every 50 ms. */
  async takeUnlocked(client: pg.Client): Promise<T[]> {
    if (this.#waiting.length === 0 || performance.now() < this.#polledAt + POLL_MS) return [];
    const still = await lockedOf(client, this.#lockedAccounts);
    this.#polledAt = performance.now();
    this.#lockedAccounts.clear();
    for (const userId of still) this.#lockedAccounts.add(userId);
    const [waiting, free] = [this.#waiting, [] as T[]];
    this.#waiting = waiting.filter((item) => this.#isLocked(item.command) || free.push(item) === 0);
    return free;
  }

  /** Replaces the waiting commands by those that `filter` returns. */
  keep(filter: (waiting: T[]) => T[]): void {
    this.#waiting = filter(this.#waiting);
    if (this.#waiting.length === 0) this.#lockedAccounts.clear();
  }

  #isLocked(command: Command): boolean {
    return accountsOf(command).some((userId) => this.#lockedAccounts.has(userId));
  }
}

/** The rows that a command locks. */
const accountsOf = (command: Command): number[] =>
  command.do === 'hold' && command.withMain ? [command.userId, command.familyId] : [command.userId];

async function lockedOf(client: pg.Client, userIds: Set<number>): Promise<number[]> {
  const { rows } = await client.query<[number | string]>({
    name: 'locked',
    text: sql.LOCKED,
    rowMode: 'array',
    values: [`{${[...userIds].join(',')}}`],
  });
  return rows.map(([userId]) => Number(userId));
}
