import type pg from 'pg';
import * as sql from './batch-sql.js';
import type { Command } from './commands.js';

/** How often it is asked whether a lock is gone. */
const LOOK_MS = 50;

/**
 * Commands of accounts whose rows another transaction keeps locked: they step aside until the lock is gone or their time is up, so
 * that nobody else waits for it. In the order in which they came.
 */
export class LockedOut<T extends { command: Command }> {
  readonly #accounts = new Set<number>();
  #waiting: T[] = [];
  #lookedAt = 0;

  get size(): number {
    return this.#waiting.length;
  }

  /** Takes those that concern a locked account; answers the others. */
  admit(batch: T[]): T[] {
    if (this.#accounts.size === 0) return batch;
    const free = batch.filter(({ command }) => !this.#isLocked(command));
    if (free.length < batch.length) this.#waiting.push(...batch.filter(({ command }) => this.#isLocked(command)));
    return free;
  }

  /** A batch waited too long for a lock: finds out for which accounts. */
  async find(client: pg.Client, batch: readonly T[]): Promise<void> {
    const asked = new Set(batch.flatMap(({ command }) => accountsOf(command)));
    for (const userId of await lockedOf(client, asked)) this.#accounts.add(userId);
  }

  /** Those whose locks are gone since, at most every 50 ms. The caller gives back what it cannot serve after all. */
  async back(client: pg.Client): Promise<T[]> {
    if (this.#waiting.length === 0 || performance.now() < this.#lookedAt + LOOK_MS) return [];
    const still = await lockedOf(client, this.#accounts);
    this.#lookedAt = performance.now();
    this.#accounts.clear();
    for (const userId of still) this.#accounts.add(userId);
    const [waiting, free] = [this.#waiting, [] as T[]];
    this.#waiting = waiting.filter((item) => this.#isLocked(item.command) || free.push(item) === 0);
    return free;
  }

  /** Keeps those for which `test` holds. */
  keep(test: (waiting: T[]) => T[]): void {
    this.#waiting = test(this.#waiting);
    if (this.#waiting.length === 0) this.#accounts.clear();
  }

  #isLocked(command: Command): boolean {
    return accountsOf(command).some((userId) => this.#accounts.has(userId));
  }
}

/** The rows that a command locks. */
const accountsOf = (command: Command): number[] =>
  command.do === 'hold' && command.withMain ? [command.userId, command.familyId] : [command.userId];

async function lockedOf(client: pg.Client, userIds: Set<number>): Promise<number[]> {
  const { rows } = await client.query<[number | string]>({
    ...{ name: 'locked', text: sql.LOCKED, rowMode: 'array' },
    values: [`{${[...userIds].join(',')}}`],
  });
  return rows.map(([userId]) => Number(userId));
}
