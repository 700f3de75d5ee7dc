import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { type Log, LOGS, type Rows, storedRows } from './cold-rows.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Twice as fast as the default and a tenth larger. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Where cold files are kept: encrypted objects that are there as a whole or not at all. The storage of backups is one. Nothing is ever overwritten or
 * removed: a database that is restored to an earlier moment needs the objects that it names.
 */
export interface ColdStorage {
  /** Returns the size and the checksum of what is stored. */
  write(name: string, content: Uint8Array): Promise<{ bytes: number; sha256: string }>;
  /** Throws CommandError if it is missing, damaged, of another key, or differs from `expected`. */
  require(name: string, expected?: { sha256: string }): Promise<Buffer>;
}

/** Rows in an object: some ten MB. */
const PIECE = 50_000;
const NEWLINE = 0x0a;

/** An object with the rows `first` to `last`, by number. */
export type ColdFile = { log: Log; first: number; last: number; name: string; sha256: string; bytes: number };

/** The first line of an object; the rest is binary COPY of `columns`. */
const headSchema = z.object({
  format: z.literal('yiqiao-cold/1'),
  userId: z.int(),
  log: z.enum(['entries', 'lines']),
  first: z.int(),
  last: z.int(),
  columns: z.array(z.string()),
});
type Head = z.output<typeof headSchema>;

/** Another one each time, also for the same rows. */
const nameOf = ({ userId, log, first, last }: Omit<Head, 'format' | 'columns'>): string =>
  `cold/${userId}/${log}-${first}-${last}-${randomBytes(4).toString('hex')}`;

/** Everything of a log is kept, but addresses: they are personal, and no longer needed for anything. */
async function columnsOf(client: pg.ClientBase, log: Log): Promise<{ columns: string[]; select: string[] }> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [LOGS[log].table],
  );
  const columns = rows.map(({ name }) => name);
  return { columns, select: columns.map((name) => (name === 'ip' ? 'NULL::inet' : name)) };
}

/** Writes the rows after `after` up to `upto` of an account's log into sealed objects. */
export async function writeColdFiles(
  { client, storage }: { client: pg.ClientBase; storage: ColdStorage },
  { userId, log, after, upto }: { userId: number; log: Log; after: number; upto: number },
): Promise<ColdFile[]> {
  const shape = await columnsOf(client, log);
  const files: ColdFile[] = [];
  for (let first = after + 1; first <= upto; first += PIECE) {
    const last = Math.min(upto, first + PIECE - 1);
    const condition = `${LOGS[log].ordinal} BETWEEN ${first} AND ${last}`;
    const head: Head = { format: 'yiqiao-cold/1', userId, log, first, last, columns: shape.columns };
    const chunks: Buffer[] = [Buffer.from(`${JSON.stringify(head)}\n`)];
    for await (const chunk of storedRows(client, log, { userId, condition, ...shape }).stream())
      chunks.push(chunk as Buffer);
    const name = nameOf(head);
    files.push({
      log,
      first,
      last,
      name,
      ...(await storage.write(name, await compress(Buffer.concat(chunks), COMPRESSION))),
    });
  }
  return files;
}

/** The rows of an object. Throws CommandError if it is missing, damaged, of another key or not what was written. */
export async function readColdFile(storage: ColdStorage, file: ColdFile): Promise<Rows> {
  const content = await decompress(await storage.require(file.name, file));
  const end = content.indexOf(NEWLINE);
  const { columns } = headSchema.parse(JSON.parse(content.toString('utf8', 0, end)));
  return { columns, stream: () => Readable.from([content.subarray(end + 1)]) };
}

/** The rows of all these objects of one log; each is fetched when it is read. */
export async function* rowsOfFiles(storage: ColdStorage, files: readonly ColdFile[]): AsyncGenerator<Rows> {
  for (const file of files) yield await readColdFile(storage, file);
}

/** The objects of an account's log, the oldest rows first. */
export async function coldFilesOf(client: pg.ClientBase, userId: number): Promise<ColdFile[]> {
  type Row = { log: Log; first: string; last: string; name: string; sha256: string; bytes: string };
  const { rows } = await client.query<Row>(
    `SELECT log, first, last, name, encode(sha256, 'hex') AS sha256, bytes FROM cold_file WHERE user_id = $1 ORDER BY log, last`,
    [userId],
  );
  return rows.map((row) => ({ ...row, first: Number(row.first), last: Number(row.last), bytes: Number(row.bytes) }));
}
