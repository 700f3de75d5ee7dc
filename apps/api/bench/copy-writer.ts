import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const CHUNK_BYTES = 1 << 20;
/** The maximum written between two flushes. */
const HEADROOM_BYTES = 1 << 17;
const EPOCH_2000_MS = 946_684_800_000;

/** Writes rows of a table by binary COPY: `row`, then every field in order. */
export class CopyWriter {
  #bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  #at: number;
  readonly #stream: Writable;
  readonly #columns: number;

  constructor(client: pg.ClientBase, table: string, columns: readonly string[]) {
    this.#stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`));
    // Errors reject the pending wait; without one they can be ignored.
    this.#stream.on('error', () => undefined);
    this.#at = this.#bytes.write('PGCOPY\n\xff\r\n\0', 0, 'latin1');
    this.#at = this.#bytes.writeInt32BE(0, this.#at);
    this.#at = this.#bytes.writeInt32BE(0, this.#at);
    this.#columns = columns.length;
  }

  row(): this {
    this.#at = this.#bytes.writeInt16BE(this.#columns, this.#at);
    return this;
  }

  int8(n: number | null): this {
    if (n === null) return this.#null();
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#at = this.#bytes.writeInt32BE(Math.floor(n / 4294967296), this.#at);
    this.#at = this.#bytes.writeUInt32BE(n >>> 0, this.#at);
    return this;
  }

  int4(n: number | null): this {
    if (n === null) return this.#null();
    this.#at = this.#bytes.writeInt32BE(4, this.#at);
    this.#at = this.#bytes.writeInt32BE(n, this.#at);
    return this;
  }

  int2(n: number | null): this {
    if (n === null) return this.#null();
    this.#at = this.#bytes.writeInt32BE(2, this.#at);
    this.#at = this.#bytes.writeInt16BE(n, this.#at);
    return this;
  }

  /** Milliseconds since 1970. */
  time(ms: number | null): this {
    return this.int8(ms === null ? null : (ms - EPOCH_2000_MS) * 1000);
  }

  uuid(text: string): this {
    return this.hex(text.replaceAll('-', ''));
  }

  hex(text: string): this {
    this.#at = this.#bytes.writeInt32BE(text.length / 2, this.#at);
    this.#at += this.#bytes.write(text, this.#at, 'hex');
    return this;
  }

  text(text: string): this {
    const length = Buffer.byteLength(text);
    this.#at = this.#bytes.writeInt32BE(length, this.#at);
    this.#at += this.#bytes.write(text, this.#at);
    return this;
  }

  /** An IPv4 address as PostgreSQL's inet. */
  inet(last: number): this {
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    for (const byte of [2, 32, 0, 4, 192, 0, 2, last]) this.#at = this.#bytes.writeUInt8(byte, this.#at);
    return this;
  }

  /** Sends a nearly full buffer; call it between rows from time to time. */
  async flush(): Promise<void> {
    if (this.#at + HEADROOM_BYTES < CHUNK_BYTES) return;
    await this.#send();
  }

  async end(): Promise<void> {
    this.#at = this.#bytes.writeInt16BE(-1, this.#at);
    await this.#send();
    this.#stream.end();
    await once(this.#stream, 'finish');
  }

  async #send(): Promise<void> {
    const full = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#at = 0;
    if (!this.#stream.write(full)) await once(this.#stream, 'drain');
  }

  #null(): this {
    this.#at = this.#bytes.writeInt32BE(-1, this.#at);
    return this;
  }
}
