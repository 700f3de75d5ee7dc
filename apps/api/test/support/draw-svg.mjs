// Draws the SVG of its input as a PNG, in a separate process because fonts are found by the environment at its start.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

process.stdout.write(
  await sharp(await buffer(process.stdin))
    .png()
    .toBuffer(),
);
