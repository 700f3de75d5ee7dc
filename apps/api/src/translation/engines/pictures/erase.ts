import { type Background, isOnNothing } from './background.js';
import { apart, type Canvas } from './canvas.js';
import type { Box } from './jobs.js';

/**
 * Paints over what is written in `box` of the level picture, with the background and its grain. Only what is written: whatever else there
 * is of paper, light or a pattern stays. On nothing nothing is left.
 */
export function erase(canvas: Canvas, box: Box, background: Background): void {
  const [left, top, width, height] = canvas.frame.around(box);
  const ink = new Uint8Array(width * height);
  const inside = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [left + column, top + row];
      const [u, v] = canvas.frame.level(x + 0.5, y + 0.5);
      if (u < box[0] || v < box[1] || u >= box[0] + box[2] || v >= box[1] + box[3]) continue;
      const colour = canvas.pixel(x, y);
      if (!colour) continue;
      inside[row * width + column] = 1;
      // Half of it is still seen as a shadow.
      if (apart(colour, background.at(u, v)) > background.threshold / 2) ink[row * width + column] = 1;
    }
  const reach = Math.max(2, Math.round(box[3] / 12));
  const near = spread(spread(ink, width, { step: 1, reach }), width, { step: width, reach });
  const onNothing = isOnNothing(canvas, box, reach);
  const grain = grainOf(background.noise, left * 7919 + top);
  for (let i = 0; i < near.length; i++) {
    if (near[i] === 0 || inside[i] === 0) continue;
    const [x, y] = [left + (i % width), top + Math.floor(i / width)];
    if (onNothing) {
      canvas.clear(x, y);
      continue;
    }
    const [u, v] = canvas.frame.level(x + 0.5, y + 0.5);
    const [red, green, blue] = background.at(u, v);
    const stray = grain();
    canvas.blend(x, y, [red + stray, green + stray, blue + stray], 1);
  }
}

/** Marks what lies within `reach` of a mark, along one direction. */
function spread(marks: Uint8Array, width: number, { step, reach }: { step: number; reach: number }): Uint8Array {
  const wider = new Uint8Array(marks.length);
  for (let i = 0; i < marks.length; i++) {
    if (marks[i] === 0) continue;
    for (let by = -reach; by <= reach; by++) {
      const at = i + by * step;
      const sameRow = step !== 1 || Math.floor(at / width) === Math.floor(i / width);
      if (at >= 0 && at < marks.length && sameRow) wider[at] = 1;
    }
  }
  return wider;
}

/** The same grain every time for the same place: whoever asks twice gets the same picture. */
function grainOf(noise: number, seed: number): () => number {
  let state = (seed >>> 0) + 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
  // Three together are near enough to a bell.
  return () => (noise < 1 ? 0 : Math.round((random() + random() + random() - 1.5) * 2 * noise * 0.8));
}
