// Draws the SVG that it is given as a PNG, in a process of its own: fonts are found by the environment that it starts with.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

process.stdout.write(
  await sharp(await buffer(process.stdin))
    .png()
    .toBuffer(),
);
