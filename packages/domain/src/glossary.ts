/** A member's own words: how a term is to be translated, and where a text holds it. Used by the server and by what highlights terms. */
import { GLOSSARY_TERM_MAX } from './limits.js';
import { codePoints, isSafeText } from './members.js';

/** What is written in the source language, and what it is called in the target language. Both as {@link tidyTerm} leaves them. */
export type Term = { readonly term: string; readonly translation: string };

/** A term in a text, in UTF-16 units, `end` excluded. */
export type FoundTerm = Term & { readonly start: number; readonly end: number };

/** A stretch of a text that is not the terms' to change: a term may hold all of it (the 11 of "Windows 11"), never a part. */
export type FixedSpan = { readonly start: number; readonly end: number };

/** NFC, trimmed, any white space one blank. */
export const tidyTerm = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Whether a tidied text will do as a term or as its translation: 1–200 code points, no controls. */
export const isTermText = (text: string): boolean =>
  text !== '' && codePoints(text) <= GLOSSARY_TERM_MAX && isSafeText(text) && text.isWellFormed();

/** Whether there is anything in a tidied term to look for: a letter or a digit. */
export const canBeFound = (term: string): boolean => /[\p{L}\p{N}]/u.test(term);

/** The form under which a term is unique within its pair of languages: terms of one key would be found in the same places. */
export const termKey = (term: string): string => (isExact(term) ? `=${spell(term, 'exact')}` : spell(term, 'folded'));

/** iPhone, USB, 5G: with a capital inside it is a name, and another word without it. */
const isExact = (term: string): boolean => /[\p{L}\p{N}]\p{M}*\p{Lu}/u.test(term);

type Entry = Term & { readonly folded: string; readonly exact: string | null };

/** Terms of one pair of languages, arranged for finding them: made once, used for any number of texts. */
export class TermIndex {
  /** By the number that {@link Folded.number} gives to all of a term: those of one number need not be equal. */
  readonly #entries = new Map<number, Entry[]>();
  /** By the first character of a term: the lengths that such terms have, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  constructor(terms: readonly Term[]) {
    for (const { term, translation } of terms) {
      const { folded, number } = fold(term);
      const entry: Entry = { term, translation, folded, exact: isExact(term) ? spell(term, 'exact') : null };
      const key = number(0, folded.length);
      const known = this.#entries.get(key);
      if (!known) this.#entries.set(key, [entry]);
      else if (entry.exact === null) known.push(entry);
      else known.unshift(entry);
      const lengths = this.#lengths.get(folded.charAt(0)) ?? [];
      if (!lengths.includes(folded.length)) lengths.push(folded.length);
      this.#lengths.set(folded.charAt(0), lengths);
    }
    for (const lengths of this.#lengths.values()) lengths.sort((a, b) => b - a);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /**
   * The terms of a text in their order, none overlapping another: from each place the longest. Words of scripts with blanks between words
   * are found whole, others anywhere; case counts only for terms with a capital inside. `fixed`: in order, apart. Takes time in proportion
   * to the text and to how many lengths terms with the same beginning have.
   */
  find(text: string, fixed: readonly FixedSpan[] = []): FoundTerm[] {
    const found: FoundTerm[] = [];
    if (this.isEmpty) return found;
    const { folded, origins, number } = fold(text);
    let next = 0;
    for (let at = 0; at < folded.length; at += 1) {
      const start = origins[at] ?? -1;
      const lengths = start < 0 ? undefined : this.#lengths.get(folded.charAt(at));
      if (!lengths) continue;
      while ((fixed[next]?.end ?? Infinity) <= start) next += 1;
      for (const length of lengths) {
        const end = origins[at + length] ?? -1;
        const entries = end < 0 ? undefined : this.#entries.get(number(at, at + length));
        if (!entries || !isApart(folded, at, at + length) || cuts(fixed, next, { start, end })) continue;
        const entry = entryFor(entries, folded.slice(at, at + length), text.slice(start, end));
        if (!entry) continue;
        found.push({ start, end, term: entry.term, translation: entry.translation });
        at += length - 1;
        break;
      }
    }
    return found;
  }
}

const entryFor = (entries: readonly Entry[], folded: string, written: string): Entry | undefined =>
  entries.find((entry) => entry.folded === folded && (entry.exact === null || entry.exact === spell(written, 'exact')));

/** All terms of a family for one pair of languages. `digest`: of their contents, so that what is equal has the same. */
export type PairTerms = {
  readonly familyId: number;
  readonly source: string;
  readonly target: string;
  readonly digest: string;
  readonly list: readonly Term[];
  readonly index: TermIndex;
};

