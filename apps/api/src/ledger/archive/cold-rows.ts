import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ENTRY_ROW, LINE_ROW } from '../audit/audit-rows.js';
import { CopyRows } from '../audit/copy-rows.js';

/** The two logs of an account (docs/decisions/0075): their tables, their numbers, and the columns that an audit reads. */
export const LOGS = {
  entries: { table: 'account_log', ordinal: 'seq', audited: ENTRY_ROW },
  lines: { table: 'translation_log', ordinal: 'usage_seq', audited: LINE_ROW },
} as const;
export type Log = keyof typeof LOGS;

/** Binary COPY with its columns. */
export type Rows = { columns: readonly string[]; stream: () => Readable };

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const CHUNK_BYTES = 1 << 16;

/**
 * The rows of all parts one after the other, with these columns only: NULL where a part is from before a column. Each part is opened when the one
 * before it has ended, so parts may share a connection.
 */
export function concatenated(parts: AsyncIterable<Rows>, columns: readonly string[]): Readable {
  return Readable.from(chunksOf(parts, columns));
}

async function* chunksOf(parts: AsyncIterable<Rows>, columns: readonly string[]): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [HEADER];
  let bytes = HEADER.length;
  for await (const part of parts) {
    const from = columns.map((column) => part.columns.indexOf(column));
    const rows = await CopyRows.from(part.stream(), part.columns.length);
    for (; rows.live; rows.next() || (await rows.fill())) {
      const row = rowOf(rows, from);
      waiting.push(row);
      bytes += row.length;
      if (bytes < CHUNK_BYTES) continue;
      yield Buffer.concat(waiting);
      [waiting, bytes] = [[], 0];
    }
  }
  yield Buffer.concat([...waiting, TRAILER]);
}

/** `from`: the field of each column; −1 for none. */
function rowOf(rows: CopyRows, from: readonly number[]): Buffer {
  const lengths = from.map((field) => (field < 0 || rows.isNull(field) ? -1 : rows.lengthOf(field)));
  const row = Buffer.allocUnsafe(2 + lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 0));
  let at = row.writeInt16BE(from.length);
  for (const [i, field] of from.entries()) {
    const length = lengths[i] ?? -1;
    at = row.writeInt32BE(length, at);
    if (length < 0) continue;
    const begin = rows.at[field] ?? 0;
    at += rows.bytes.copy(row, at, begin, begin + length);
  }
  return row;
}

/** The rows of an account in the database whose numbers meet `condition`. `columns`: SQL that yields them, if not by their names. */
export const storedRows = (
  client: pg.ClientBase,
  log: Log,
  {
    userId,
    condition,
    columns = LOGS[log].audited,
    select = columns,
  }: { userId: number; condition: string; columns?: readonly string[]; select?: readonly string[] },
): Rows => ({
  columns,
  stream: () => {
    const { table, ordinal } = LOGS[log];
    const sql = `SELECT ${select.join(', ')} FROM ${table} WHERE user_id = ${Number(userId)} AND ${condition} ORDER BY ${ordinal}`;
    return client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT binary)`, { highWaterMark: CHUNK_BYTES }));
  },
});
