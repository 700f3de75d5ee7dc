import type pg from 'pg';
import { auditAccount, type AccountRows, type LedgerDifference } from './audit-account.js';
import { openSides } from './audit-movements.js';
import { auditOrders } from './audit-orders.js';
import {
  accountFrom,
  ENTRY_COLUMN,
  LINE_COLUMN,
  openAccounts,
  openEntries,
  openLines,
  type Scope,
} from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { withSnapshot } from './snapshot.js';

export type { LedgerDifference } from './audit-account.js';
export type { Scope } from './audit-rows.js';

/** `last`: the account that was proven last, with what stood at its end; null before the first. */
export type AuditProgress = { accounts: number; entries: number; last: Proven | null };
/** `accounts`, `entries`: how many were proven with it. */
export type Proven = { userId: number; seq: number; head: string; accounts: number; entries: number };
/** `orders`: how many were proven beside the accounts. */
export type AuditResult = AuditProgress & { orders: number; difference: LedgerDifference | null };
export type AuditOptions = {
  scope?: Scope;
  onProgress?: (progress: AuditProgress) => void;
  /** Ends the audit at the next entry with the signal's reason. */
  signal?: AbortSignal;
};

const EVERY_ENTRIES = 20_000;

/**
 * Replays every account of `scope` from zero with the domain's own fold and compares it with its balance row, its hash chain, its open
 * holds, the translation log, the other side of every movement and the reason of every adjustment; then compares every order with the
 * entries and payments that name it, those of accounts before `after` too. Stops at the first difference. Everything is read of one moment, in constant memory, while the product goes on. `pool` gives four connections at once and may
 * read every table.
 */
export function auditLedger(pool: pg.Pool, options: AuditOptions = {}): Promise<AuditResult> {
  const scope = options.scope ?? {};
  return withSnapshot(pool, 4, async (clients) => {
    const [first, second, third, fourth] = clients;
    const accounts = await openAccounts(first, scope);
    const entries = await openEntries(second, scope);
    const lines = await openLines(third, scope);
    const result = await replayAll(accounts, { entries, lines, sides: await openSides(fourth, scope) }, options);
    if (!result.difference)
      Object.assign(result, await auditOrders(clients, scope, () => options.signal?.throwIfAborted()));
    return { answer: result, unread: result.difference !== null };
  });
}

async function replayAll(accounts: CopyRows, rows: AccountRows, options: AuditOptions): Promise<AuditResult> {
  const result: AuditResult = { accounts: 0, entries: 0, last: null, orders: 0, difference: null };
  const tell = (): void =>
    options.onProgress?.({ accounts: result.accounts, entries: result.entries, last: result.last });
  const mayGoOn = (): void => {
    if (!options.signal?.aborted) return;
    tell();
    options.signal.throwIfAborted();
  };
  let next = EVERY_ENTRIES;
  const count = (): void => {
    if (++result.entries < next) return;
    next += EVERY_ENTRIES;
    mayGoOn();
    tell();
  };
  for (; accounts.live; accounts.next() || (await accounts.fill())) {
    mayGoOn();
    const account = accountFrom(accounts);
    result.difference = orphan(rows, account.userId) ?? (await auditAccount(account, rows, count));
    if (result.difference) return result;
    result.accounts++;
    const { accounts: proven, entries } = result;
    result.last = { userId: account.userId, seq: account.state.seq, head: account.head, accounts: proven, entries };
  }
  result.difference = orphan(rows, Number.POSITIVE_INFINITY);
  tell();
  return result;
}

/** An entry or a line of the translation log that belongs to no account. */
function orphan({ entries, lines }: AccountRows, nextUserId: number): LedgerDifference | null {
  const none = { field: 'account', expected: 'a row', found: 'none' };
  if (entries.live && entries.int(ENTRY_COLUMN.userId) < nextUserId)
    return { userId: entries.int(ENTRY_COLUMN.userId), seq: entries.int(ENTRY_COLUMN.seq), ...none };
  if (lines.live && lines.int(LINE_COLUMN.userId) < nextUserId)
    return { userId: lines.int(LINE_COLUMN.userId), seq: lines.intOrNull(LINE_COLUMN.entrySeq), ...none };
  return null;
}