/** The terms of one text. For many texts make a {@link TermIndex} once. */
export const findTerms = (text: string, terms: readonly Term[]): FoundTerm[] => new TermIndex(terms).find(text);

/** Whether a stretch holds a part of what is fixed, and not all of it. Those before number `from` lie before it. */
const cuts = (fixed: readonly FixedSpan[], from: number, { start, end }: FixedSpan): boolean => {
  for (let at = from; (fixed[at]?.start ?? Infinity) < end; at += 1) {
    const span = fixed[at];
    if (span && (span.start < start || span.end > end)) return true;
  }
  return false;
};

/** A character with what belongs to it, or white space within a line, or anything else. */
const UNIT = /[^\S\n\r\v\f\u0085\u2028\u2029]+|\P{M}[\p{M}\u1160-\u11ff]*|\p{M}+/gu;

type Spelling = 'folded' | 'exact';

/** Full-width and half-width, composed and decomposed, curved and straight are one; `folded`: capital and small too. */
const unit = (written: string, spelling: Spelling): string => {
  const plain = /^[^\S\n\r\v\f\u0085\u2028\u2029]/u.test(written)
    ? ' '
    : written.normalize('NFKC').replace(/[‘’ʼ]/gu, "'").replace(/[‐‑]/gu, '-');
  return spelling === 'exact' ? plain : plain.toLowerCase().replaceAll('ς', 'σ');
};

const spell = (text: string, spelling: Spelling): string =>
  (text.match(UNIT) ?? []).map((written) => unit(written, spelling)).join('');

type Folded = {
  readonly folded: string;
  /** Where in the text each unit of `folded` begins; −1 inside of what was one character. At its end the text's end. */
  readonly origins: Int32Array;
  /** Of a stretch of `folded`, in constant time: the same for equal stretches, seldom for others. */
  readonly number: (start: number, end: number) => number;
};

const fold = (text: string): Folded => {
  const units: string[] = [];
  const begins: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length;) {
    const plain = plainly(text, at);
    UNIT.lastIndex = at;
    const written = plain === null ? (UNIT.exec(text)?.[0] ?? text.charAt(at)) : text.charAt(at);
    const folded = plain ?? unit(written, 'folded');
    begins.push(length, at);
    units.push(folded);
    length += folded.length;
    at += written.length;
  }
  const origins = new Int32Array(length + 1).fill(-1);
  for (let nth = 0; nth < begins.length; nth += 2) origins[begins[nth] ?? 0] = begins[nth + 1] ?? 0;
  origins[length] = text.length;
  const folded = units.join('');
  return { folded, origins, number: numbersOf(folded) };
};

/** The folded form of a character that is nothing but itself: of most of all texts. Null: it takes {@link unit} to know. */
const plainly = (text: string, at: number): string | null => {
  const next = text.charCodeAt(at + 1);
  if (next >= 0x300 && !isHan(next)) return null;
  const code = text.charCodeAt(at);
  if (isHan(code) || (code > 0x20 && code < 0x7f && (code < 0x41 || code > 0x5a))) return text.charAt(at);
  return code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : null;
};

const isHan = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff;

const BASE = 0x01000193;

const numbersOf = (text: string): ((start: number, end: number) => number) => {
  const numbers = new Int32Array(text.length + 1);
  const powers = new Int32Array(text.length + 1).fill(1);
  for (let at = 0; at < text.length; at += 1) {
    numbers[at + 1] = Math.imul(numbers[at] ?? 0, BASE) + text.charCodeAt(at);
    powers[at + 1] = Math.imul(powers[at] ?? 0, BASE);
  }
  return (start, end) => ((numbers[end] ?? 0) - Math.imul(numbers[start] ?? 0, powers[end - start] ?? 0)) | 0;
};

/** Scripts that write words without blanks between them; Korean hangs its particles on words. */
const UNSPACED = 'Hani Hira Kana Bopo Hang Thai Laoo Khmr Mymr Tibt Java Bali Yiii Lana'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const WORD = String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_]`;
const ENDS_IN_WORD = new RegExp(`${WORD}$`, 'u');
const BEGINS_IN_WORD = new RegExp(`^${WORD}`, 'u');

/** Whether a stretch ends at words' ends, where its ends are letters of such scripts at all. */
const isApart = (text: string, start: number, end: number): boolean => !joins(text, start) && !joins(text, end);

const joins = (text: string, at: number): boolean =>
  ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at)) && BEGINS_IN_WORD.test(text.slice(at, at + 2));
