import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { CloseKeys } from '../closes/close-keys.js';
import { AnchorMaker } from './anchor-maker.js';
import { auditAccount, type AccountRows, type Keep } from './audit-account.js';
import { auditActions } from './audit-actions.js';
import { openSides } from './audit-movements.js';
import { auditMembers } from './audit-members.js';
import { auditOrders } from './audit-orders.js';
import { readPriceHistory } from './audit-prices.js';
import {
  accountFrom,
  beginningAtArchives,
  ENTRY_COLUMN,
  entriesFrom,
  hasArchives,
  LINE_COLUMN,
  linesFrom,
  openAccounts,
  openEntries,
  openLines,
  type Scope,
  type StoredAccount,
} from './audit-rows.js';
import { auditSchema } from './audit-schema.js';
import { openUsage } from './audit-usage.js';
import { about, Findings, FINDINGS_DEFAULT, type Finding } from './findings.js';
import type { CopyRows } from './copy-rows.js';
import { withSnapshot } from './snapshot.js';
import { verifyAnchors } from './verify-anchors.js';

export { FINDINGS_DEFAULT, type Finding, type LedgerDifference } from './findings.js';
export type { Scope } from './audit-rows.js';

/** `full`: from each account's first entry; `anchors`: from its anchor, where it has one. */
export type Depth = 'full' | 'anchors';

/**
 * `families`: those of which every account has been read. `last`: the account proven last, with its last entry; null before the first.
 * `at`: the entry under audit. `found`: the differences so far. `anchored`: the accounts that were read from their anchor.
 */
export type AuditProgress = {
  anchored: number;
  accounts: number;
  entries: number;
  families: number;
  last: Proven | null;
  at: { userId: number; familyId: number; seq: number } | null;
  found: readonly Finding[];
};
export const NO_PROGRESS: AuditProgress = {
  anchored: 0,
  accounts: 0,
  entries: 0,
  families: 0,
  last: null,
  at: null,
  found: [],
};
/** `accounts`, `entries`, `families`, `anchored`: the number so far. */
export type Proven = {
  anchored: number;
  userId: number;
  seq: number;
  head: string;
  accounts: number;
  entries: number;
  families: number;
};
/** `orders`: the number of orders checked; `findings`: all differences; `difference`: the first of them. */
export type AuditResult = AuditProgress & { orders: number; findings: Finding[]; difference: Finding | null };
export type AuditOptions = {
  scope?: Scope;
  /** The audit ends after this many findings. */
  limit?: number;
  /** The time zone of daily usage. */
  timeZone?: string;
  onProgress?: (progress: AuditProgress) => void;
  /** What follows the accounts begins. */
  onPhase?: (phase: 'orders' | 'members') => void;
  /** Ends the audit at the next entry with the signal's reason. */
  signal?: AbortSignal;
  depth?: Depth;
  /** What anchors may be signed with, and signs new ones; without it anchors are neither checked nor made. */
  anchors?: AnchorKeys;
  /** The accounts of the scope are read from their first entry, also what they have in cold files. */
  cold?: ColdRows;
};

/** `entries`, `lines`: binary COPY of all rows of the accounts of the scope, by account and number, with the columns that the audit reads. */
export type ColdRows = {
  entries: (client: pg.ClientBase) => Readable;
  lines: (client: pg.ClientBase) => Readable;
  keep?: Keep | undefined;
};

/** `store`: the primary, where new ones are stored; null: none are made. */
export type AnchorKeys = { keys: CloseKeys; store: pg.Pool | null };

const ENTRIES_PER_REPORT = 20_000;

/**
 * Proves the ledger: compares the schema with the migrations, replays every account of `scope` from its first entry, checks every entry
 * against the rule of its type, and compares each account with its balance row, hash chain, open holds, translation log, gifts, daily
 * usage, counters behind caps, the other sides of its movements, reason and action of its adjustments and the prices of its conversions.
 * Then checks every order (also of accounts before `after`) against its entries and payments, and, without a list of accounts, the action
 * log, members and foreign keys. Anchors are compared with the replay, or begin it, and move to the newest close (docs/decisions/0067). Reads one snapshot in
 * constant memory while the product runs. `pool` provides five connections that may read every table, of one server.
 */
