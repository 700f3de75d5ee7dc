import sharp from 'sharp';
import type { Canvas, Colour } from './canvas.js';
import { familiesOf, isRightToLeft, isWide } from './fonts.js';
import type { Align, Box } from './jobs.js';

export type Lettering = {
  readonly lines: readonly string[];
  readonly em: number;
  readonly pitch: number;
  readonly align: Align;
  readonly bold: boolean;
  readonly colour: Colour;
  readonly language: string;
  /** The lines are set between its sides. */
  readonly box: Box;
  /** The height of the first line's middle. */
  readonly middle: number;
};

/** Where the eye sees the middle of a line, in ems above its baseline. */
const HAN_MIDDLE = 0.37;
const LETTER_MIDDLE = 0.35;

/** Letters, drawn over the picture: level ones are as level as the picture's. */
export async function letter(canvas: Canvas, text: Lettering): Promise<void> {
  const { em, pitch, lines } = text;
  const high = (lines.length - 1) * pitch + 2 * em;
  const [left, top, width, height] = canvas.frame.around([
    ...[text.box[0] - em, text.middle - em],
    ...[text.box[2] + 2 * em, high],
  ] as unknown as Box);
  const svg = Buffer.from(drawing(canvas, text, { left, top, width, height }));
  const { data } = await sharp(svg).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let i = 0; i < width * height; i++) {
    const cover = (data[i * 4 + 3] ?? 0) / 255;
    if (cover > 0) canvas.blend(left + (i % width), top + Math.floor(i / width), text.colour, cover);
  }
}

function drawing(
  canvas: Canvas,
  { lines, em, pitch, align, bold, colour, language, box, middle }: Lettering,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): string {
  const [x, y] = canvas.frame.seen(0, 0);
  const rtl = isRightToLeft(language);
  const [at, anchor] = {
    left: [box[0], rtl ? 'end' : 'start'],
    centre: [box[0] + box[2] / 2, 'middle'],
    right: [box[0] + box[2], rtl ? 'start' : 'end'],
  }[align] as [number, string];
  const families = familiesOf(language).map((name) => `'${name}'`);
  const texts = lines.map((line, nth) => {
    const below = [...line].some(isWide) ? HAN_MIDDLE : LETTER_MIDDLE;
    return `<text x="${at.toFixed(2)}" y="${(middle + nth * pitch + below * em).toFixed(2)}">${escape(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="translate(${(x - left).toFixed(3)} ${(y - top).toFixed(3)}) rotate(${-canvas.frame.turn})" font-family="${families.join(', ')}, sans-serif" font-size="${em.toFixed(2)}" font-weight="${bold ? 700 : 400}" xml:lang="${language}" direction="${rtl ? 'rtl' : 'ltr'}" text-anchor="${anchor}" fill="rgb(${colour.join(' ')})">${texts.join('')}</g></svg>`.replace(
    `rgb(${colour.join(' ')})`,
    `rgb(${colour.join(',')})`,
  );
}

/** XML has no place for most control characters, and drawings none for any. */
const escape = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
