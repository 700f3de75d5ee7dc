import type { Background } from './background.js';
import { apart, type Canvas } from './canvas.js';
import type { Box } from './jobs.js';

/** How much of nothing but background there is on each side of a text, in pixels of the level picture. */
export type Space = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

type Side = keyof Space;

const SIDES: readonly Side[] = ['left', 'right', 'top', 'bottom'];

/** Looks from `box` in all directions, at most `far`, until something is there: a rule, an edge, another text, the picture's end. */
export function spaceAround(
  canvas: Canvas,
  box: Box,
  { background, obstacles, far }: { background: Background; obstacles: readonly Box[]; far: number },
): Space {
  const sees = (side: Side): number => {
    const most = Math.min(far, ...obstacles.map((other) => gap(box, other, side)));
    for (let away = 2; away <= most; away++) if (!isClear(canvas, strip(box, side, away), background)) return away - 1;
    return Math.max(0, Math.floor(most));
  };
  const [left = 0, right = 0, top = 0, bottom = 0] = SIDES.map(sees);
  return { left, right, top, bottom };
}

/** Towards `side` to another text that stands in the way; Infinity when it does not. */
function gap(box: Box, other: Box, side: Side): number {
  const [across, along] = side === 'left' || side === 'right' ? [1, 0] : [0, 1];
  const [from, size] = [box[across] ?? 0, box[across + 2] ?? 0];
  const [otherFrom, otherSize] = [other[across] ?? 0, other[across + 2] ?? 0];
  if (otherFrom >= from + size || otherFrom + otherSize <= from) return Number.POSITIVE_INFINITY;
  const [start, end] = [box[along] ?? 0, (box[along] ?? 0) + (box[along + 2] ?? 0)];
  const [otherStart, otherEnd] = [other[along] ?? 0, (other[along] ?? 0) + (other[along + 2] ?? 0)];
  const away = side === 'left' || side === 'top' ? start - otherEnd : otherStart - end;
  // What lies over it already is not in its way.
  return away < -Math.min(end - start, otherEnd - otherStart) / 2 ? Number.POSITIVE_INFINITY : Math.max(0, away);
}

/** Points along a side of `box`, so far out. */
function strip([left, top, width, height]: Box, side: Side, away: number): [number, number][] {
  const points: [number, number][] = [];
  const isUpright = side === 'left' || side === 'right';
  const length = isUpright ? height : width;
  const count = Math.max(6, Math.min(120, Math.ceil(length / 2)));
  for (let i = 0; i <= count; i++) {
    const along = (length * i) / count;
    if (side === 'left') points.push([left - away, top + along]);
    else if (side === 'right') points.push([left + width + away, top + along]);
    else if (side === 'top') points.push([left + along, top - away]);
    else points.push([left + along, top + height + away]);
  }
  return points;
}

/** Single grains do not count, whatever runs along or across does. */
function isClear(canvas: Canvas, points: readonly [number, number][], background: Background): boolean {
  const tolerance = background.threshold * 1.3;
  let strange = 0;
  for (const [u, v] of points) {
    const colour = canvas.at(u, v);
    if (colour === null) return false;
    if (apart(colour, background.at(u, v)) > tolerance) strange++;
  }
  return strange <= points.length * 0.02;
}
