import { isWide } from '../engines/pictures/fonts.js';
import type { Box, ReadLine, Word } from '../engines/pictures/jobs.js';
import type { Line } from './reader.js';

/** Percent: below this confidence it is a smudge, a barcode or a drawing. */
const SURE = 40;
const SURE_OF_LINE = 58;
const LETTER = /[\p{L}\p{N}]/u;
/** Characters that rules, frames and barcodes are mistaken for. */
const STROKES = /^[|Il1!i.,:;'"`_\-–—=~/\\()[\]{}ı]+$/u;

/** Whether a recognised line is really text. */
export function isCertain(line: ReadLine): boolean {
  const words = line.words.filter(({ text }) => LETTER.test(text));
  if (words.length === 0) return false;
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  return mean >= SURE_OF_LINE && !STROKES.test(words.map(({ text }) => text).join(''));
}

/** The clockwise rotation in degrees that makes the lines level; 0 when they are. */
export function turnOf(lines: readonly ReadLine[]): number {
  const turned = median(lines.map((line) => ({ value: line.turned, weight: widthOf(line) })));
  if (turned !== 0) return turned;
  // A short line says little about its slope.
  const long = lines.filter((line) => widthOf(line) > 3 * (line.height ?? 0));
  const slope = median(long.map((line) => ({ value: line.slope, weight: widthOf(line) })));
  const degrees = (-Math.atan(slope) * 180) / Math.PI;
  return Math.abs(degrees) < 0.4 || Math.abs(degrees) > 45 ? 0 : Math.round(degrees * 10) / 10;
}

/** Prepares lines for translation: without noise, and split at wide gaps. */
export function tidy(lines: readonly ReadLine[]): readonly Line[] {
  return lines.flatMap((line) => partsOf(line).map((words) => lineOf(line, words)));
}

function partsOf(line: ReadLine): Word[][] {
  const words = line.words.filter(({ text, confidence, box }) => isWord(text, confidence) && box[2] > 0 && box[3] > 0);
  const height = line.height ?? median(words.map(({ box }) => ({ value: box[3], weight: box[2] })));
  const parts: Word[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of words.toSorted((a, b) => a.box[0] - b.box[0])) {
    if (word.box[0] - end > gapOf(word.text) * height) parts.push([word]);
    else parts.at(-1)?.push(word);
    end = Math.max(end, word.box[0] + word.box[2]);
  }
  return parts.filter((part) => part.some(({ text }) => LETTER.test(text)));
}

/** In ems: wider than a space between words, narrower than a gap between columns. */
const gapOf = (text: string): number => (isWide(text) ? 1.6 : 1.15);

const isWord = (text: string, confidence: number): boolean =>
  LETTER.test(text) ? confidence >= SURE || isWide(text) : confidence >= 60 && !/^[|_\-–—=~]+$/u.test(text);

function lineOf(line: ReadLine, words: readonly Word[]): Line {
  const text = joined(words);
  const box = around(words.map((word) => word.box));
  return { box, text, words, em: emOf(line, { text, box }), baseline: line.baseline };
}

/** Joins words, without a space between wide characters. */
export function joined(words: readonly { readonly text: string }[]): string {
  let text = '';
  for (const word of words) {
    const [before, after] = [[...text].at(-1) ?? '', [...word.text][0] ?? ''];
    const isClose = isWide(before) || isWide(after) || text === '';
    text += (isClose && !(LATIN.test(before) || LATIN.test(after)) ? '' : text === '' ? '' : ' ') + word.text;
  }
  return text;
}
const LATIN = /[\p{Script=Latin}\p{Script=Hangul}\p{Nd}]/u;

/** The size of wide characters follows from the length of their line, that of other letters from their height. */
function emOf(line: ReadLine, { text, box }: { text: string; box: Box }): number | null {
  const characters = [...text];
  const wide = characters.filter(isWide).length;
  if (wide >= 5 && wide >= characters.length * 0.9) {
    const byLength = box[2] / (characters.length - 0.1);
    // The measured height of loosely set lines includes some of their spacing.
    if (byLength > box[3] * 0.5 && byLength < box[3] * 1.6) return byLength;
  }
  return wide > characters.length / 2 ? box[3] / 0.93 : line.height;
}

export function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(([x]) => x));
  const top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , width]) => x + width));
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}

const widthOf = ({ words }: ReadLine): number => around(words.map(({ box }) => box))[2];

/** The weighted median; 0 when empty. */
function median(all: readonly { value: number; weight: number }[]): number {
  const sorted = all.toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    if (passed >= half) return value;
  }
  return 0;
}
