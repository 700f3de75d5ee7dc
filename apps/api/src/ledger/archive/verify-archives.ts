import type pg from 'pg';
import type { ReplayState } from '../audit/anchors.js';
import { auditLedger, type Finding } from '../audit/audit.js';
import { entriesFrom, ENTRY_COLUMN, ENTRY_ROW } from '../audit/audit-rows.js';
import type { CopyRows } from '../audit/copy-rows.js';
import type { CloseKeys } from '../closes/close-keys.js';
import { type ColdFile, type ColdStorage, coldFilesOf, rowsOfFiles } from './cold-files.js';
import { concatenated, type Log, LOGS, type Rows, storedRows } from './cold-rows.js';

/** `owner`: six connections of the owner of the schema. `timeZone`: of the days of usage. */
export type ArchiveContext = {
  owner: pg.Pool;
  storage: ColdStorage;
  keys: CloseKeys;
  timeZone: string;
  signal?: AbortSignal;
};

/** Accounts that are proven together. */
export const TOGETHER = 64;

/** An account whose rows up to `seq` and `usageSeq` are in `files`. */
export type Cold = { userId: number; seq: number; usageSeq: number; files: readonly ColdFile[] };

/** The full audit of accounts (ascending), with what is in cold files read from there; `states`: those after `seq`. */
export async function verifyGroup(
  { owner, storage, keys, timeZone, signal }: ArchiveContext,
  group: readonly Cold[],
): Promise<{ findings: readonly Finding[]; states: Map<number, ReplayState>; entries: number }> {
  const states = new Map<number, ReplayState>();
  const whole = (log: Log) => (client: pg.ClientBase) =>
    concatenated(wholeLog({ client, storage }, log, group), LOGS[log].audited);
  const { findings, entries } = await auditLedger(owner, {
    scope: { userIds: group.map(({ userId }) => userId) },
    timeZone,
    anchors: { keys, store: null },
    cold: {
      entries: whole('entries'),
      lines: whole('lines'),
      keep: {
        after: new Map(group.map(({ userId, seq }) => [userId, seq])),
        take: (userId, state) => states.set(userId, state),
      },
    },
    ...(signal ? { signal } : {}),
  });
  return { findings, states, entries };
}

/** Of each account what is in files, then what is in the database. */
async function* wholeLog(
  { client, storage }: { client: pg.ClientBase; storage: ColdStorage },
  log: Log,
  group: readonly Cold[],
): AsyncGenerator<Rows> {
  for (const { userId, files, ...end } of group) {
    const upto = log === 'entries' ? end.seq : end.usageSeq;
    yield* rowsOfFiles(
      storage,
      files.filter((file) => file.log === log),
    );
    yield storedRows(client, log, { userId, condition: `${LOGS[log].ordinal} > ${Number(upto)}` });
  }
}

/** Reads all entries of an account, those in cold files too; undefined if it has none there. Throws CommandError without the storage. */
export async function archivedEntries(
  owner: pg.Pool,
  { userId, coldStorage }: { userId: number; coldStorage: () => Promise<ColdStorage> },
): Promise<((client: pg.ClientBase) => Promise<CopyRows>) | undefined> {
  const { rows } = await owner.query<{ seq: string }>('SELECT seq FROM account_archive WHERE user_id = $1', [userId]);
  if (!rows[0]) return undefined;
  const storage = await coldStorage();
  const seq = Number(rows[0].seq);
  return async (client) => {
    const files = await coldFilesOf(client, userId);
    return entriesFrom(
      concatenated(wholeLog({ client, storage }, 'entries', [{ userId, seq, usageSeq: 0, files }]), ENTRY_ROW),
    );
  };
}

export type Verified = { accounts: number; entries: number; findings: readonly Finding[] };

/**
 * Proves archived accounts from their first entry: the full audit with their cold files, whose result must be the anchor of the archive, and the
 * rows that stayed must be those of the files.
 */
export async function verifyArchives(
  context: ArchiveContext,
  { userIds, onProgress = () => undefined }: { userIds?: readonly number[]; onProgress?: (verified: Verified) => void },
): Promise<Verified> {
  const { owner, storage, signal } = context;
  const { rows } = await owner.query<Record<'userId' | 'seq' | 'usageSeq' | 'state', string>>(
    `SELECT user_id AS "userId", seq, usage_seq AS "usageSeq", state FROM account_archive
     WHERE $1::bigint[] IS NULL OR user_id = ANY ($1) ORDER BY user_id`,
    [userIds ?? null],
  );
  const verified = { accounts: 0, entries: 0, findings: [] as Finding[] };
  for (let i = 0; i < rows.length; i += TOGETHER) {
    signal?.throwIfAborted();
    const client = await owner.connect();
    try {
      const group: (Cold & { state: string })[] = [];
      for (const { state, ...row } of rows.slice(i, i + TOGETHER)) {
        const userId = Number(row.userId);
        const files = await coldFilesOf(client, userId);
        group.push({ userId, seq: Number(row.seq), usageSeq: Number(row.usageSeq), files, state });
      }
      const { findings, states, entries } = await verifyGroup(context, group);
      verified.findings.push(...findings);
      for (const account of group) {
        const { userId, seq, state } = account;
        const replayed = JSON.stringify(states.get(userId) ?? null);
        if (replayed !== state) verified.findings.push(finding(userId, seq, 'archive', replayed, state));
        verified.findings.push(...(await keptDifferences({ client, storage }, account)));
      }
      verified.accounts += group.length;
      verified.entries += entries;
      onProgress(verified);
    } finally {
      client.release();
    }
  }
  return verified;
}

const finding = (userId: number, seq: number | null, field: string, expected: string, found: string): Finding => ({
  ...{ userId, seq, field, expected, found },
  consequences: [],
});

/** Each entry that stayed must be what the file has under its number. */
async function keptDifferences(
  { client, storage }: { client: pg.ClientBase; storage: ColdStorage },
  { userId, seq, files }: Cold,
): Promise<Finding[]> {
  const kept = new Map<number, string>();
  const rowText = (rows: CopyRows): string => ENTRY_ROW.map((_, i) => (rows.isNull(i) ? '' : rows.hex(i))).join(' ');
  const at = ENTRY_COLUMN.seq;
  const stored = storedRows(client, 'entries', { userId, condition: `seq <= ${seq}` });
  const own = await entriesFrom(stored.stream());
  for (; own.live; own.next() || (await own.fill())) kept.set(own.int(at), rowText(own));
  const found: Finding[] = [];
  const moved = rowsOfFiles(
    storage,
    files.filter(({ log }) => log === 'entries'),
  );
  const rows = await entriesFrom(concatenated(moved, ENTRY_ROW));
  for (; rows.live; rows.next() || (await rows.fill())) {
    const text = kept.get(rows.int(at));
    if (text !== undefined && text !== rowText(rows))
      found.push(finding(userId, rows.int(at), 'entry that stayed', 'as in the cold file', 'altered'));
    kept.delete(rows.int(at));
  }
  for (const number of kept.keys()) found.push(finding(userId, number, 'entry that stayed', 'in a cold file', 'none'));
  return found;
}
