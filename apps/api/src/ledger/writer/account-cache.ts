import type { LockedAccount } from '../rows/account-rows.js';
import type { BatchWrites, StoredHold } from './batch-writes.js';
import type { Command } from './commands.js';
import type { BatchState, ReadAccount } from './read-batch.js';

/** What a batch is applied to without locks. The database must confirm `expected` and `newIds` before any of it commits. */
export type OptimisticRead = { state: BatchState; expected: Map<number, Expected>; newIds: string[] };

/** `mainId`: the main account whose expiry a hold of a sub-account depends on, else null. */
type Expected = { version: string; mainId: number | null; mainExpireAt: number | null };

/** About a kilobyte each. */
const ENTRIES_MAX = 16_384;
const CLOCK_TTL_MS = 10_000;
/** An account that changed between its reading and its commit is contended: it is read under its lock for this long. */
const CONTENDED_MS = 1_000;
/** So often in a row must a doubted account be found unchanged before it is believed without reading it again. */
const RIGHT_IN_A_ROW = 3;

/**
 * The accounts that a connection read or wrote last, so that their next command takes one round trip instead of two. Never the source of
 * truth: a batch based on it commits only if the database confirms, under the lock, that no row has changed since. Every change of an
 * account, its holds or its lines writes its row, so an unchanged version means unchanged holds and lines too.
 *
 * Another process may write the same accounts. One that was found changed is doubted: it is read again before each of its commands, until
 * other processes leave it alone. The others are not affected.
 */
export class AccountCache {
  /** Least recently used first. */
  readonly #entries = new Map<number, ReadAccount>();
  /** The database's time and when it was read, both in ms. */
  #clock: { now: number; at: number } | undefined;
  /** Accounts that other processes write too: how often they have to be found unchanged. */
  readonly #doubted = new Map<number, number>();
  /** Until when they are read under their locks, ms. */
  readonly #contended = new Map<number, number>();

