import type { Frame } from './frame.js';

export type Colour = readonly [red: number, green: number, blue: number];

/** The pixels of a picture, addressed in the frame in which its lines are level. */
export class Canvas {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly frame: Frame;

  constructor(pixels: { data: Buffer; width: number; height: number; channels: number }, frame: Frame) {
    this.data = pixels.data;
    this.width = pixels.width;
    this.height = pixels.height;
    this.channels = pixels.channels;
    this.frame = frame;
  }

  /** The colour at a point of the level picture; null outside. */
  at(u: number, v: number): Colour | null {
    const [x, y] = this.frame.seen(u, v);
    return this.pixel(Math.floor(x), Math.floor(y));
  }

  /** The colour at a point of the displayed picture, on white where it is transparent, as OCR sees it; null outside. */
  pixel(x: number, y: number): Colour | null {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return null;
    const { data } = this;
    const i = (y * this.width + x) * this.channels;
    const opaque = this.opacity(x, y);
    const colour = (at: number): number => (opaque === 1 ? (data[i + at] ?? 0) : mix(PAPER, data[i + at] ?? 0, opaque));
    return [colour(0), colour(1), colour(2)];
  }

  /** From 0 to 1; 0 outside of the picture. */
  opacity(x: number, y: number): number {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return 0;
    return this.channels === 4 ? (this.data[(y * this.width + x) * 4 + 3] ?? 0) / 255 : 1;
  }

  /** Blends `colour` over a pixel of the displayed picture with the opacity `cover` (0–1). */
  blend(x: number, y: number, [red, green, blue]: Colour, cover: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const { data } = this;
    const i = (y * this.width + x) * this.channels;
    const opaque = cover + this.opacity(x, y) * (1 - cover);
    // Relative to the resulting opacity: a transparent pixel has no colour of its own.
    const part = opaque === 0 ? 0 : cover / opaque;
    data[i] = mix(data[i] ?? 0, red, part);
    data[i + 1] = mix(data[i + 1] ?? 0, green, part);
    data[i + 2] = mix(data[i + 2] ?? 0, blue, part);
    if (this.channels === 4) data[i + 3] = Math.round(255 * opaque);
  }

  /** Makes a pixel of the displayed picture transparent, if the picture has an alpha channel. */
  clear(x: number, y: number): void {
    if (this.channels !== 4 || x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.data[(y * this.width + x) * 4 + 3] = 0;
  }
}

/** The background for transparent pixels. */
const PAPER = 255;

const mix = (under: number, over: number, cover: number): number =>
  Math.max(0, Math.min(255, Math.round(under + (over - under) * cover)));

/** The distance of two colours: the largest difference of a channel. */
export const apart = (a: Colour, b: Colour): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
