import { isWide } from '../engines/pictures/fonts.js';
import type { Align, Box, DrawnBlock } from '../engines/pictures/jobs.js';
import type { Line } from './reader.js';
import { around, joined } from './reading.js';
import { withStrays } from './ocr-noise.js';

/** A unit of translation and drawing: a paragraph, a title, a cell of a table. */
export type Block = { readonly box: Box; readonly text: string; readonly lines: readonly Line[]; readonly em: number };

/** Groups continuous lines, in reading order. */
export function blocksOf(lines: readonly Line[]): readonly Block[] {
  const open: Line[][] = [];
  for (const line of lines.toSorted((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])) {
    const before = open.find((block) => runsOn(block, line, lines));
    if (before) before.push(line);
    else open.push([line]);
  }
  return evened(withStrays(open).map(blockOf));
}

/** Evens out nearly equal sizes, because the measured size depends on the letters. */
function evened(blocks: readonly Block[]): readonly Block[] {
  const groups: Block[][] = [];
  for (const block of blocks.toSorted((a, b) => a.em - b.em)) {
    const group = groups.at(-1);
    if (group && block.em < 1.16 * (group[0]?.em ?? 0)) group.push(block);
    else groups.push([block]);
  }
  const sizes = new Map(
    groups.flatMap((group) => group.map((block) => [block, group[group.length >> 1]?.em] as const)),
  );
  return blocks.map((block) => ({ ...block, em: sizes.get(block) ?? block.em }));
}

function blockOf(lines: readonly Line[]): Block {
  const ems = lines.map(emOf).sort((a, b) => a - b);
  const em = ems[ems.length >> 1] ?? 0;
  return { box: around(lines.map(({ box }) => box)), text: joined(lines), lines, em };
}

const emOf = ({ em, box }: Line): number => em ?? box[3];

/** No more than fits into one translation request. */
const LINES_MOST = 40;

/** Whether `line` continues this block: below it, of the same size, and broken only because the previous line was full. */
function runsOn(block: readonly Line[], line: Line, all: readonly Line[]): boolean {
  const last = block.at(-1);
  if (!last || block.length >= LINES_MOST) return false;
  const [em, next] = [emOf(last), emOf(line)];
  if (Math.max(em, next) > 1.28 * Math.min(em, next)) return false;
  const gap = line.box[1] - (last.box[1] + last.box[3]);
  if (gap < -0.4 * em || gap > 1.1 * em) return false;
  const [left, right] = [Math.min(...block.map(({ box }) => box[0])), Math.max(...block.map(({ box }) => end(box)))];
  if (line.box[0] > right || end(line.box) < left) return false;
  if (BEGINS.test(line.text) || sharesRow(last, all) || sharesRow(line, all)) return isContinued(last, line);
  return isFull(last, line, { left, right }) || isContinued(last, line);
}

/** The beginning of a list item. */
const BEGINS = /^(?:[•·▪◦●○■□◆*–—-]\s|[([（]?\d{1,2}[.)）、]\s?\D|[①-⑳])/u;

/** Whether a line is a cell of a table or a value beside its name; adjacent columns of running text have full lines. */
function sharesRow(line: Line, all: readonly Line[]): boolean {
  const words = isWide(line.text) ? [...line.text].length / 4 : line.words.length;
  if (words >= 4) return false;
  return all.some(
    (other) => other !== line && Math.abs(middleOf(other) - middleOf(line)) < 0.4 * Math.min(other.box[3], line.box[3]),
  );
}

/** Whether the sentence continues. */
const isContinued = (last: Line, line: Line): boolean =>
  /[\p{Ll}\p{Lu},]$/u.test(last.text) &&
  /^\p{Ll}/u.test(line.text) &&
  Math.abs(last.box[0] - line.box[0]) < 2 * emOf(line);

/** Whether the beginning of the next line would not have fitted into this one. */
function isFull(last: Line, line: Line, { left, right }: { left: number; right: number }): boolean {
  const em = emOf(last);
  const wide = isWide([...line.text][0] ?? '');
  const [first] = line.words;
  const needed = wide ? 1.3 * em : (first?.box[2] ?? em) + 0.3 * em;
  const column = Math.max(right, end(line.box));
  const isLong = wide ? last.box[2] > 6 * em : last.words.length >= 3;
  if (!isLong) return false;
  const centred = Math.abs(last.box[0] + end(last.box) - line.box[0] - end(line.box)) < em;
  const indent = Math.max(2.6 * em, centred ? Number.POSITIVE_INFINITY : 0);
  // A new paragraph may be indented, but never follows a line with room.
  if (Math.abs(last.box[0] - line.box[0]) > indent && last.box[0] - left > 0.6 * em) return false;
  if (line.box[0] - left > 1.2 * em && !centred) return false;
  return end(last.box) + needed > column;
}

const end = ([x, , width]: Box): number => x + width;
const middleOf = ({ box }: Line): number => box[1] + box[3] / 2;

/** The replacement of a block. */
export function drawn({ lines, em }: Block, text: string): DrawnBlock {
  const middles = lines.map(visibleMiddle);
  const [first = 0, last = 0] = [middles[0], middles.at(-1)];
  return {
    lines: lines.map(({ box }, at) => ({ box, middle: middles[at] ?? 0 })),
    text,
    em,
    wide: lines.every(({ text: written }) => [...written].filter(isWide).length > [...written].length / 2),
    pitch: lines.length > 1 ? (last - first) / (lines.length - 1) : em * 1.3,
    align: alignOf(lines, em),
  };
}

/** Letters sit on a baseline, some with descenders; wide characters fill their square. */
const visibleMiddle = (line: Line): number =>
  line.baseline === null || [...line.text].some(isWide) ? middleOf(line) : line.baseline - 0.36 * emOf(line);

function alignOf(lines: readonly Line[], em: number): Align | null {
  if (lines.length < 2) return null;
  const even = (of: (box: Box) => number, among: readonly Line[]): boolean => {
    const all = among.map(({ box }) => of(box));
    return Math.max(...all) - Math.min(...all) < 0.5 * em;
  };
  // The first line may be indented.
  if (even(([x]) => x, lines.length > 2 ? lines.slice(1) : lines)) return 'left';
  if (even(([x, , width]) => x + width / 2, lines)) return 'centre';
  return even(end, lines) ? 'right' : 'left';
}
