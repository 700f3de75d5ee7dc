import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { arrayLiteral } from './rows/array-parameters.js';

/**
 * What changed since the last run of a reader. `userIds`: the accounts with new entries; null: this is its first run, so any account. `after`, `at`: the
 * database's clock at the last run and now, as text, because a Date has no microseconds.
 */
export type Changes = { userIds: readonly number[] | null; after: string | null; at: string };

/**
 * Finds the accounts with new entries by the ids of the entries, so that a job need not read every account, and writers need tell nobody.
 *
 * Ids ascend, but a transaction may commit after another one with a higher id. A writer has its number of transaction (it locked the account's row)
 * before an entry takes its id, and this reader takes a number after it has seen the newest entry. So every entry up to that one belongs to a
 * transaction below the reader's number. (The `xmax` of its snapshot would not do: it follows the last number that has ended, and higher ones may be
 * open.) Once a later snapshot's `xmin` has reached that number, all of them have ended, and what is up to that id is complete. Until then it is
 * read again: a reader may be told of an account twice, never too late. No clock decides, and the mark is in the same log as the entries, so this
 * also holds after a crash, a failover or a restore.
 */
@Injectable()
export class ChangedAccounts {
  constructor(private readonly em: EntityManager) {}

  /**
   * Calls `work` until it has seen every account with entries since the last run that `reader` completed. The run is completed piece by piece: what
   * `work` was given and finished is not given again, unless an older transaction was still open. Concurrent runs are safe if `work` is.
   */
  async since(reader: string, work: (changes: Changes) => Promise<void>): Promise<void> {
    const em = this.em.fork();
    const mark = await readMark(em, reader);
    const covered = mark?.covered ?? null;
    const after = mark?.seen_at ?? null;
    const first = await readPiece(em, covered ?? NONE);
    const { at, next, settled } = progressOf(mark, first);
    const advance = async (from: number | null, to: number | null, seenAt: string | null): Promise<void> => {
      await em.execute(ADVANCE, [reader, to, next.id, next.xid, seenAt, from]);
    };
    if (covered === null) {
      await work({ userIds: null, after, at });
      return advance(null, settled, at);
    }
    let done = covered;
    const complete = settled ?? covered;
    for (let piece = first; ; piece = await readPiece(em, piece.last ?? NONE)) {
      await work({ userIds: piece.user_ids, after, at });
      const isLast = piece.entries < PIECE;
      const upto = Math.max(done, isLast ? complete : Math.min(piece.last ?? done, complete));
      await advance(done, upto, isLast ? at : after);
      if (isLast) return;
      done = upto;
    }
  }
}

/** `covered`: every entry up to this id was worked on. `next`: the id that becomes complete when every transaction below `next_xid` has ended. */
type Mark = { covered: number | null; next: number; next_xid: number; seen_at: string };
/** `xid`: of the reader itself, taken after the snapshot. `newest`: the highest id visible. `last`: the highest one of the piece. */
type Piece = {
  xmin: number;
  xid: number;
  at: string;
  newest: number;
  entries: number;
  last: number | null;
  user_ids: number[];
};

/** Below every id. */
const NONE = 0;
/** Entries of one statement: it must end within the time-out of statements, however long the job was away. */
const PIECE = 200_000;

/** `settled`: every entry up to this id is visible; null: nothing is known beyond what the reader has covered. */
function progressOf(mark: Mark | undefined, { xmin, xid, at, newest }: Piece) {
  const here = { id: newest, xid };
  const times = { at: mark && mark.seen_at > at ? mark.seen_at : at };
  // No transaction is open.
  if (xmin >= xid) return { ...times, settled: newest, next: here };
  // The latter: written by another cluster, whose transactions had higher numbers: from a dump.
  if (!mark || mark.next_xid > xid) return { ...times, settled: null, next: here };
  if (mark.next_xid > xmin) return { ...times, settled: null, next: { id: mark.next, xid: mark.next_xid } };
  return { ...times, settled: mark.next, next: here };
}

async function readMark(em: EntityManager, reader: string): Promise<Mark | undefined> {
  const [row] = await em.execute<Mark[]>(MARK, [reader]);
  return (
    row && {
      covered: row.covered === null ? null : Number(row.covered),
      next: Number(row.next),
      next_xid: Number(row.next_xid),
      seen_at: row.seen_at,
    }
  );
}

async function readPiece(em: EntityManager, after: number): Promise<Piece> {
  const rows = await em.transactional(async (tx) => {
    // While statistics are old, the planner may think that half of the log is new.
    await tx.execute('SET LOCAL enable_seqscan = off');
    return tx.execute<Piece[]>(READ, [after]);
  });
  const [piece] = rows;
  if (!piece) throw new Error('a snapshot has one row');
  const { xmin, xid, newest, last } = piece;
  return {
    ...piece,
    xmin: Number(xmin),
    xid: Number(xid),
    newest: Number(newest),
    last: last === null ? null : Number(last),
  };
}

// As text in UTC with microseconds, so that text compares as the times do.
const UTC = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

const MARK = `SELECT covered, next, next_xid, ${UTC('seen_at')} AS seen_at FROM ledger_reader WHERE name = ?`;

// One statement, one snapshot; the transaction has no number before.
const READ = `
SELECT pg_snapshot_xmin(now_visible)::text::bigint AS xmin, pg_current_xact_id()::text::bigint AS xid,
  ${UTC('clock_timestamp()')} AS at, coalesce((SELECT max(id) FROM account_log), ${NONE}) AS newest, piece.*
FROM pg_current_snapshot() AS now_visible, (
  SELECT count(*)::int AS entries, max(id) AS last, coalesce(json_agg(DISTINCT user_id), '[]') AS user_ids
  FROM (SELECT id, user_id FROM account_log WHERE id > ? ORDER BY id LIMIT ${PIECE}) AS entry
) AS piece`;

/** A run that another one has overtaken changes nothing. */
const ADVANCE = `
INSERT INTO ledger_reader AS r (name, covered, next, next_xid, seen_at) VALUES (?, ?, ?, ?, ?::timestamp AT TIME ZONE 'UTC')
ON CONFLICT (name) DO UPDATE SET covered = excluded.covered, next = excluded.next, next_xid = excluded.next_xid, seen_at = excluded.seen_at
WHERE r.covered IS NOT DISTINCT FROM ?::bigint`;

/** A condition on the accounts `a` of a statement, with its parameter. */
export const among = (userIds: readonly number[] | null): { sql: string; values: string[] } =>
  userIds === null
    ? { sql: '', values: [] }
    : { sql: 'AND a.user_id = ANY (?::bigint[])', values: [arrayLiteral(userIds)] };
