import type { LockedAccount } from '../rows/account-rows.js';
import type { BatchWrites, StoredHold } from './batch-writes.js';
import type { Command } from './commands.js';
import type { BatchState } from './read-batch.js';

/** An account as this connection last wrote it: `version` is the xmin of its row, `holds` are its open holds made by this connection. */
type CachedAccount = { account: LockedAccount; version: string; holds: Map<string, StoredHold> };

/** What a batch is applied to without reading first. The database must confirm `versions` and `newIds` before any of it commits. */
export type OptimisticRead = { state: BatchState; versions: Map<number, string>; newIds: string[] };

/** About a kilobyte each. */
const ENTRIES_MAX = 16_384;
const CLOCK_TTL_MS = 10_000;
const BACKOFF_MS = 1_000;

/**
 * The accounts that a connection wrote last, so that their next command takes one round trip instead of two. Never the source of truth:
 * a batch based on it commits only if the database confirms, under the lock, that no row has changed since. Every change of an account,
 * its holds or its lines writes its row, so an unchanged version means unchanged holds and lines too.
 */
export class AccountCache {
  /** Least recently used first. */
  readonly #entries = new Map<number, CachedAccount>();
  /** The database's time and when it was read, both in ms. */
  #clock: { now: number; at: number } | undefined;
  #bypassUntil = 0;
  /** Accounts that were stale when read alone: when that was, and until when they are not read from the cache, both in ms. */
  readonly #bypassed = new Map<number, { staleAt: number; until: number }>();

  /** The state that the commands depend on; null if any part of it is not cached. */
  read(commands: readonly Command[]): OptimisticRead | null {
    const at = performance.now();
    const passed = at - (this.#clock?.at ?? 0);
    if (!this.#clock || passed > CLOCK_TTL_MS || at < this.#bypassUntil) return null;
    const read: OptimisticRead = {
      state: {
        now: Math.floor(this.#clock.now + passed),
        accounts: new Map(),
        holds: new Map(),
        lines: new Map(),
        expiries: new Map(),
        sharing: new Set(),
        caps: new Map(),
      },
      versions: new Map(),
      newIds: [],
    };
    for (const command of commands) {
      const cached = this.#entries.get(command.userId);
      if (!cached || !isCovered(command, cached) || at < (this.#bypassed.get(command.userId)?.until ?? 0)) return null;
      const hold = cached.holds.get(command.id);
      if (hold) read.state.holds.set(command.id, hold);
      else read.newIds.push(command.id);
      read.state.accounts.set(command.userId, cached.account);
      read.versions.set(command.userId, cached.version);
    }
    return read;
  }

  /** After a commit: stores the accounts as the batch left them. `versions`: as read; `version`: of the rows that the batch wrote. */
  store(
    {
      accounts,
      versions,
      holds,
      now,
    }: Pick<BatchState, 'accounts' | 'holds' | 'now'> & { versions: Map<number, string> },
    writes: BatchWrites,
    version: string,
  ): void {
    this.#clock = { now, at: performance.now() };
    const changed = writes.changed;
    for (const [userId, account] of accounts) {
      const before = this.#entries.get(userId);
      const read = versions.get(userId) ?? '';
      const open = before?.version === read ? before.holds : new Map<string, StoredHold>();
      this.#entries.delete(userId);
      this.#entries.set(userId, { account, version: changed.has(account) ? version : read, holds: open });
    }
    for (const hold of holds.values()) if (!hold.released) this.#entries.get(hold.userId)?.holds.set(hold.id, hold);
    for (const id of writes.ended) {
      const hold = holds.get(id);
      if (hold) this.#entries.get(hold.userId)?.holds.delete(id);
    }
    for (const hold of writes.made) this.#entries.get(hold.userId)?.holds.set(hold.id, hold);
    for (const userId of this.#entries.keys()) {
      if (this.#entries.size <= ENTRIES_MAX) break;
      this.#entries.delete(userId);
    }
  }

  /**
   * The database did not confirm the read: another process writes these accounts. A stale batch of several accounts is expensive, so the
   * whole cache is bypassed for a while. A single stale account says nothing about the others: it is evicted, and bypassed only if it is
   * stale again right after the next read.
   */
  invalidate({ versions }: OptimisticRead): void {
    const now = performance.now();
    for (const userId of versions.keys()) this.#entries.delete(userId);
    const [only] = versions.keys();
    if (only === undefined || versions.size > 1) {
      this.#bypassUntil = now + BACKOFF_MS;
      return;
    }
    const { staleAt = Number.NEGATIVE_INFINITY } = this.#bypassed.get(only) ?? {};
    if (this.#bypassed.size >= ENTRIES_MAX) this.#bypassed.clear();
    this.#bypassed.set(only, { staleAt: now, until: now - staleAt < BACKOFF_MS ? now + BACKOFF_MS : 0 });
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** A sub-account's hold also depends on its main account, and a note on log lines, which are not cached. */
const isCovered = (command: Command, { account, holds }: CachedAccount): boolean =>
  command.familyId === account.familyId &&
  (command.do === 'hold' ? command.familyId === command.userId : command.do !== 'note' && holds.has(command.id));
