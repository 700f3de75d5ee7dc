import { emptyAccount, ENTRY_TYPES, replay, type Difference, type Entry } from '@yiqiao/domain/ledger';
import type { AuditRows, StoredAccount, StoredEntry, StoredUsage } from './audit-rows.js';
import { chain, FIRST_HEAD } from './chain.js';

/** The first thing that does not follow: whose, at which entry (null: the balance row or a free line), and what. */
export type LedgerDifference = Difference & { userId: number; seq: number | null };

/** What replaying has led to so far. */
type Replayed = {
  state: ReturnType<typeof emptyAccount>;
  typeSeqs: number[];
  head: string;
  entryAt: number;
  usageSeq: number;
  usageAt: number;
  /** The line that explains the last consumption. */
  explained: StoredUsage | undefined;
};

/** Reads the entries and lines of one account off their streams and proves them and its row. */
export async function auditAccount(
  account: StoredAccount,
  rows: Pick<AuditRows, 'entries' | 'usages'>,
  count: () => void,
): Promise<LedgerDifference | null> {
  const { userId } = account;
  const replayed: Replayed = {
    state: emptyAccount(),
    typeSeqs: account.typeSeqs.map(() => 0),
    head: FIRST_HEAD,
    entryAt: 0,
    usageSeq: 0,
    usageAt: 0,
    explained: undefined,
  };
  for (let stored = rows.entries.head; stored?.entry.userId === userId; stored = rows.entries.head) {
    const { seq } = stored.entry;
    const wrong = entryDifference(account, stored, replayed);
    if (wrong) return { userId, seq, ...wrong };
    // Lines are numbered in the order of their entries, free ones between them.
    while (rows.usages.head?.userId === userId && isBefore(rows.usages.head, seq)) {
      const line = lineDifference(rows.usages.head, replayed);
      if (line) return { userId, seq: rows.usages.head.entrySeq, ...line };
      await rows.usages.shift();
    }
    const line = rows.usages.head;
    const its = line?.userId === userId && line.entrySeq === seq ? line : undefined;
    const unexplained = chargeDifference(stored.entry, its);
    if (unexplained) return { userId, seq, ...unexplained };
    replayed.explained = its;
    count();
    await rows.entries.shift();
  }
  for (let line = rows.usages.head; line?.userId === userId; line = rows.usages.head) {
    const wrong = lineDifference(line, replayed);
    if (wrong) return { userId, seq: line.entrySeq, ...wrong };
    await rows.usages.shift();
  }
  const wrong = rowDifference(account, replayed);
  return wrong && { userId, seq: null, ...wrong };
}

/** Whether this line comes before the line of entry `seq`: a free one, or that of an earlier entry. */
const isBefore = (line: StoredUsage, seq: number): boolean => line.entrySeq === null || line.entrySeq < seq;

const differ = (field: string, expected: unknown, found: unknown): Difference | null =>
  expected === found ? null : { field, expected, found };

/** Checks one entry against everything before it and moves on. */
function entryDifference(account: StoredAccount, { entry, hash }: StoredEntry, replayed: Replayed): Difference | null {
  const row = ENTRY_TYPES[entry.type] as { code: number } | undefined;
  if (!row) return { field: 'type', expected: 'a known type', found: entry.type };
  const typeSeq = (replayed.typeSeqs[row.code - 1] ?? 0) + 1;
  const wrong =
    replay(replayed.state, entry) ??
    differ('familyId', account.familyId, entry.familyId) ??
    differ('typeSeq', typeSeq, entry.typeSeq);
  if (wrong) return wrong;
  if (entry.createdAt < replayed.entryAt)
    return { field: 'createdAt', expected: `≥ ${iso(replayed.entryAt)}`, found: iso(entry.createdAt) };
  const expected = chain(replayed.head, entry);
  if (expected !== hash) return { field: 'hash', expected, found: hash };
  replayed.typeSeqs[row.code - 1] = typeSeq;
  replayed.entryAt = entry.createdAt;
  replayed.head = hash;
  return null;
}

/** Lines are numbered without gaps, and not earlier than the one before. */
function lineDifference(line: StoredUsage, replayed: Replayed): Difference | null {
  if (line.entrySeq !== null && line !== replayed.explained)
    return { field: 'entry of a translation', expected: 'one entry', found: 'none, or another line has it' };
  replayed.usageSeq++;
  if (line.at < replayed.usageAt)
    return { field: 'time of a translation', expected: `≥ ${iso(replayed.usageAt)}`, found: iso(line.at) };
  replayed.usageAt = line.at;
  if (line.entrySeq === null && line.charged !== 0)
    return { field: 'charge of a translation without entry', expected: 0, found: line.charged };
  return differ('usageSeq', replayed.usageSeq, line.usageSeq);
}

/** Every consumption has its line of the translation log, and the two tell the same. */
function chargeDifference(entry: Entry, line: StoredUsage | undefined): Difference | null {
  const consumes = entry.type === 'TRANSLATION_CONSUME' || entry.type === 'VOICE_CONSUME';
  if (!line) return consumes ? { field: 'line in the translation log', expected: 'a line', found: 'none' } : null;
  return (
    differ('command of the translation', entry.cmdId, line.cmdId) ??
    differ('charge of the translation', 0 - entry.charChange - entry.voiceChange - entry.imageChange, line.charged) ??
    differ('words of the translation', entry.usedCharNum, line.words) ??
    differ('status of the translation', true, line.ok)
  );
}

/** Compares the balance row with what its entries add up to. */
function rowDifference(account: StoredAccount, { state, typeSeqs, head, usageSeq }: Replayed): Difference | null {
  const stored = account.state;
  for (const field of Object.keys(state) as (keyof typeof state)[])
    if (state[field] !== stored[field])
      return { field: `balance row: ${field}`, expected: state[field], found: stored[field] };
  return (
    differ('balance row: type ordinals', typeSeqs.join(), account.typeSeqs.join()) ??
    differ('balance row: head of the chain', head, account.head) ??
    differ('balance row: translations', usageSeq, account.usageSeq) ??
    differ('held characters', account.openHolds.charNum, account.held.charNum) ??
    differ('held voice', account.openHolds.voiceNum, account.held.voiceNum) ??
    differ('held images', account.openHolds.imageNum, account.held.imageNum)
  );
}

const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms));
