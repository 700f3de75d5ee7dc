/**
 * What stands for a protected piece while a vendor has the text: `{0}`, `{1}` … This form is what software texts are full of, so machine
 * translation has learned to leave it alone, and it is pure ASCII. Nothing of this form in a text itself is ever sent ({@link PLACEHOLDER_LIKE}
 * is protected like an address): whatever of it comes back is a mask.
 */
import type { TextRange } from './ranges.js';

export const placeholderOf = (index: number): string => `{${index}}`;

/** The masks of a text that {@link placeholderOf} made. */
export const placeholdersOf = (masked: string): TextRange[] =>
  Array.from(masked.matchAll(/\{\d{1,4}\}/g), ({ 0: mask, index }) => ({ start: index, end: index + mask.length }));

const inside = String.raw`\s{0,2}(\p{Nd}{1,4})\s{0,2}`;
const BRACES = String.raw`[{｛﹛]${inside}[}｝﹜]`;
const BRACKETS = String.raw`[[［【〔]${inside}[\]］】〕]`;

/** Everything that {@link readPlaceholders} can take for a mask. */
export const PLACEHOLDER_LIKE = new RegExp(`${BRACES}|${BRACKETS}`, 'gu');

export type ReadPlaceholder = TextRange & { readonly index: number };

/**
 * The masks of an answer, the harmless damage of translation forgiven: blanks and full-width forms, digits of another script; square
 * brackets for those of the `count` masks that are nowhere in braces. An index may come twice, or be none of the `count`.
 */
export const readPlaceholders = (answer: string, count: number): readonly ReadPlaceholder[] => {
  const braced = read(answer, new RegExp(BRACES, 'gu'));
  const seen = new Set(braced.map(({ index }) => index));
  if (seen.size >= count) return braced;
  const bracketed = read(answer, new RegExp(BRACKETS, 'gu')).filter(({ index }) => index < count && !seen.has(index));
  return [...braced, ...bracketed].sort((a, b) => a.start - b.start);
};

const read = (answer: string, pattern: RegExp): ReadPlaceholder[] =>
  Array.from(answer.matchAll(pattern), ({ 0: mask, 1: digits = '', index }) => ({
    start: index,
    end: index + mask.length,
    index: numberOf(digits),
  }));

const numberOf = (digits: string): number =>
  Number(/^\d+$/.test(digits) ? digits : Array.from(digits, digitOf).join(''));

// The digits of every script stand in tens from 0 to 9, and no two tens of different alignment touch.
const digitOf = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0;
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
};
