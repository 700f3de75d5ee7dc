import sharp from 'sharp';
import { onWhite } from './contrast.js';
import type { Box, Jobs } from './jobs.js';
import { open } from './open.js';
import { removeRules } from './rules.js';

const WHITE = 255;
/** Darker than this it is written. */
const WRITTEN = 128;

/** Writes the picture as recognition reads it: level, large enough, grey or black on white. */
export async function lay(ask: Jobs['lay']['ask']): Promise<Jobs['lay']['answer']> {
  const { turn, width, height, without } = ask;
  const picture = (await open(ask)).flatten({ background: 'white' });
  if (turn !== 0) picture.rotate(turn, { background: 'white' });
  picture.resize({ width, height, fit: 'fill', kernel: 'cubic' }).toColourspace('srgb').removeAlpha();
  if (!ask.contrast) {
    await picture.greyscale().normalise().png({ compressionLevel: 1 }).toFile(ask.at);
    return { ink: 1 };
  }
  const { data } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  const grey = await onWhite({ data, width, height });
  removeRules(grey, { width, height });
  for (const box of without) blank(grey, { width, height }, box);
  await sharp(grey, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toFile(ask.at);
  return { ink: grey.reduce((sum, shade) => sum + Number(shade < WRITTEN), 0) / grey.length };
}

function blank(grey: Buffer, { width, height }: { width: number; height: number }, [x, y, w, h]: Box): void {
  const pad = 2 + h / 6;
  const [left, right] = [Math.max(0, Math.floor(x - pad)), Math.min(width, Math.ceil(x + w + pad))];
  const [top, bottom] = [Math.max(0, Math.floor(y - pad)), Math.min(height, Math.ceil(y + h + pad))];
  for (let row = top; row < bottom; row++) grey.fill(WHITE, row * width + left, row * width + Math.max(left, right));
}
