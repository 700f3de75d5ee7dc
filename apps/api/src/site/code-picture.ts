import type { CodeSize } from '@yiqiao/contracts/service-codes';
import encodeQR from 'qr';
import sharp from 'sharp';

/** Light modules around a code, as readers want it (ISO/IEC 18004): one is drawn with the code, the others are left white. */
const QUIET = 4;

/** `text` as a QR code in a PNG of exactly `size` pixels, black on white. */
export function drawCode(text: string, { width, height }: CodeSize): Promise<Buffer> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 1 });
  const side = Math.min(width, height);
  // Whole pixels for each module, or a reader stumbles; where there are too few, the rest of the picture stays white.
  const scale = Math.max(1, Math.floor(side / (modules.length + 2 * (QUIET - 1))));
  const drawn = Math.min(side, modules.length * scale);
  const [left, top] = [(width - drawn) >> 1, (height - drawn) >> 1];
  const pixels = Buffer.alloc(width * height, 0xff);
  for (const [at, row] of modules.entries()) {
    const y = top + at * scale;
    if (at * scale >= drawn) break;
    for (const [place, dark] of row.entries())
      if (dark)
        pixels.fill(0, y * width + left + place * scale, y * width + left + Math.min(drawn, (place + 1) * scale));
    // The lines of a row are the same.
    for (let more = 1; more < scale && at * scale + more < drawn; more++)
      pixels.copyWithin((y + more) * width, y * width, (y + 1) * width);
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ colours: 2 })
    .toBuffer();
}

/** A code that somebody else drew, brought to exactly `size` pixels on white. Rejects what is no picture after all. */
export const fitCode = (picture: Buffer, { width, height }: CodeSize): Promise<Buffer> =>
  sharp(picture, { limitInputPixels: 4_000_000 })
    .flatten({ background: '#ffffff' })
    .resize({ width, height, fit: 'contain', background: '#ffffff', kernel: 'nearest' })
    .png()
    .toBuffer();
