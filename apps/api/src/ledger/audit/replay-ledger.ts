import type { AccountState } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import type { LedgerDifference } from './findings.js';
import { accountFrom, beginningAtArchives, ENTRY_COLUMN, openAccounts, openEntries, type Scope } from './audit-rows.js';
import { EntryReplay } from './entry-replay.js';
import { withSnapshot } from './snapshot.js';

/** An account replayed up to some time. */
export type ReplayedAccount = { userId: number; familyId: number; state: AccountState };

export type ReplayResult = { entries: number; difference: LedgerDifference | null };

export type ReplayOptions = {
  scope?: Scope;
  /** Replays entries up to this time, ms; all if omitted. */
  until?: number;
  /** Called for every account with an entry by then, in ascending id. */
  onAccount: (account: ReplayedAccount) => void | Promise<void>;
  signal?: AbortSignal;
};

/**
 * Replays every account of `scope` from its first entry, or from its archive, in constant memory. `until` must not lie before an archive. Stops at
 * the first difference.
 */
export function replayLedger(
  pool: pg.Pool,
  { scope: chosen = {}, until, onAccount, signal }: ReplayOptions,
): Promise<ReplayResult> {
  return withSnapshot<ReplayResult, 2>(pool, 2, async ([first, second]) => {
    const scope = await beginningAtArchives(first, chosen);
    const accounts = await openAccounts(first, scope);
    const also = until === undefined ? 'true' : `created_at <= to_timestamp(${Number(until)} / 1000.0)`;
    const entries = await openEntries(second, scope, also);
    let count = 0;
    for (; accounts.live; accounts.next() || (await accounts.fill())) {
      signal?.throwIfAborted();
      const { userId, familyId, start } = accountFrom(accounts, scope);
      const replay = new EntryReplay(userId, familyId, start?.entries);
      const isOwn = (): boolean => entries.live && entries.int(ENTRY_COLUMN.userId) === userId;
      if (isOwn() && entries.int(ENTRY_COLUMN.seq) === start?.entries.account.seq && !entries.next())
        await entries.fill();
      while (isOwn()) {
        const wrong = replay.follow(entries);
        if (wrong) {
          const difference = { userId, seq: entries.int(ENTRY_COLUMN.seq), ...wrong };
          return { answer: { entries: count, difference }, unread: true };
        }
        count++;
        if (!entries.next()) await entries.fill();
      }
      if (replay.state.seq > 0) await onAccount({ userId, familyId, state: replay.state });
    }
    return { answer: { entries: count, difference: null }, unread: entries.live };
  });
}
