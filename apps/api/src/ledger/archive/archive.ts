import { pipeline } from 'node:stream/promises';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { CommandError } from '../../platform/cli-messages.js';
import { AnchorMaker } from '../audit/anchor-maker.js';
import type { ReplayState } from '../audit/anchors.js';
import { type Finding, FINDINGS_DEFAULT } from '../audit/audit.js';
import { newestClose } from '../audit/verify-anchors.js';
import { LARGE_BLOCK } from '../time-machine/account-blocks.js';
import { type ColdFile, coldFilesOf, readColdFile, writeColdFiles } from './cold-files.js';
import { type Log, LOGS } from './cold-rows.js';
import { type ArchiveContext, TOGETHER, verifyGroup } from './verify-archives.js';

/** An account and the last entry and line of it that can move; `after`: those that have moved before. */
export type Movable = { userId: number; seq: number; usageSeq: number; after: { entries: number; lines: number } };
export type Moved = { accounts: number; entries: number; lines: number; bytes: number; findings: readonly Finding[] };

/** Rows that one transaction removes. */
const STEP = 10_000;

const { TRANSLATION_CONSUME, VOICE_CONSUME, OTHER } = ENTRY_TYPES;
/** Translations move; purchases, movements, conversions and gifts stay, because other rows refer to them. The trigger says the same. */
const MOVES = `(log_type IN (${TRANSLATION_CONSUME.code}, ${VOICE_CONSUME.code}) OR log_type = ${OTHER.code} AND image_change < 0)`;

/**
 * Up to the end of a large block, so that every block after it is built of entries that are there. Audited, counted as usage and in the books
 * of its day. A translation, so that its line tells where the translation log is cut.
 */
const MOVABLE = `
SELECT a.user_id AS "userId", c.seq, c.usage_seq AS "usageSeq", coalesce(h.seq, 0) AS entries, coalesce(h.usage_seq, 0) AS lines
FROM member_account a JOIN account_anchor n USING (user_id) JOIN usage_mark u USING (user_id) JOIN ledger_day_mark d USING (user_id)
LEFT JOIN account_archive h USING (user_id)
CROSS JOIN LATERAL (
  SELECT e.seq, l.usage_seq
  FROM generate_series(least(n.seq, u.rolled_seq, d.rolled_seq) / ${LARGE_BLOCK} * ${LARGE_BLOCK}, coalesce(h.seq, 0) + 1, -${LARGE_BLOCK}) AS s (seq)
  JOIN account_block b ON b.user_id = a.user_id AND b.level = 1 AND b.block = s.seq / ${LARGE_BLOCK} - 1
  JOIN account_log e ON e.user_id = a.user_id AND e.seq = s.seq AND e.created_at < $1
  JOIN translation_log l ON l.cmd_id = e.cmd_id AND l.user_id = e.user_id AND l.entry_seq = e.seq
  ORDER BY e.seq DESC LIMIT 1
) c
WHERE a.entry_seq >= ${LARGE_BLOCK} AND ($2::bigint[] IS NULL OR a.user_id = ANY ($2)) ORDER BY a.user_id`;

/** What can move of the time before `before`: of all accounts, or of these. */
export async function movable(
  { owner }: ArchiveContext,
  { before, userIds }: { before: Date; userIds?: readonly number[] | undefined },
): Promise<Movable[]> {
  const { rows } = await owner.query<Record<'userId' | 'seq' | 'usageSeq' | Log, string>>(MOVABLE, [
    before,
    userIds ?? null,
  ]);
  return rows.map((row) => ({
    userId: Number(row.userId),
    seq: Number(row.seq),
    usageSeq: Number(row.usageSeq),
    after: { entries: Number(row.entries), lines: Number(row.lines) },
  }));
}

/**
 * Moves old translations of these accounts into cold files: writes them, replays the accounts from their first entry as the files have it,
 * signs the anchors at which their logs begin from now on, and only then removes the rows. An account in which the replay finds something
 * stays as it is. Interrupted, nothing is lost, and the next run goes on.
 */
