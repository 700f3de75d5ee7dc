import type { Background } from './background.js';
import { apart, type Canvas, type Colour } from './canvas.js';
import type { Box } from './jobs.js';

/** The colour in which something is written, and how broad its strokes are in pixels. */
export type Ink = { readonly colour: Colour; readonly stroke: number };

/** Looked up in the lines of one text; the background is each line's own. */
export function inkOf(canvas: Canvas, lines: readonly { box: Box; background: Background }[]): Ink {
  const found: { far: number; colour: Colour }[] = [];
  let [area, edge] = [0, 0];
  for (const { box, background } of lines) {
    const [left, top, width, height] = box;
    const cover = new Float32Array(Math.ceil(width) * Math.ceil(height));
    let strongest = 0;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const [u, v] = [left + column + 0.5, top + row + 0.5];
        const colour = canvas.at(u, v);
        if (!colour) continue;
        const far = apart(colour, background.at(u, v));
        cover[row * Math.ceil(width) + column] = far;
        if (far > background.threshold) found.push({ far, colour });
        strongest = Math.max(strongest, far);
      }
    const size = strokesIn(cover, Math.ceil(width), Math.max(1, strongest * 0.92));
    area += size.area;
    edge += size.edge;
  }
  // The heart of the strokes: their edges are half background.
  const heart = found.sort((a, b) => b.far - a.far).slice(0, Math.max(1, Math.ceil(found.length * 0.25)));
  const mean = (channel: 0 | 1 | 2): number =>
    Math.round(heart.reduce((sum, { colour }) => sum + colour[channel], 0) / Math.max(1, heart.length));
  return { colour: [mean(0), mean(1), mean(2)], stroke: edge > 0 ? (2 * area) / edge : 0 };
}

/** The area of what is written and the length of its outline. */
function strokesIn(far: Float32Array, width: number, full: number): { area: number; edge: number } {
  let [area, edge] = [0, 0];
  for (let i = 0; i < far.length; i++) {
    const here = Math.min(1, (far[i] ?? 0) / full);
    area += here;
    if (i % width !== 0) edge += Math.abs(here - Math.min(1, (far[i - 1] ?? 0) / full));
    if (i >= width) edge += Math.abs(here - Math.min(1, (far[i - width] ?? 0) / full));
  }
  return { area, edge: (edge * Math.PI) / 4 };
}
