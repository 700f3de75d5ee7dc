import type { Span } from './spans.js';
import { FIELD_BYTES, measure, roomOf, type TextLimits } from './text-size.js';

/** A text in stretches: `asked` are for a vendor, the others stay as they are. Joined they are the text. */
export type Stretch = { readonly text: string; readonly asked: boolean };

/**
 * Cuts a text for a vendor: each asked stretch fits into a request of its own, holds a letter to translate, and neither begins nor ends
 * with white space. Cuts at the largest ends that there are: of paragraphs, else lines, sentences, words, characters as people see them;
 * inside one of the `whole` (masks, addresses: in order, apart) only when it alone is too long.
 */
export const split = (text: string, limits: TextLimits, whole: readonly Span[]): Stretch[] => {
  const cut = new Cutter(text, limits, whole);
  return cut.all().flatMap(({ start, end }) => stretches(text.slice(start, end)));
};

const stretches = (part: string): Stretch[] => {
  const body = part.trim();
  const start = body === '' ? part.length : part.indexOf(body);
  return [
    { text: part.slice(0, start), asked: false },
    { text: body, asked: /\p{L}/u.test(body) },
    { text: part.slice(start + body.length), asked: false },
  ].filter((stretch) => stretch.text !== '');
};

class Cutter {
  private readonly found: Span[] = [];
  private readonly fits: (start: number, end: number) => boolean;

  constructor(
    private readonly text: string,
    limits: TextLimits,
    private readonly whole: readonly Span[],
  ) {
    const room = roomOf(limits);
    const { characters, bytes } = measure(text);
    const between = (sizes: Uint32Array, start: number, end: number): number => (sizes[end] ?? 0) - (sizes[start] ?? 0);
    this.fits = (start, end) =>
      between(characters, start, end) <= room.characters && between(bytes, start, end) + FIELD_BYTES <= room.bytes;
  }

  all(): readonly Span[] {
    this.cut({ start: 0, end: this.text.length }, 0);
    return this.found;
  }

  // As many parts as fit together are one again: a vendor translates better what it sees together.
  private cut({ start, end }: Span, level: number): void {
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

  // Below words nothing is left but to cut what should stay whole.
  private *outside(ends: Iterable<number>, level: number, { start, end }: Span): Iterable<number> {
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

/** Where the parts of a text end, its own end not needed. */
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
// The first pass over characters still keeps what is whole; the next one cuts what alone is too long.
const LAST_WHOLE = 4;