export async function archive(
  context: ArchiveContext,
  accounts: readonly Movable[],
  onProgress: (moved: Moved) => void = () => undefined,
): Promise<Moved> {
  const moved = { accounts: 0, entries: 0, lines: 0, bytes: 0, findings: [] as Finding[] };
  for (let i = 0; i < accounts.length; i += TOGETHER) {
    context.signal?.throwIfAborted();
    const group = accounts.slice(i, i + TOGETHER);
    const written = await writeGroup(context, group);
    const { findings, states } = await verifyGroup(
      context,
      group.map(({ userId, seq, usageSeq }) => ({ userId, seq, usageSeq, files: written.get(userId)?.all ?? [] })),
    );
    moved.findings.push(...findings);
    const named = new Set(
      findings.flatMap((finding) => [finding, ...finding.consequences].map(({ userId }) => userId)),
    );
    const whole = group.filter(
      ({ userId, usageSeq }) => !named.has(userId) && states.get(userId)?.lines.seq === usageSeq,
    );
    // Of the database, or more than are listed: nothing follows about the other accounts.
    if (named.has(0) || findings.length >= FINDINGS_DEFAULT) return moved;
    await record(context, { accounts: whole, states, written });
    for (const { userId, seq, usageSeq, after } of whole) {
      await removeMoved(context, userId);
      moved.accounts++;
      moved.entries += seq - after.entries;
      moved.lines += usageSeq - after.lines;
      moved.bytes += written.get(userId)?.fresh.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
    }
    onProgress(moved);
  }
  return moved;
}

type Written = ReadonlyMap<number, { fresh: ColdFile[]; all: ColdFile[] }>;

async function writeGroup({ owner, storage }: ArchiveContext, group: readonly Movable[]): Promise<Written> {
  const client = await owner.connect();
  try {
    const written = new Map<number, { fresh: ColdFile[]; all: ColdFile[] }>();
    for (const { userId, seq, usageSeq, after } of group) {
      const to = { client, storage };
      const fresh = [
        ...(await writeColdFiles(to, { userId, log: 'entries', after: after.entries, upto: seq })),
        ...(await writeColdFiles(to, { userId, log: 'lines', after: after.lines, upto: usageSeq })),
      ];
      written.set(userId, { fresh, all: [...(await coldFilesOf(client, userId)), ...fresh] });
    }
    return written;
  } finally {
    client.release();
  }
}

