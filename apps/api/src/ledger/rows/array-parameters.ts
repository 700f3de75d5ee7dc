const INT8 = 20;
const HEADER_BYTES = 20;

/** Builds a bigint[] parameter in PostgreSQL's binary form: the server reads it several times faster than the text form. */
export class BigintArray {
  readonly #bytes: Buffer;
  #at = HEADER_BYTES;
  #length = 0;
  #hasNull = 0;

  /** `bytes`: of the length that `bytesFor` returns. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static bytesFor(capacity: number): number {
    return HEADER_BYTES + 12 * capacity;
  }

  push(n: number | null): void {
    this.#length++;
    if (n === null) {
      this.#hasNull = 1;
      this.#at = this.#bytes.writeInt32BE(-1, this.#at);
      return;
    }
    const at = this.#bytes.writeInt32BE(8, this.#at);
    this.#bytes.writeInt32BE(Math.floor(n / 4294967296), at);
    this.#at = this.#bytes.writeUInt32BE(n >>> 0, at + 4);
  }

  /** The value of a single row, as a bigint parameter. */
  get scalar(): Buffer | null {
    return this.#hasNull ? null : this.#bytes.subarray(HEADER_BYTES + 4, HEADER_BYTES + 12);
  }

  get array(): Buffer {
    let at = this.#bytes.writeInt32BE(Math.min(this.#length, 1), 0); // dimensions
    at = this.#bytes.writeInt32BE(this.#hasNull, at);
    at = this.#bytes.writeInt32BE(INT8, at);
    if (this.#length === 0) return this.#bytes.subarray(0, at);
    at = this.#bytes.writeInt32BE(this.#length, at);
    this.#bytes.writeInt32BE(1, at); // lower bound
    return this.#bytes.subarray(0, this.#at);
  }
}

/** Builds a text[] (uuid[], inet[] …) parameter in its text form. */
export class TextArray {
  readonly #items: string[] = [];

  /** `text` of any content. */
  push(text: string): void {
    this.#items.push(text);
  }

  get scalar(): string | null {
    return this.#items[0] ?? null;
  }

  get array(): string {
    return arrayLiteral(this.#items.map((text) => (PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`)));
  }
}

const PLAIN = /^(?!null$)[0-9a-z.:_-]+$/i;

/** An array in its text form, of numbers and of texts that need no quotes: ids, hashes, lists of digits. */
export const arrayLiteral = (values: Iterable<string | number | null>): string =>
  `{${Array.from(values, (value) => value ?? 'NULL').join(',')}}`;

/** An array of existing values that need no quotes. */
export class LiteralArray {
  constructor(private readonly items: readonly (string | number | null)[]) {}

  get scalar(): string | number | null {
    return this.items[0] ?? null;
  }

  get array(): string {
    return arrayLiteral(this.items);
  }
}

/** A parameter that is the same for all rows. */
export const scalar = (value: number): Parameter => ({ scalar: value, array: value });

/** A parameter of a statement over rows: the values of all rows, or the value of a single row. */
export type Parameter = {
  readonly scalar: Buffer | string | number | null;
  readonly array: Buffer | string | number;
};

/** Allocates several bigint arrays in one buffer. */
export class BigintArrays {
  readonly #bytes: number;
  readonly #memory: Buffer;
  #at = 0;

  constructor(size: number, arrays: number) {
    this.#bytes = BigintArray.bytesFor(size);
    this.#memory = Buffer.allocUnsafe(this.#bytes * arrays);
  }

  next(): BigintArray {
    return new BigintArray(this.#memory.subarray(this.#at, (this.#at += this.#bytes)));
  }
}
