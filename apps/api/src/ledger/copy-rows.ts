import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Milliseconds between 1970 and 2000, where PostgreSQL's binary times begin. */
const EPOCH_2000_MS = 946_684_800_000;
const SIGNATURE_BYTES = 19;

/** Reads one row of a binary COPY, field after field. */
export class Fields {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Stands on the first field of the row at `at`. */
  begin(bytes: Buffer, at: number): void {
    this.#bytes = bytes;
    this.#at = at + 2;
  }

  /** A smallint, int or bigint; null for NULL. */
  int(): number | null {
    const length = this.#length();
    if (length < 0) return null;
    const at = this.#at;
    this.#at += length;
    if (length === 2) return this.#bytes.readInt16BE(at);
    if (length === 4) return this.#bytes.readInt32BE(at);
    return this.#bytes.readInt32BE(at) * 4294967296 + this.#bytes.readUInt32BE(at + 4);
  }

  /** A timestamptz in milliseconds. */
  time(): number | null {
    const micros = this.int();
    return micros === null ? null : micros / 1000 + EPOCH_2000_MS;
  }

  /** A bytea in hex. */
  hex(): string {
    const length = Math.max(0, this.#length());
    this.#at += length;
    return this.#bytes.toString('hex', this.#at - length, this.#at);
  }

  uuid(): string {
    const hex = this.hex();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  text(): string {
    const length = Math.max(0, this.#length());
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  #length(): number {
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    return length;
  }
}

/** The rows of a query in its order, as a stream of constant memory; `head` is the next one, undefined after the last. */
export class CopyRows<T> {
  #rows: T[] = [];
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #atStart = true;
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  readonly #fields = new Fields();

  private constructor(
    stream: Readable,
    private readonly parse: (fields: Fields) => T,
  ) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  static async of<T>(client: pg.ClientBase, select: string, parse: (fields: Fields) => T): Promise<CopyRows<T>> {
    const stream = client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`));
    const rows = new CopyRows(stream, parse);
    await rows.#load();
    return rows;
  }

  get head(): T | undefined {
    return this.#rows[this.#at];
  }

  async shift(): Promise<void> {
    this.#at++;
    if (this.#at >= this.#rows.length) await this.#load();
  }

  async #load(): Promise<void> {
    this.#rows = [];
    this.#at = 0;
    while (this.#rows.length === 0) {
      const chunk = await this.#chunks.next();
      if (chunk.done) return;
      this.#take(this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk.value]) : chunk.value);
    }
  }

  #take(bytes: Buffer): void {
    let at = 0;
    if (this.#atStart) {
      if (bytes.length < SIGNATURE_BYTES) return void (this.#rest = bytes);
      this.#atStart = false;
      at = SIGNATURE_BYTES;
    }
    for (let end = rowEnd(bytes, at); end > 0; end = rowEnd(bytes, at)) {
      this.#fields.begin(bytes, at);
      this.#rows.push(this.parse(this.#fields));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}

/** Where the row at `at` ends; -1 when it is not there completely, or at the trailer. */
function rowEnd(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length) return -1;
  const count = bytes.readInt16BE(at);
  if (count < 0) return -1;
  let end = at + 2;
  for (let i = 0; i < count; i++) {
    if (end + 4 > bytes.length) return -1;
    end += 4 + Math.max(0, bytes.readInt32BE(end));
  }
  return end <= bytes.length ? end : -1;
}