export function auditLedger(pool: pg.Pool, options: AuditOptions = {}): Promise<AuditResult> {
  const timeZone = options.timeZone ?? process.env['APP_TIMEZONE'] ?? 'Asia/Shanghai';
  const findings = new Findings(options.limit ?? FINDINGS_DEFAULT);
  return withSnapshot(pool, 5, async (clients) => {
    const [first, second, third, fourth, fifth] = clients;
    await auditSchema(first, findings);
    const prices = await readPriceHistory(first);
    const { scope, maker } = await anchorsFor(first, { options, timeZone, findings });
    const accounts = await openAccounts(first, scope);
    const { cold } = options;
    const entries = await (cold ? entriesFrom(cold.entries(second)) : openEntries(second, scope));
    const lines = await (cold ? linesFrom(cold.lines(third)) : openLines(third, scope));
    const sides = await openSides(fourth, scope);
    const usage = await openUsage(fifth, scope, timeZone);
    const progress = await replayAll(
      accounts,
      { entries, lines, sides, usage, prices },
      { options, scope, findings, maker },
    );
    const mayGoOn = (): void => options.signal?.throwIfAborted();
    const unread = findings.full;
    if (!unread) options.onPhase?.('orders');
    const orders = unread ? 0 : await auditOrders(clients, scope, { findings, mayGoOn });
    if (!scope.userIds && !findings.full) {
      options.onPhase?.('members');
      await auditActions(second, findings);
      await auditMembers(first, { findings, scope });
    }
    await maker?.withdraw(findings.named);
    const answer = { ...progress, orders, findings: findings.list, difference: findings.list[0] ?? null };
    return { answer, unread };
  });
}

/** Verifies the anchors; then the scope says where to begin. */
async function anchorsFor(
  client: pg.ClientBase,
  { options, timeZone, findings }: { options: AuditOptions; timeZone: string; findings: Findings },
): Promise<{ scope: Scope; maker: AnchorMaker | null }> {
  const { scope = {}, anchors, depth = 'full', cold } = options;
  // Under another schema, which was reported, there may be none.
  if (findings.count > 0) return { scope, maker: null };
  if (!anchors) return { scope: cold ? scope : await beginningAtArchives(client, scope), maker: null };
  const { keys, store } = anchors;
  const { unused, unusedArchives, newest } = await verifyAnchors(client, scope, {
    trust: { keys, timeZone },
    findings,
  });
  const { signing } = keys;
  const archives = !cold && (await hasArchives(client)) ? { except: unusedArchives } : null;
  return {
    scope: { ...scope, anchors: { from: depth === 'anchors', except: unused, archives } },
    maker: store && signing && newest ? new AnchorMaker(store, { close: newest, timeZone, signing }) : null,
  };
}

type Work = { options: AuditOptions; scope: Scope; findings: Findings; maker: AnchorMaker | null };

async function replayAll(
  accounts: CopyRows,
  rows: AccountRows,
  { options, scope, findings, maker }: Work,
): Promise<AuditProgress> {
  const result: AuditProgress = { ...NO_PROGRESS, found: findings.list };
  let current: StoredAccount | null = null;
  const report = (): void => {
    const { userId, familyId } = current ?? {};
    const seq = rows.entries.live ? rows.entries.int(ENTRY_COLUMN.seq) : 0;
    const at = userId === undefined || familyId === undefined ? null : { userId, familyId, seq };
    options.onProgress?.({ ...result, at });
  };
  const mayGoOn = (): void => {
    if (!options.signal?.aborted) return;
    report();
    options.signal.throwIfAborted();
  };
  let next = ENTRIES_PER_REPORT;
  const count = (): void => {
    if (++result.entries < next) return;
    next += ENTRIES_PER_REPORT;
    mayGoOn();
    report();
  };
  for (; accounts.live; accounts.next() || (await accounts.fill())) {
    mayGoOn();
    const account = (current = accountFrom(accounts, scope));
    await reportOrphans(rows, account.userId, findings);
    const before = findings.count;
    const state = await auditAccount(account, rows, { findings, count, keep: options.cold?.keep });
    if (findings.full) break;
    if (state && findings.count === before) await maker?.add(account.userId, state);
    if (account.start !== null && account.start === account.anchor) result.anchored++;
    result.accounts++;
    if (account.endsFamily) result.families++;
    // A later run resumes after the last account without a difference.
    if (findings.list.length > 0) continue;
    const { accounts: proven, entries, families, anchored } = result;
    const { userId, head } = account;
    result.last = { userId, seq: account.state.seq, head, accounts: proven, entries, families, anchored };
  }
  await maker?.flush();
  if (findings.full) return result;
  current = null;
  await reportOrphans(rows, Number.POSITIVE_INFINITY, findings);
  report();
  return result;
}

/** Rows that belong to no account. */
async function reportOrphans(rows: AccountRows, nextUserId: number, findings: Findings): Promise<void> {
  const { entries, lines, sides, usage } = rows;
  const add = (userId: number, seq: number | null): void =>
    findings.add({ userId, seq, field: 'account', expected: 'a row', found: 'none' }, [about.broken(userId)]);
  const seqOf = (rows: CopyRows, column: number): number | null => (column < 0 ? null : rows.intOrNull(column));
  for (const [stream, userId, seq] of [
    [entries, ENTRY_COLUMN.userId, ENTRY_COLUMN.seq],
    [lines, LINE_COLUMN.userId, LINE_COLUMN.entrySeq],
    [usage.rows, 0, -1],
  ] as const) {
    let named = 0;
    for (; stream.live && stream.int(userId) < nextUserId; stream.next() || (await stream.fill())) {
      if (stream.int(userId) !== named) add((named = stream.int(userId)), seqOf(stream, seq));
    }
  }
  while (sides.live && sides.int(0) < nextUserId) if (!sides.next()) await sides.fill();
}
