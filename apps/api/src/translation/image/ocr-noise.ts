import type { Box } from '../engines/pictures/jobs.js';
import type { Line } from './reader.js';
import { around, joined } from './reading.js';

/** The lines of a paragraph: a shorter block has no gap for a stray line. */
const LINES_LEAST = 3;
/** In ems: lines of one row that are nearer than this belong together. */
const NEAR = 1.6;

/**
 * Merges stray lines into blocks: one in the gap of a paragraph becomes its missing row, one beside a row continues it, and one on top of a
 * row is a duplicate.
 */
export function withStrays(blocks: readonly (readonly Line[])[]): readonly (readonly Line[])[] {
  const kept: Line[][] = [];
  for (const lines of blocks.toSorted((a, b) => b.length - a.length || widthOf(b) - widthOf(a))) {
    const home = lines.length < LINES_LEAST ? kept.find((block) => surrounds(block, lines)) : undefined;
    if (!home) kept.push([...lines]);
    else for (const line of lines) takeIn(home, line);
  }
  return kept.toSorted((a, b) => topOf(a) - topOf(b) || leftOf(a) - leftOf(b));
}

const topOf = ([first]: readonly Line[]): number => first?.box[1] ?? 0;
const leftOf = ([first]: readonly Line[]): number => first?.box[0] ?? 0;
const widthOf = (lines: readonly Line[]): number => around(lines.map(({ box }) => box))[2];

function surrounds(block: readonly Line[], strays: readonly Line[]): boolean {
  if (block.length < LINES_LEAST) return false;
  const [x, y, width, height] = around(block.map(({ box }) => box));
  return strays.every((stray) => {
    const [left, top, w, h] = stray.box;
    if (left < x - h || left + w > x + width + h || top < y || top + h > y + height) return false;
    const row = block.find((line) => inRow(line.box, stray.box));
    return row === undefined || gapOf(row.box, stray.box) < NEAR * Math.max(row.box[3], h);
  });
}

const inRow = ([, top, , height]: Box, [, y, , h]: Box): boolean => y + h / 2 > top && y + h / 2 < top + height;

/** The horizontal gap between two boxes in pixels; negative when they overlap. */
const gapOf = ([a, , aWidth]: Box, [b, , bWidth]: Box): number => Math.max(a, b) - Math.min(a + aWidth, b + bWidth);

function takeIn(block: Line[], stray: Line): void {
  const at = block.findIndex((line) => inRow(line.box, stray.box));
  const row = block[at];
  if (!row) {
    const below = block.findIndex(({ box }) => box[1] > stray.box[1]);
    block.splice(below === -1 ? block.length : below, 0, stray);
    return;
  }
  const isTwice = gapOf(row.box, stray.box) < -0.5 * Math.min(row.box[2], stray.box[2]);
  const pieces = [row, stray].sort((a, b) => a.box[0] - b.box[0]);
  const words = isTwice ? row.words : pieces.flatMap((piece) => piece.words);
  block[at] = { ...row, box: around([row.box, stray.box]), words, text: isTwice ? row.text : joined(words) };
}
