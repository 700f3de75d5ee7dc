import type { TextRange } from './ranges.js';

/** The limits of one request to a vendor. */
export type TextLimits = {
  /** Unicode code points. */
  readonly charsPerRequest: number;
  /** Of the request's body as UTF-8, where the vendor limits it, too. */
  readonly bytesPerRequest: number | null;
  readonly textsPerRequest: number;
};

/** The size of a text in a request: code points, and bytes in a JSON string. */
type Size = { readonly characters: number; readonly bytes: number };

/** The size of a request's body besides its texts: languages and options once, a field's name and quotes with each text. */
export const ENVELOPE_BYTES = 1024;
export const FIELD_BYTES = 16;

/** The room for the texts of one request, FIELD_BYTES for each of them included. */
const roomOf = ({ charsPerRequest, bytesPerRequest }: TextLimits): Size => ({
  characters: charsPerRequest,
  bytes: bytesPerRequest === null ? Infinity : bytesPerRequest - ENVELOPE_BYTES,
});

export const sizeOf = (text: string): Size => {
  const { characters, bytes } = measure(text);
  return { characters: characters[text.length] ?? 0, bytes: bytes[text.length] ?? 0 };
};

/** The sizes of a text's prefixes: at `n`, of its first n UTF-16 units. */
type Measure = { readonly characters: Uint32Array; readonly bytes: Uint32Array };

const measure = (text: string): Measure => {
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

// A surrogate is half of four bytes; control characters are written as \u0000, quotes and backslashes with a backslash.
const jsonBytes = (unit: number): number => {
  if (unit < 0x20) return 6;
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
};

/** A segment of a text: `asked` ones go to a vendor, the others stay unchanged. Joined they are the text. */
export type Segment = { readonly text: string; readonly asked: boolean };

/**
 * Splits a text for a vendor: each segment to translate fits into one request, contains a letter, and neither begins nor ends with white
 * space. Splits at the largest units possible: paragraphs, else lines, sentences, words, grapheme clusters; within one of the `whole` ranges
 * (placeholders, links: in order, disjoint) only when it alone is too long.
 */
export const split = (text: string, limits: TextLimits, whole: readonly TextRange[]): Segment[] => {
  const cut = new Cutter(text, limits, whole);
  return cut.all().flatMap(({ start, end }) => stretches(text.slice(start, end)));
};

const stretches = (part: string): Segment[] => {
  const body = part.trim();
  const start = body === '' ? part.length : part.indexOf(body);
  return [
    { text: part.slice(0, start), asked: false },
    { text: body, asked: /\p{L}/u.test(body) },
    { text: part.slice(start + body.length), asked: false },
  ].filter((stretch) => stretch.text !== '');
};

class Cutter {
  private readonly found: TextRange[] = [];
  private readonly fits: (start: number, end: number) => boolean;

  constructor(
    private readonly text: string,
    limits: TextLimits,
    private readonly whole: readonly TextRange[],
  ) {
    const room = roomOf(limits);
    const { characters, bytes } = measure(text);
    const between = (sizes: Uint32Array, start: number, end: number): number => (sizes[end] ?? 0) - (sizes[start] ?? 0);
    this.fits = (start, end) =>
      between(characters, start, end) <= room.characters && between(bytes, start, end) + FIELD_BYTES <= room.bytes;
  }

  all(): readonly TextRange[] {
    this.cut({ start: 0, end: this.text.length }, 0);
    return this.found;
  }

  // Joins as many parts as fit, because vendors translate better with context.
  private cut({ start, end }: TextRange, level: number): void {
    const ends = LEVELS[level];
    if (start === end) return;
    if (ends === undefined || this.fits(start, end)) {
      this.found.push({ start, end });
      return;
    }
    let from = start;
    let to = start;
    for (const next of this.outside(ends(this.text.slice(start, end)), level, { start, end })) {
      if (this.fits(from, next)) {
        to = next;
        continue;
      }
      if (from < to) this.found.push({ start: from, end: to });
      from = to;
      if (!this.fits(from, next)) {
        this.cut({ start: from, end: next }, level + 1);
        from = next;
      }
      to = next;
    }
    if (from < to) this.found.push({ start: from, end: to });
  }

  // Below words the whole ranges must be cut.
  private *outside(ends: Iterable<number>, level: number, { start, end }: TextRange): Iterable<number> {
    let next = 0;
    for (const relative of ends) {
      const at = start + relative;
      while ((this.whole[next]?.end ?? Infinity) <= at) next += 1;
      const inside = (this.whole[next]?.start ?? Infinity) < at;
      if (!inside || level > LAST_WHOLE) yield at;
    }
    yield end;
  }
}

/** The ends of the parts of a text; its own end may be left out. */
type Ends = (text: string) => Iterable<number>;

const after =
  (pattern: RegExp): Ends =>
  (text) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => index + found.length);

const segments = (granularity: 'sentence' | 'word' | 'grapheme'): Ends => {
  const segmenter = new Intl.Segmenter('und', { granularity });
  return function* (text) {
    for (const { segment, index } of segmenter.segment(text)) yield index + segment.length;
  };
};

const LEVELS: readonly Ends[] = [
  after(/(?:\r\n|[\n\u2028\u2029])\s*(?:\r\n|[\n\u2028\u2029])\s*/gu),
  after(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu),
  segments('sentence'),
  segments('word'),
  segments('grapheme'),
  segments('grapheme'),
  function* (text) {
    let at = 0;
    for (const character of text) yield (at += character.length);
  },
];
// The first pass over characters keeps the whole ranges; the next one cuts those that alone are too long.
const LAST_WHOLE = 4;

/** Groups the pieces of {@link prepare} into requests, in order, as many per request as the vendor takes. Returns their indexes. */
export const pack = (pieces: readonly string[], limits: TextLimits): readonly (readonly number[])[] => {
  const room = roomOf(limits);
  const requests: number[][] = [];
  let request: number[] = [];
  let characters = 0;
  let bytes = 0;
  for (const [index, piece] of pieces.entries()) {
    const size = sizeOf(piece);
    const full =
      request.length >= limits.textsPerRequest ||
      characters + size.characters > room.characters ||
      bytes + size.bytes + FIELD_BYTES > room.bytes;
    if (request.length === 0 || full) {
      request = [];
      requests.push(request);
      characters = bytes = 0;
    }
    request.push(index);
    characters += size.characters;
    bytes += size.bytes + FIELD_BYTES;
  }
  return requests;
};
