/**
 * Placeholders replace protected pieces in the text for a vendor: `{0}`, `{1}` … Software texts are full of this form, so machine translation
 * has learned to keep it, and it is pure ASCII. Text of this form is protected itself ({@link PLACEHOLDER_LIKE}), so everything like it in an
 * answer is one of our placeholders.
 */
import type { TextRange } from './ranges.js';

export const placeholderOf = (index: number): string => `{${index}}`;

/** The placeholders in a text, as {@link placeholderOf} writes them. */
export const placeholdersOf = (masked: string): TextRange[] =>
  Array.from(masked.matchAll(/\{\d{1,4}\}/g), ({ 0: mask, index }) => ({ start: index, end: index + mask.length }));

const inside = String.raw`\s{0,2}(\p{Nd}{1,4})\s{0,2}`;
const BRACES = String.raw`[{｛﹛]${inside}[}｝﹜]`;
const BRACKETS = String.raw`[[［【〔]${inside}[\]］】〕]`;

/** Everything that {@link readPlaceholders} accepts as a placeholder. */
export const PLACEHOLDER_LIKE = new RegExp(`${BRACES}|${BRACKETS}`, 'gu');

export type ReadPlaceholder = TextRange & { readonly index: number };

/**
 * The placeholders in an answer. Tolerates the harmless damage of translation: spaces, full-width forms, digits of another script, and square
 * brackets for those of the `count` placeholders that do not occur in braces. An index may occur twice or be out of range.
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

// Every script has its digits 0 to 9 in a row, and no two rows of different alignment are adjacent.
const digitOf = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0;
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
};
