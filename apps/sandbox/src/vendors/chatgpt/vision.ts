import { inflateSync } from 'node:zlib';

import { translate } from '../translate.js';
import { PHRASES } from '../translation/texts-phrases.js';
import type { Corruption } from '../vendor-faults.js';

type Box = readonly [left: number, top: number, width: number, height: number];

interface GreyscaleImage {
  readonly width: number;
  readonly height: number;
  readonly shades: Buffer;
}

/** Pixels darker than this count as text. */
const DARK_BELOW = 128;
/** Minimum height of a text line, and of the gap between two lines. */
const [MIN_HEIGHT, MIN_GAP] = [6, 3];
const MAX_BYTES = 20 * 1024 * 1024;

const MAGIC_BYTES: Readonly<Record<string, string>> = {
  png: '\x89PNG',
  jpeg: '\xff\xd8\xff',
  webp: 'RIFF',
  gif: 'GIF8',
};

/** Decodes a picture in a data URL; null when it is invalid or of another type than declared. */
export function decodeDataUrl(url: string): Buffer | null {
  const [, type = '', base64 = ''] = /^data:image\/(png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+=*)$/.exec(url) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const magic = MAGIC_BYTES[type];
  return magic !== undefined && bytes.length <= MAX_BYTES && bytes.toString('latin1', 0, 16).startsWith(magic)
    ? bytes
    : null;
}

/**
 * Finds the real positions of the text lines and reports a phrase of the phrase book for each, in `language`. Finds no lines
 * in pictures that are not PNG.
 */
export function readLines(picture: Buffer, language: string, corruptions: readonly Corruption[]): string {
  const grey = decodePng(picture);
  if (!grey || corruptions.includes('empty')) return '{"lines":[]}';
  const boxes = findLines(grey);
  const plain = PHRASES.map(({ en }) => en.split(' | ')[0] ?? '').filter((phrase) => !phrase.includes('#'));
  const texts = boxes.map((_, nth) => plain[nth % plain.length] ?? '');
  const said =
    language === 'en'
      ? texts
      : translate({ vendor: 'chatgpt', texts, source: 'en', target: language }, []).map(({ text }) => text);
  // The `lines` fault puts every line where the first one is.
  const lines = boxes.map((box, nth) => ({ text: said[nth], box: corruptions.includes('lines') ? boxes[0] : box }));
  return JSON.stringify({ lines });
}

/** Bounding boxes of the text lines. */
function findLines({ width, height, shades }: GreyscaleImage): readonly Box[] {
  const boxes: Box[] = [];
  let [from, empty, left, right] = [-1, 0, width, 0];
  for (let row = 0; row <= height; row += 1) {
    const dark = row < height ? darkRange(shades.subarray(row * width, (row + 1) * width)) : null;
    if (dark) {
      if (from < 0) [from, left, right] = [row, width, 0];
      [empty, left, right] = [0, Math.min(left, dark.first), Math.max(right, dark.last)];
    } else if (from >= 0 && ((empty += 1) >= MIN_GAP || row === height)) {
      const high = row - empty + 1 - from;
      if (high >= MIN_HEIGHT) boxes.push([left, from, right - left + 1, high]);
      [from, empty] = [-1, 0];
    }
  }
  return boxes;
}

function darkRange(row: Buffer): { readonly first: number; readonly last: number } | null {
  const first = row.findIndex((shade) => shade < DARK_BELOW);
  return first < 0 ? null : { first, last: row.findLastIndex((shade) => shade < DARK_BELOW) };
}

/** Bytes per pixel by PNG colour type; the first channel serves as grey. */
const BYTES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Decodes a PNG of eight bits per channel, not interlaced; null for any other. */
function decodePng(png: Buffer): GreyscaleImage | null {
  if (png.length < 33 || png.toString('latin1', 12, 16) !== 'IHDR') return null;
  const [width, height, bytes] = [png.readUInt32BE(16), png.readUInt32BE(20), BYTES[png[25] ?? 9]];
  if (png[24] !== 8 || bytes === undefined || png[28] !== 0 || width * height > 50_000_000) return null;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  try {
    const pixels = unfilter(inflateSync(Buffer.concat(parts)), { stride: width * bytes, height, bytes });
    return { width, height, shades: Buffer.from(pixels.filter((_, at) => at % bytes === 0)) };
  } catch {
    return null;
  }
}

/** Reverses the row filters (PNG specification, 9.2). */
function unfilter(rows: Buffer, { stride, height, bytes }: { stride: number; height: number; bytes: number }): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = row * stride + x;
      const left = x >= bytes ? (pixels[at - bytes] ?? 0) : 0;
      const up = row > 0 ? (pixels[at - stride] ?? 0) : 0;
      const upLeft = x >= bytes && row > 0 ? (pixels[at - stride - bytes] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] ?? 0;
      pixels[at] = ((rows[row * (stride + 1) + 1 + x] ?? 0) + predicted) & 0xff;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, upLeft: number): number {
  const near = left + up - upLeft;
  const [a, b, c] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}
