import { open as openFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { JobFault, PictureInfo } from './jobs.js';

/** A job that cannot be done, for a reason that the other side can do something with. */
export class Fault extends Error {
  readonly why: JobFault;

  constructor(why: JobFault, options?: ErrorOptions) {
    super(why, options);
    this.why = why;
  }
}

// One thread a picture; and nothing is remembered from one member's picture to the next.
sharp.concurrency(1);
sharp.cache(false);
// The decoders of formats that nobody may send are never reached, whatever a file says that it is. SVG: what we draw ourselves.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadSvgBuffer'],
});

/** The first bytes of the pictures that may be sent. */
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

/** A picture, turned as its camera says; of one that moves, the first. Throws `not-a-picture` for what is none by its first bytes. */
export async function open({ path, pixelsMax }: { path: string; pixelsMax: number }): Promise<Sharp> {
  if ((await formatOf(path)) === null) throw new Fault('not-a-picture');
  return sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 }).autoOrient();
}

/** Throws `not-a-picture`, or `too-large` for more pixels than may be unpacked: by what its head says, before anything is. */
export async function inspect({ path, pixelsMax }: { path: string; pixelsMax: number }): Promise<PictureInfo> {
  const format = await formatOf(path);
  if (format === null) throw new Fault('not-a-picture');
  // The head is read without the limit, to tell a large picture from a broken one.
  const { width, height, autoOrient } = await sharp(path, { limitInputPixels: false, pages: 1 }).metadata();
  if (width * height > pixelsMax) throw new Fault('too-large');
  // One that breaks off is found now, before anything is held for it.
  await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true })
    .resize(8, 8, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { format, width: autoOrient.width, height: autoOrient.height };
}