  /** The accounts to read before these commands: not cached, doubted, or without the open hold that a command ends. */
  unread(commands: readonly Command[]): Set<number> {
    const unread = new Set<number>();
    for (const command of commands) {
      const cached = this.#entries.get(command.userId);
      if (!cached || this.#doubted.has(command.userId) || !isCovered(command, cached)) unread.add(command.userId);
    }
    return unread;
  }

  /** Whether the commands may be applied without locks, once what is `unread` of them has been read. */
  allows(commands: readonly Command[]): boolean {
    const at = performance.now();
    return commands.every((command) => {
      const { userId } = command;
      if (command.do === 'hold' && (command.withMain || this.#entries.get(userId)?.account.capped)) return false;
      return at >= (this.#contended.get(userId) ?? 0);
    });
  }

  /** Stores accounts as read without a lock at `now`, the database's time in ms. */
  refresh(read: readonly ReadAccount[], now: number): void {
    this.#clock = { now, at: performance.now() };
    for (const { account, version, holds, mainExpireAt } of read) {
      const { userId } = account;
      const before = this.#entries.get(userId);
      const isUnchanged = before?.version === version;
      if (before) this.#judge(userId, isUnchanged);
      for (const [id, hold] of isUnchanged ? before.holds : []) holds.set(id, hold);
      this.#put(userId, { account, version, holds, mainExpireAt });
    }
    this.#evict();
  }

  /** The state that the commands depend on; null if any part of it is not cached. */
  read(commands: readonly Command[]): OptimisticRead | null {
    const passed = performance.now() - (this.#clock?.at ?? 0);
    if (!this.#clock || passed > CLOCK_TTL_MS) return null;
    const read: OptimisticRead = {
      state: {
        now: Math.floor(this.#clock.now + passed),
        accounts: new Map(),
        holds: new Map(),
        lines: new Map(),
        expiries: new Map(),
        sharing: new Set(),
        caps: new Map(),
        keys: new Map(),
      },
      expected: new Map(),
      newIds: [],
    };
    for (const command of commands) if (!this.#addTo(read, command)) return null;
    return read;
  }

  /** After a commit: stores the accounts as the batch left them. `versions`: as read; `version`: of the rows that the batch wrote. */
  store(
    {
      accounts,
      versions,
      holds,
      expiries,
      now,
    }: Pick<BatchState, 'accounts' | 'holds' | 'expiries' | 'now'> & { versions: Map<number, string> },
    writes: BatchWrites,
    version: string,
  ): void {
    this.#clock = { now, at: performance.now() };
    const changed = writes.changed;
    for (const [userId, account] of accounts) {
      const before = this.#entries.get(userId);
      const read = versions.get(userId) ?? '';
      const open = before?.version === read ? before.holds : new Map<string, StoredHold>();
      const mainExpireAt = expiries.has(account.familyId) ? expiries.get(account.familyId) : before?.mainExpireAt;
      this.#put(userId, { account, version: changed.has(account) ? version : read, holds: open, mainExpireAt });
    }
    for (const hold of holds.values()) if (!hold.released) this.#entries.get(hold.userId)?.holds.set(hold.id, hold);
    for (const id of writes.ended) {
      const hold = holds.get(id);
      if (hold) this.#entries.get(hold.userId)?.holds.delete(id);
    }
    for (const hold of writes.made) this.#entries.get(hold.userId)?.holds.set(hold.id, hold);
    this.#evict();
  }

  /**
   * The database confirmed only these accounts of the read; the others have changed since. `justRead`: those that had been read right before.
   * Returns whether it makes sense to read again: false when all were confirmed, so that the reason is another one.
   */
  doubt({ expected }: OptimisticRead, confirmed: ReadonlySet<number>, justRead: ReadonlySet<number>): boolean {
    const changed = [...expected.keys()].filter((userId) => !confirmed.has(userId));
    const until = performance.now() + CONTENDED_MS;
    for (const userId of changed) {
      this.#judge(userId, false);
      this.#entries.delete(userId);
      if (this.#contended.size >= ENTRIES_MAX) this.#contended.clear();
      if (justRead.has(userId)) this.#contended.set(userId, until);
    }
    return changed.length > 0;
  }

  /** Forgets the accounts of a read. */
  forget({ expected }: OptimisticRead): void {
    for (const userId of expected.keys()) this.#entries.delete(userId);
  }

  clear(): void {
    this.#entries.clear();
  }

  #addTo({ state, expected, newIds }: OptimisticRead, command: Command): boolean {
    const { id, userId, familyId } = command;
    const cached = this.#entries.get(userId);
    if (!cached || !isCovered(command, cached)) return false;
    const hold = cached.holds.get(id);
    if (hold) state.holds.set(id, hold);
    else newIds.push(id);
    // A copy: what is applied to it may not be confirmed.
    if (!state.accounts.has(userId)) state.accounts.set(userId, copyOf(cached.account));
    const { version, mainExpireAt = null } = cached;
    const isOfSub = command.do === 'hold' && familyId !== userId;
    if (isOfSub) state.expiries.set(familyId, mainExpireAt);
    if (isOfSub || !expected.has(userId))
      expected.set(userId, { version, mainId: isOfSub ? familyId : null, mainExpireAt });
    return true;
  }

  #put(userId: number, entry: ReadAccount): void {
    this.#entries.delete(userId);
    this.#entries.set(userId, entry);
  }

  #judge(userId: number, wasRight: boolean): void {
    const left = wasRight ? (this.#doubted.get(userId) ?? 0) - 1 : RIGHT_IN_A_ROW;
    if (this.#doubted.size >= ENTRIES_MAX) this.#doubted.clear();
    if (left > 0) this.#doubted.set(userId, left);
    else this.#doubted.delete(userId);
  }

  #evict(): void {
    for (const userId of this.#entries.keys()) {
      if (this.#entries.size <= ENTRIES_MAX) break;
      this.#entries.delete(userId);
    }
  }
}

/** What is left of an account's caps is not cached. */
const isCovered = (command: Command, { account, holds, mainExpireAt }: ReadAccount): boolean => {
  if (command.familyId !== account.familyId) return false;
  switch (command.do) {
    case 'hold':
      return !account.capped && (command.userId === command.familyId || mainExpireAt !== undefined);
    case 'settle':
    case 'release':
      return holds.has(command.id);
    case 'note':
      return true;
  }
};

const copyOf = (account: LockedAccount): LockedAccount => ({
  ...account,
  state: { ...account.state },
  held: { ...account.held },
  typeSeqs: [...account.typeSeqs],
});
