import { open as openFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { JobFault, PictureInfo } from './jobs.js';

/** A failure with a code for the caller. */
export class Fault extends Error {
  readonly why: JobFault;

  constructor(why: JobFault, options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}

// One thread per picture, and no cache between members' pictures.
sharp.concurrency(1);
sharp.cache(false);
// Only the decoders of accepted formats are enabled. SVG is for our own drawings.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadSvgBuffer'],
});

/** Detects an accepted format by the first bytes. */
async function formatOf(path: string): Promise<PictureInfo['format'] | null> {
  const file = await openFile(path, 'r');
  try {
    const { buffer: head } = await file.read(Buffer.alloc(12), 0, 12, 0);
    if (head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png';
    if (head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg';
    const isWebp = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP';
    return isWebp ? 'webp' : null;
  } finally {
    await file.close();
  }
}

/** Opens a picture, rotated by its EXIF orientation; of an animation the first frame. Throws `not-a-picture`. */
export async function open({ path, pixelsMax }: { path: string; pixelsMax: number }): Promise<Sharp> {
  if ((await formatOf(path)) === null) throw new Fault('not-a-picture');
  return sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 }).autoOrient();
}

/** Throws `not-a-picture`, or `too-large` for too many pixels by its header, before anything is decoded. */
export async function inspect({ path, pixelsMax }: { path: string; pixelsMax: number }): Promise<PictureInfo> {
  const format = await formatOf(path);
  if (format === null) throw new Fault('not-a-picture');
  // The header is read without the limit, to distinguish a large picture from a broken one.
  const { width, height, autoOrient } = await sharp(path, { limitInputPixels: false, pages: 1 }).metadata();
  if (width * height > pixelsMax) throw new Fault('too-large');
  // Detects a truncated file now, before the hold.
  await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
    .resize(8, 8, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { format, width: autoOrient.width, height: autoOrient.height };
}
