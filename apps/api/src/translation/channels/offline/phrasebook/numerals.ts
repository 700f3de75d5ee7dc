import type { Token, Tongue } from './tokens.js';

/** `digits`: the value in figures. `isWord`: it was written in words, and small numbers stay so. */
export type Numeral = { readonly end: number; readonly digits: string; readonly isWord: boolean };

const DIGITS = '零一二三四五六七八九';
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000 };
const FIGURE = /^\d+(?:[.,]\d+)*$/;

/** The value of Chinese numerals (二十五, 一百二, 两万); null when they are none. */
export function valueOfChinese(text: string): number | null {
  let [total, section, digit] = [0, 0, 0];
  let lastUnit = 1;
  for (const character of text.replaceAll('两', '二').replaceAll('〇', '零')) {
    const value = DIGITS.indexOf(character);
    const unit = UNITS[character];
    if (value >= 0) digit = value;
    else if (unit === undefined) return null;
    else if (unit === 10_000) {
      total += (section + digit || 1) * unit;
      [section, digit] = [0, 0];
      lastUnit = unit;
    } else {
      section += (digit || 1) * unit;
      digit = 0;
      lastUnit = unit;
    }
  }
  // 一百二 is 120, not 102.
  const short = digit > 0 && lastUnit > 10 && !text.includes('零') && text.length > 2 ? lastUnit / 10 : 1;
  return total + section + digit * short;
}

/** A number at `at` of a Chinese text: figures (with 万) or numerals. */
export function chineseNumber(tokens: readonly Token[], at: number): Numeral | null {
  const first = tokens[at]?.norm ?? '';
  if (FIGURE.test(first)) {
    if (tokens[at + 1]?.norm !== '万') return { end: at + 1, digits: first, isWord: false };
    return { end: at + 2, digits: String(Math.round(Number(first.replaceAll(',', '')) * 10_000)), isWord: false };
  }
  let end = at;
  while (/^[零〇一二两三四五六七八九十百千万]$/.test(tokens[end]?.norm ?? '')) end += 1;
  if (end === at) return null;
  const text = tokens.slice(at, end).map(({ norm }) => norm); // prettier-ignore
  const value = valueOfChinese(text.join(''));
  return value === null ? null : { end, digits: String(value), isWord: true };
}

const ENGLISH = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const CHINESE = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** A number at `at` of an English text: figures, a word up to twelve, or "a" and "a dozen". */
export function englishNumber(tokens: readonly Token[], at: number): Numeral | null {
  const first = tokens[at]?.norm ?? '';
  if (FIGURE.test(first)) return { end: at + 1, digits: first, isWord: false };
  const value = first === 'a' || first === 'an' ? 1 : ENGLISH.indexOf(first);
  return value < 1 ? null : { end: at + 1, digits: String(value), isWord: true };
}

export const sayNumber = ({ digits, isWord }: Numeral, tongue: Tongue): string => {
  const words = tongue === 'zh' ? CHINESE : ENGLISH;
  return (isWord ? words[Number(digits)] : undefined) ?? digits;
};
