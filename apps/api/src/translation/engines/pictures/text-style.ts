import sharp from 'sharp';
import type { Background } from './background.js';
import { type Canvas, type Colour, apart } from './canvas.js';
import { familiesOf, isRightToLeft, isWide } from './fonts.js';
import type { Align, Box } from './jobs.js';

/** The colour of a text and the width of its strokes in pixels. */
export type Foreground = { readonly colour: Colour; readonly stroke: number };

/** Measures the lines of one text, each with its own background. */
export function foregroundOf(canvas: Canvas, lines: readonly { box: Box; background: Background }[]): Foreground {
  const found: { far: number; colour: Colour }[] = [];
  let [area, edge] = [0, 0];
  for (const { box, background } of lines) {
    const [left, top, width, height] = box;
    const cover = new Float32Array(Math.ceil(width) * Math.ceil(height));
    let strongest = 0;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const [u, v] = [left + column + 0.5, top + row + 0.5];
        const colour = canvas.at(u, v);
        if (!colour) continue;
        const far = apart(colour, background.at(u, v));
        cover[row * Math.ceil(width) + column] = far;
        if (far > background.threshold) found.push({ far, colour });
        strongest = Math.max(strongest, far);
      }
    const size = strokesIn(cover, Math.ceil(width), Math.max(1, strongest * 0.92));
    area += size.area;
    edge += size.edge;
  }
  // The core of the strokes, because their edges are half background.
  const heart = found.sort((a, b) => b.far - a.far).slice(0, Math.max(1, Math.ceil(found.length * 0.25)));
  const mean = (channel: 0 | 1 | 2): number =>
    Math.round(heart.reduce((sum, { colour }) => sum + colour[channel], 0) / Math.max(1, heart.length));
  return { colour: [mean(0), mean(1), mean(2)], stroke: edge > 0 ? (2 * area) / edge : 0 };
}

/** The area of the letters and the length of their outline. */
function strokesIn(far: Float32Array, width: number, full: number): { area: number; edge: number } {
  let [area, edge] = [0, 0];
  for (let i = 0; i < far.length; i++) {
    const here = Math.min(1, (far[i] ?? 0) / full);
    area += here;
    if (i % width !== 0) edge += Math.abs(here - Math.min(1, (far[i - 1] ?? 0) / full));
    if (i >= width) edge += Math.abs(here - Math.min(1, (far[i - width] ?? 0) / full));
  }
  return { area, edge: (edge * Math.PI) / 4 };
}

export type TextStyle = {
  readonly lines: readonly string[];
  readonly em: number;
  readonly pitch: number;
  readonly align: Align;
  readonly bold: boolean;
  readonly colour: Colour;
  readonly language: string;
  /** The lines are aligned within this box. */
  readonly box: Box;
  /** The y coordinate of the first line's middle. */
  readonly middle: number;
};

/** The optical middle of a line, in ems above its baseline. */
const HAN_MIDDLE = 0.37;
const LETTER_MIDDLE = 0.35;

/** Draws a text over the picture, at the slope of the picture's lines. */
export async function drawText(canvas: Canvas, text: TextStyle): Promise<void> {
  const { em, pitch, lines } = text;
  const high = (lines.length - 1) * pitch + 2 * em;
  const [left, top, width, height] = canvas.frame.around([
    text.box[0] - em,
    text.middle - em,
    text.box[2] + 2 * em,
    high,
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
  { lines, em, pitch, align, bold, colour, language, box, middle }: TextStyle,
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

/** XML forbids most control characters, and a drawing needs none. */
const escape = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