/** The anchors at which the logs begin from now on, and the objects with what was before them. */
async function record(
  { owner, keys, timeZone }: ArchiveContext,
  {
    accounts,
    states,
    written,
  }: { accounts: readonly Movable[]; states: ReadonlyMap<number, ReplayState>; written: Written },
): Promise<void> {
  const { signing } = keys;
  const client = await owner.connect();
  try {
    await client.query('BEGIN');
    const close = await newestClose(client, keys);
    if (!signing || !close)
      throw new CommandError({
        zh: '最新的日结不能作为依据：请先运行 ledger verify-closes',
        en: 'The newest close cannot be relied on: see ledger verify-closes.',
      });
    const maker = new AnchorMaker(client, { close, timeZone, signing }, 'account_archive');
    for (const { userId } of accounts) {
      const state = states.get(userId);
      if (state) await maker.add(userId, state);
    }
    await maker.flush();
    for (const { userId } of accounts)
      for (const { log, first, last, name, sha256, bytes } of written.get(userId)?.fresh ?? [])
        await client.query(
          `INSERT INTO cold_file (user_id, log, first, last, name, sha256, bytes) VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), $7)`,
          [userId, log, first, last, name, sha256, bytes],
        );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const REMOVE_ENTRIES = `
DELETE FROM account_log e USING account_archive a
WHERE a.user_id = $1 AND e.user_id = a.user_id AND e.seq > $2 AND e.seq <= $3 AND e.seq < a.seq AND ${MOVES}
  AND NOT EXISTS (SELECT FROM close_leaf l WHERE l.user_id = e.user_id AND l.seq = e.seq)`;
const REMOVE_LINES = `
DELETE FROM translation_log l USING account_archive a
WHERE a.user_id = $1 AND l.user_id = a.user_id AND l.usage_seq > $2 AND l.usage_seq <= $3 AND l.usage_seq <= a.usage_seq`;

/** Removes what the archive of the account covers; the entries that closes have signed stay. Lines last: one that is left tells that this is not done. */
async function removeMoved({ owner }: ArchiveContext, userId: number): Promise<void> {
  const { rows } = await owner.query<{ seq: string; lines: string }>(
    'SELECT seq, usage_seq AS lines FROM account_archive WHERE user_id = $1',
    [userId],
  );
  const [end] = rows;
  if (!end) return;
  for (let after = 0; after < Number(end.seq); after += STEP)
    await owner.query(REMOVE_ENTRIES, [userId, after, after + STEP]);
  for (let after = 0; after < Number(end.lines); after += STEP)
    await owner.query(REMOVE_LINES, [userId, after, after + STEP]);
}

/** Removes what an interrupted run has left of rows that are in cold files. */
export async function finishArchives(context: ArchiveContext): Promise<void> {
  const { rows } = await context.owner.query<{ userId: string }>(
    `SELECT user_id AS "userId" FROM account_archive a
     WHERE EXISTS (SELECT FROM translation_log l WHERE l.user_id = a.user_id AND l.usage_seq <= a.usage_seq) ORDER BY user_id`,
  );
  for (const { userId } of rows) await removeMoved(context, Number(userId));
}

/** Throws CommandError unless every row of the file is in the database. */
async function requireWhole(
  client: pg.ClientBase,
  userId: number,
  { log, first, last, name }: ColdFile,
): Promise<void> {
  const { table, ordinal } = LOGS[log];
  const { rows } = await client.query<{ n: string }>(
    `SELECT count(*) AS n FROM ${table} WHERE user_id = $1 AND ${ordinal} BETWEEN $2 AND $3`,
    [userId, first, last],
  );
  const [expected, found] = [last - first + 1, Number(rows[0]?.n)];
  if (found !== expected)
    throw new CommandError({
      zh: `${name} 应放回 ${expected} 行，实际只有 ${found} 行：没有改动任何东西`,
      en: `${name} holds ${expected} rows, but ${found} would be in the database: nothing was changed.`,
    });
}

/**
 * Puts everything of an account back, as if it had never moved, but for the addresses. The files stay, for a database that is restored to a moment
 * before this. Returns the number of rows. Throws CommandError if there is nothing to put back.
 */
export async function thaw({ owner, storage }: ArchiveContext, userId: number): Promise<number> {
  const client = await owner.connect();
  try {
    const files = await coldFilesOf(client, userId);
    if (files.length === 0)
      throw new CommandError({
        zh: `账号 ${userId} 没有冷文件`,
        en: `Account ${userId} has nothing in cold files.`,
      });
    await client.query('BEGIN');
    let rows = 0;
    for (const file of files) {
      const { columns, stream } = await readColdFile(storage, file);
      const { table } = LOGS[file.log];
      const names = columns.join(', ');
      await client.query(`CREATE TEMP TABLE thawed ON COMMIT DROP AS SELECT ${names} FROM ${table} WITH NO DATA`);
      await pipeline(stream(), client.query(copyFrom(`COPY thawed (${names}) FROM STDIN (FORMAT binary)`)));
      const { rowCount } = await client.query(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM thawed ON CONFLICT DO NOTHING`,
      );
      rows += rowCount ?? 0;
      await requireWhole(client, userId, file);
      await client.query('DROP TABLE thawed');
    }
    await client.query('DELETE FROM account_archive WHERE user_id = $1', [userId]);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
