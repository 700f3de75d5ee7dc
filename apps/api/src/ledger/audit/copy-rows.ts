import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Milliseconds between 1970 and 2000, the epoch of PostgreSQL's binary times. */
const EPOCH_2000_MS = 946_684_800_000;
const SIGNATURE_BYTES = 19;
const EMPTY = Buffer.alloc(0);

/**
 * A cursor over the rows of a query by binary COPY, in constant memory. Fields are decoded in place, without an object per row.
 * `while (rows.live) { …; rows.next() || (await rows.fill()); }` waits only if the next row has not arrived yet.
 */
export class CopyRows {
  /** The buffer of the current row; replaced by every `fill`. */
  bytes: Buffer = EMPTY;
  view: DataView = new DataView(EMPTY.buffer, 0, 0);
  /** The offset of each field of the current row; −1 for NULL. */
  readonly at: Int32Array;
  readonly #lengths: Int32Array;
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #end = 0;
  #atStart = true;
  #live = false;

  private constructor(stream: Readable, columns: number) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    this.at = new Int32Array(columns);
    this.#lengths = new Int32Array(columns);
  }

  /** `select` returns `columns` columns. The cursor is on the first row. */
  static of(client: pg.ClientBase, select: string, columns: number): Promise<CopyRows> {
    const copy = copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`, { highWaterMark: 1 << 16 });
    return CopyRows.from(client.query(copy), columns);
  }

  /** The same for any stream of binary COPY. */
  static async from(stream: Readable, columns: number): Promise<CopyRows> {
    const rows = new CopyRows(stream, columns);
    await rows.fill();
    return rows;
  }

  /** Whether the cursor is on a row; false after the last one. */
  get live(): boolean {
    return this.#live;
  }

  /** Moves to the next row. False if it has not arrived yet or there is none; `fill` finds out which. */
  next(): boolean {
    const { view, at } = this;
    const length = view.byteLength;
    let end = this.#end;
    // The trailer has −1 fields.
    if (end + 2 > length || view.getInt16(end) < 0) return (this.#live = false);
    end += 2;
    for (let i = 0; i < at.length; i++) {
      if (end + 4 > length) return (this.#live = false);
      const size = view.getInt32(end);
      end += 4;
      this.#lengths[i] = size;
      if (size < 0) at[i] = -1;
      else {
        at[i] = end;
        end += size;
      }
    }
    if (end > length) return (this.#live = false);
    this.#end = end;
    return (this.#live = true);
  }

  /** Waits for the next row; false at the end. */
  async fill(): Promise<boolean> {
    do {
      const chunk = await this.#chunks.next();
      if (chunk.done) return false;
      const rest = this.bytes.subarray(this.#end);
      this.bytes = rest.length > 0 ? Buffer.concat([rest, chunk.value]) : chunk.value;
      this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
      this.#end = 0;
      if (this.#atStart && this.bytes.length >= SIGNATURE_BYTES) {
        this.#atStart = false;
        this.#end = SIGNATURE_BYTES;
      }
    } while (this.#atStart || !this.next());
    return true;
  }

  isNull(column: number): boolean {
    return this.#offset(column) < 0;
  }

  /** The length of a field in bytes. */
  lengthOf(column: number): number {
    return this.#lengths[column] ?? -1;
  }

  /** A smallint, int or bigint that is not NULL; beyond the safe integers it is rounded. */
  int(column: number): number {
    const at = this.#offset(column);
    if (at < 0) return Number.NaN;
    const length = this.#lengths[column];
    if (length === 2) return this.view.getInt16(at);
    if (length === 4) return this.view.getInt32(at);
    return this.view.getInt32(at) * 4294967296 + this.view.getUint32(at + 4);
  }

  intOrNull(column: number): number | null {
    return this.#offset(column) < 0 ? null : this.int(column);
  }

  /** A timestamptz in milliseconds; not whole when it has microseconds. */
  time(column: number): number {
    const at = this.#offset(column);
    return at < 0 ? Number.NaN : timeAt(this.view, at);
  }

  timeOrNull(column: number): number | null {
    return this.#offset(column) < 0 ? null : this.time(column);
  }

  /** A bytea or UUID in hex. */
  hex(column: number): string {
    const at = this.#offset(column);
    return this.bytes.toString('hex', at, at + this.lengthOf(column));
  }

  uuid(column: number): string {
    const hex = this.hex(column);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  text(column: number): string {
    const at = this.#offset(column);
    return this.bytes.toString('utf8', at, at + this.lengthOf(column));
  }

  #offset(column: number): number {
    return this.at[column] ?? -1;
  }
}

/**
 * The timestamptz at `at` in milliseconds. Its microseconds exceed the safe integers in the year 9999, so each half is divided by 1000
 * separately (2³² = 4,294,967 · 1000 + 296).
 */
export function timeAt(view: DataView, at: number): number {
  const high = view.getInt32(at);
  return high * 4_294_967 + (high * 296 + view.getUint32(at + 4)) / 1000 + EPOCH_2000_MS;
}
