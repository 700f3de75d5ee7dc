import sharp from 'sharp';
import type { Box, Jobs } from './jobs.js';
import { open } from './open.js';

const WHITE = 255;
/** Darker pixels belong to letters. */
const WRITTEN = 128;

/** Writes the picture in the best form for OCR: level, large enough, grey or black on white. */
export async function prepareForOcr(ask: Jobs['prepare']['ask']): Promise<Jobs['prepare']['answer']> {
  const { turn, width, height, without } = ask;
  const picture = (await open(ask)).flatten({ background: 'white' });
  if (turn !== 0) picture.rotate(turn, { background: 'white' });
  picture.resize({ width, height, fit: 'fill', kernel: 'cubic' }).toColourspace('srgb').removeAlpha();
  if (!ask.contrast) {
    await picture.greyscale().normalise().png({ compressionLevel: 1 }).toFile(ask.at);
    return { coverage: 1 };
  }
  const { data } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const grey = await onWhite({ data, width, height });
  removeRules(grey, { width, height });
  for (const box of without) eraseBox(grey, { width, height }, box);
  await sharp(grey, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toFile(ask.at);
  return { coverage: grey.reduce((sum, shade) => sum + Number(shade < WRITTEN), 0) / grey.length };
}

function eraseBox(grey: Buffer, { width, height }: { width: number; height: number }, [x, y, w, h]: Box): void {
  const pad = 2 + h / 6;
  const [left, right] = [Math.max(0, Math.floor(x - pad)), Math.min(width, Math.ceil(x + w + pad))];
  const [top, bottom] = [Math.max(0, Math.floor(y - pad)), Math.min(height, Math.ceil(y + h + pad))];
  for (let row = top; row < bottom; row++) grey.fill(WHITE, row * width + left, row * width + Math.max(left, right));
}

type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

/** The background is estimated in a picture of this width, in which even the strokes of headlines are narrower than the window. */
const COARSE = 1000;
const WINDOW = 25;
/** Near an edge the coarse background is off by a pixel or two. */
const LOOSE = 3;
/** A difference from which a pixel becomes fully black. */
const FULL = 200;

/**
 * Converts all text to black on white: letters of any colour on any other, on buttons and on shaded paper. OCR finds only dark letters on a
 * light background and takes a coloured field for a picture. Takes RGB, returns greys.
 */
async function onWhite({ data, width, height }: Pixels): Promise<Buffer> {
  const scale = Math.min(1, COARSE / width);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const behind = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(w, h, { fit: 'fill', kernel: 'nearest' })
    .median(WINDOW)
    .raw()
    .toBuffer();
  const shade = Uint8Array.from({ length: 256 }, (_, far) => 255 - Math.round(255 * Math.min(1, far / FULL) ** 0.7));
  const [columns, rows] = [places(width, w), places(height, h)];
  const grey = Buffer.alloc(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = rows[y] ?? 0;
    for (let x = 0; x < width; x++, i++) {
      const column = columns[x] ?? 0;
      let far = apart(data, i, behind, row * w + column);
      for (let at = 0; at < AROUND.length && far > 10; at++) {
        const [dx = 0, dy = 0] = AROUND[at] ?? [];
        const [c, r] = [Math.max(0, Math.min(w - 1, column + dx)), Math.max(0, Math.min(h - 1, row + dy))];
        far = Math.min(far, apart(data, i, behind, r * w + c));
      }
      grey[i] = shade[far] ?? 0;
    }
  }
  return grey;
}

const AROUND = [
  [-LOOSE, 0],
  [LOOSE, 0],
  [0, -LOOSE],
  [0, LOOSE],
  [-LOOSE, -LOOSE],
  [LOOSE, -LOOSE],
  [-LOOSE, LOOSE],
  [LOOSE, LOOSE],
] as const;

const places = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: from }, (_, at) => Math.min(to - 1, Math.floor((at * to) / from)));

/** The largest difference of two pixels in a colour channel. */
function apart(a: Buffer, i: number, b: Buffer, j: number): number {
  const red = Math.abs((a[i * 3] ?? 0) - (b[j * 3] ?? 0));
  const green = Math.abs((a[i * 3 + 1] ?? 0) - (b[j * 3 + 1] ?? 0));
  const blue = Math.abs((a[i * 3 + 2] ?? 0) - (b[j * 3 + 2] ?? 0));
  return Math.max(red, green, blue);
}

type Size = { readonly width: number; readonly height: number };

/** Lighter pixels are paper. */
const INK = 175;
/** A connected component larger than this part of the picture is a frame, a table or an edge. */
const [WIDE, HIGH] = [0.35, 0.25];
/** A component with a larger aspect ratio is a rule or a bar of a barcode, not a letter. */
const THIN = 13;
const LONG = 24;

/** Removes connected components that cannot be letters from a grey picture: frames, rules, bars, edges of objects. */
export function removeRules(grey: Buffer, { width, height }: Size): void {
  const seen = new Uint8Array(grey.length);
  for (let start = 0; start < grey.length; start++) {
    if (seen[start] === 1 || (grey[start] ?? 0) >= INK) continue;
    const { pixels, box } = pieceAt(start, { grey, seen, width, height });
    if (isRule(box, pixels.length, { width, height })) for (const pixel of pixels) erasePixel(grey, pixel, width);
  }
}

type Piece = { readonly pixels: readonly number[]; readonly box: readonly [number, number] };

function pieceAt(start: number, { grey, seen, width, height }: Size & { grey: Buffer; seen: Uint8Array }): Piece {
  const pixels = [start];
  seen[start] = 1;
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let next = 0; next < pixels.length; next++) {
    const at = pixels[next] ?? 0;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [x + dx, y + dy];
        const neighbour = ny * width + nx;
        if (nx < 0 || ny < 0 || nx >= width || ny >= height || seen[neighbour] === 1) continue;
        if ((grey[neighbour] ?? WHITE) >= INK) continue;
        seen[neighbour] = 1;
        pixels.push(neighbour);
      }
  }
  return { pixels, box: [right - left + 1, bottom - top + 1] };
}

function isRule([w, h]: readonly [number, number], area: number, { width, height }: Size): boolean {
  if (w > WIDE * width || h > HIGH * height) return true;
  const long = Math.max(w, h);
  // The width follows from the area, because a slanted rule does not fill its box.
  return long > LONG && long / (area / long) > THIN;
}

/** Erases a pixel with its grey surroundings. */
function erasePixel(grey: Buffer, pixel: number, width: number): void {
  for (let dy = -2; dy <= 2; dy++)
    for (let dx = -2; dx <= 2; dx++) {
      const at = pixel + dy * width + dx;
      if (at >= 0 && at < grey.length) grey[at] = WHITE;
    }
}
