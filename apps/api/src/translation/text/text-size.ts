/** What one request of a vendor may carry. */
export type TextLimits = {
  /** Unicode code points. */
  readonly charsPerRequest: number;
  /** Of the request's body as UTF-8, where the vendor counts that too. */
  readonly bytesPerRequest: number | null;
  readonly textsPerRequest: number;
};

/** Of text as it travels: code points, and bytes in a JSON string. */
export type Size = { readonly characters: number; readonly bytes: number };

/** What a request's body holds beside its texts: languages and options once, a field's name and quotes with each text. */
export const ENVELOPE_BYTES = 1024;
export const FIELD_BYTES = 16;

/** What the texts of one request may come to, FIELD_BYTES for each of them included. */
export const roomOf = ({ charsPerRequest, bytesPerRequest }: TextLimits): Size => ({
  characters: charsPerRequest,
  bytes: bytesPerRequest === null ? Infinity : bytesPerRequest - ENVELOPE_BYTES,
});

export const sizeOf = (text: string): Size => {
  const { characters, bytes } = measure(text);
  return { characters: characters[text.length] ?? 0, bytes: bytes[text.length] ?? 0 };
};

/** The sizes of a text's beginnings: at `n`, of its first n UTF-16 units. */
export type Measure = { readonly characters: Uint32Array; readonly bytes: Uint32Array };

export const measure = (text: string): Measure => {
  const characters = new Uint32Array(text.length + 1);
  const bytes = new Uint32Array(text.length + 1);
  let count = 0;
  let size = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const trails = unit >= 0xdc00 && unit <= 0xdfff;
    if (!trails) count += 1;
    size += jsonBytes(unit);
    characters[at + 1] = count;
    bytes[at + 1] = size;
  }
  return { characters, bytes };
};

// A surrogate is half of four bytes; control characters are written \u0000, quotes and backslashes with one more before them.
const jsonBytes = (unit: number): number => {
  if (unit < 0x20) return 6;
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
};
