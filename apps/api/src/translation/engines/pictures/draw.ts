import sharp, { type Sharp } from 'sharp';
import { type Background, backgroundOf, erase, type Space, spaceAround } from './background.js';
import { Canvas } from './canvas.js';
import { isRightToLeft } from './fonts.js';
import { Frame } from './frame.js';
import type { Align, Box, DrawnBlock, Jobs } from './jobs.js';
import { layOut } from './layout.js';
import { drawText, type Foreground, foregroundOf } from './text-style.js';
import { open } from './open.js';

/** The measurements of a block before it is painted over. */
type Seen = {
  readonly block: DrawnBlock;
  readonly box: Box;
  readonly lines: readonly { box: Box; background: Background }[];
  readonly ink: Foreground;
  readonly space: Space;
};

/** Strokes wider than this part of an em are bold. */
const BOLD = { letters: 0.128, wide: 0.098 };

/** Writes the picture with the texts of `blocks` in place of their lines, in the format it came in. */
export async function draw(ask: Jobs['draw']['ask']): Promise<Jobs['draw']['answer']> {
  const picture = await open(ask);
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const canvas = new Canvas({ data, width, height, channels }, new Frame({ width, height, turn: ask.turn }));
  const seen = ask.blocks.map((block) => look(canvas, block, ask.blocks));
  for (const { lines } of seen) for (const { box, background } of lines) erase(canvas, padded(box), background);
  for (const one of seen) await write(canvas, one, { language: ask.language, all: seen });
  const raw = { width, height, channels: channels as 3 | 4 };
  await encoded(sharp(data, { raw, limitInputPixels: ask.pixelsMax }), ask.format).toFile(ask.at);
  return { format: ask.format };
}

const encoded = (picture: Sharp, format: Jobs['draw']['ask']['format']): Sharp => {
  if (format === 'jpeg') return picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  return format === 'webp' ? picture.webp({ quality: 90 }) : picture.png({ compressionLevel: 6 });
};

/** Letters extend a little beyond the recognised box. */
const padOf = ([, , , height]: Box): number => 1 + height * 0.1;
function padded(box: Box): Box {
  const pad = padOf(box);
  return [box[0] - pad, box[1] - pad, box[2] + 2 * pad, box[3] + 2 * pad];
}

function look(canvas: Canvas, block: DrawnBlock, all: readonly DrawnBlock[]): Seen {
  const lines = block.lines.map(({ box }) => ({ box, background: backgroundOf(canvas, box, padOf(box) + 1) }));
  const [first] = lines;
  if (!first) throw new Error('a block without lines');
  const box = around(block.lines.map((line) => line.box));
  const obstacles = all.filter((other) => other !== block).flatMap((other) => other.lines.map((line) => line.box));
  const far = Math.max(box[2], block.em * 12);
  const space = spaceAround(canvas, box, { background: first.background, obstacles, far });
  return { block, box, lines, ink: foregroundOf(canvas, lines), space };
}

/** Draws a block in place of the original. */
async function write(
  canvas: Canvas,
  seen: Seen,
  { language, all }: { language: string; all: readonly Seen[] },
): Promise<void> {
  const { block, box, ink, space } = seen;
  const seenAs = block.align ?? alignOf({ box, space, em: block.em }, all);
  // A paragraph is aligned by the direction of its script; a single line keeps its alignment.
  const isMirrored = isRightToLeft(language) && seenAs === 'left' && block.lines.length > 1;
  const align: Align = isMirrored ? 'right' : seenAs;
  const room = roomOf(seen, align);
  const bold = ink.stroke / block.em > (block.wide ? BOLD.wide : BOLD.letters);
  const style = { language, bold };
  const layout = await layOut(block.text, style, { own: box, room, em: block.em, pitch: block.pitch });
  const wide = layout.lines.length > 1 ? room : box[2] < room[2] ? room : box;
  const high = (layout.lines.length - 1) * layout.pitch;
  const [firstLine] = block.lines;
  const own = (firstLine?.middle ?? 0) + (block.lines.length === 1 ? -high / 2 : 0);
  const middle = Math.max(room[1] + layout.em * 0.5, own);
  await drawText(canvas, { ...layout, align, bold, colour: ink.colour, language, box: wide, middle });
}

/** The room into which a text may grow, at a distance from everything else. */
function roomOf({ block, box, space }: Seen, align: Align): Box {
  const { em } = block;
  const single = block.lines.length === 1;
  // A column too close to the next one would no longer be recognisable as a column.
  const free = (side: keyof Space): number => Math.max(0, space[side] - (single ? 0.45 * em : 1.2 * em));
  let [left, right] = [align === 'left' ? 0 : free('left'), align === 'right' ? 0 : free('right')];
  if (align === 'centre') left = right = Math.min(left, right);
  if (!single)
    return [box[0] - left / 2, box[1], box[2] + left / 2 + right / 2, box[3] + Math.min(free('bottom'), 2.6 * em)];
  const high = Math.min(free('top'), free('bottom'), 0.7 * em);
  return [box[0] - left, box[1] - high, box[2] + left + right, box[3] + 2 * high];
}

/** The alignment of a single line: by the free space around it and by other texts with the same edges. */
function alignOf({ box, space, em }: { box: Box; space: Space; em: number }, all: readonly Seen[]): Align {
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.4 * em;
  const others = all.filter((other) => other.box !== box);
  const shares = (edge: (box: Box) => number): boolean => others.some((other) => near(edge(other.box), edge(box)));
  const [left, right] = [shares(([x]) => x), shares(([x, , width]) => x + width)];
  const centre = shares(([x, , width]) => x + width / 2);
  const narrow = Math.min(space.left, space.right) > 0.04 * box[2];
  const even = Math.abs(space.left - space.right) <= Math.max(0.25 * em, 0.12 * (space.left + space.right));
  if (even && narrow && (centre || !left)) return 'centre';
  if (right && !left) return 'right';
  return !left && space.right < 1.5 * em && space.left > 3 * space.right && space.left > 2 * em ? 'right' : 'left';
}

function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(([x]) => x));
  const top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , width]) => x + width));
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
  return [left, top, right - left, bottom - top];
}
