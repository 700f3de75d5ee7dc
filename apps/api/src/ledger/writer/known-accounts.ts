import type { LockedAccount } from '../rows/account-rows.js';
import type { Command } from './commands.js';
import type { Read } from './read.js';
import type { StoredHold, Writes } from './writes.js';

/** An account as a lane left it: `version` is its row's xmin, and `holds` are those of its open ones that the lane made. */
type Known = { account: LockedAccount; version: string; holds: Map<string, StoredHold> };

/** What a batch is folded on without reading: `Read`, and what the database must confirm before anything of it counts. */
export type Guess = { read: Read; versions: Map<number, string>; newIds: string[] };

/** About a kilobyte each. */
const MOST = 16_384;
const CLOCK_LIFE_MS = 10_000;
const DOUBT_MS = 1_000;

/**
 * What a lane remembers of the accounts that it wrote last, so that their next command needs one round trip instead of two. Never the
 * truth: whatever is folded on it commits only if the database confirms, under the lock, that no row has changed since. Everything
 * that changes an account, its holds or its lines writes its row, so an unchanged version means unchanged holds and lines too.
 */
export class KnownAccounts {
  /** In order of use, the longest unused first. */
  readonly #known = new Map<number, Known>();
  /** The database's time, and when that was, both in ms. */
  #clock: { now: number; at: number } | undefined;
  #doubtUntil = 0;
  /** When a guess about one account alone was wrong, and until when nothing is guessed of it, both in ms. */
  readonly #doubted = new Map<number, { wrongAt: number; until: number }>();

  /** What the commands would find; null when something of it is not known. */
  guess(commands: readonly Command[]): Guess | null {
    const at = performance.now();
    const passed = at - (this.#clock?.at ?? 0);
    if (!this.#clock || passed > CLOCK_LIFE_MS || at < this.#doubtUntil) return null;
    const guess: Guess = {
      read: {
        now: Math.floor(this.#clock.now + passed),
        ...{ accounts: new Map(), holds: new Map(), lines: new Map(), expiries: new Map(), sharers: new Set() },
      },
      versions: new Map(),
      newIds: [],
    };
    for (const command of commands) {
      const known = this.#known.get(command.userId);
      if (!known || !isGuessable(command, known) || at < (this.#doubted.get(command.userId)?.until ?? 0)) return null;
      const hold = known.holds.get(command.id);
      if (hold) guess.read.holds.set(command.id, hold);
      else guess.newIds.push(command.id);
      guess.read.accounts.set(command.userId, known.account);
      guess.versions.set(command.userId, known.version);
    }
    return guess;
  }

  /** After a commit: the accounts as they were folded, their versions as read and as written. */
  remember(
    { accounts, versions, holds, now }: Pick<Read, 'accounts' | 'holds' | 'now'> & { versions: Map<number, string> },
    writes: Writes,
    version: string,
  ): void {
    this.#clock = { now, at: performance.now() };
    const changed = writes.changed;
    for (const [userId, account] of accounts) {
      const before = this.#known.get(userId);
      const read = versions.get(userId) ?? '';
      const open = before?.version === read ? before.holds : new Map<string, StoredHold>();
      this.#known.delete(userId);
      this.#known.set(userId, { account, version: changed.has(account) ? version : read, holds: open });
    }
    for (const hold of holds.values()) if (!hold.released) this.#known.get(hold.userId)?.holds.set(hold.id, hold);
    for (const id of writes.ended) {
      const hold = holds.get(id);
      if (hold) this.#known.get(hold.userId)?.holds.delete(id);
    }
    for (const hold of writes.made) this.#known.get(hold.userId)?.holds.set(hold.id, hold);
    for (const userId of this.#known.keys()) {
      if (this.#known.size <= MOST) break;
      this.#known.delete(userId);
    }
  }

  /**
   * A guess was wrong: somebody else writes these accounts. One about many accounts costs the most, so for a while nothing is guessed. One
   * about a single account says nothing of the others: it is read anew, and only if that is outdated at once as well it is left alone.
   */
  doubt({ versions }: Guess): void {
    const now = performance.now();
    for (const userId of versions.keys()) this.#known.delete(userId);
    const [only] = versions.keys();
    if (only === undefined || versions.size > 1) {
      this.#doubtUntil = now + DOUBT_MS;
      return;
    }
    const { wrongAt = Number.NEGATIVE_INFINITY } = this.#doubted.get(only) ?? {};
    if (this.#doubted.size >= MOST) this.#doubted.clear();
    this.#doubted.set(only, { wrongAt: now, until: now - wrongAt < DOUBT_MS ? now + DOUBT_MS : 0 });
  }

  clear(): void {
    this.#known.clear();
  }
}

/** A sub-account's hold also depends on its main account, and a note on lines that are not remembered. */
const isGuessable = (command: Command, { account, holds }: Known): boolean =>
  command.familyId === account.familyId &&
  (command.do === 'hold' ? command.familyId === command.userId : command.do !== 'note' && holds.has(command.id));
