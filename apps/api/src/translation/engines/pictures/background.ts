import { type Canvas, type Colour, apart } from './canvas.js';
import type { Box } from './jobs.js';

type Sample = { readonly u: number; readonly v: number; readonly colour: Colour };
type Plane = readonly [number, number, number];

/** The background of a text: a colour with a linear gradient, like light on paper. */
export class Background {
  /** The deviation of the real background from it, in levels. */
  readonly noise: number;
  readonly #planes: readonly [Plane, Plane, Plane];
  readonly #middle: readonly [number, number];

  constructor(planes: readonly [Plane, Plane, Plane], middle: readonly [number, number], noise: number) {
    this.#planes = planes;
    this.#middle = middle;
    this.noise = noise;
  }

  at(u: number, v: number): Colour {
    const [x, y] = [u - this.#middle[0], v - this.#middle[1]];
    const [red, green, blue] = this.#planes;
    return [valueOf(red, x, y), valueOf(green, x, y), valueOf(blue, x, y)];
  }

  /** A pixel that differs by more than this is not background. */
  get threshold(): number {
    return Math.max(14, 3.5 * this.noise);
  }
}

/** Estimates the background from a ring around `box`, ignoring other objects in the ring. */
export function backgroundOf(canvas: Canvas, box: Box, pad: number): Background {
  const samples = ring(canvas, box, pad);
  const middle = [box[0] + box[2] / 2, box[1] + box[3] / 2] as const;
  const typical = medianOf(samples.map(({ colour }) => colour));
  const flat: [Plane, Plane, Plane] = [
    [typical[0], 0, 0],
    [typical[1], 0, 0],
    [typical[2], 0, 0],
  ];
  let found = new Background(flat, middle, 4);
  for (const tolerance of [48, 20]) {
    const near = samples.filter(({ u, v, colour }) => apart(colour, found.at(u, v)) <= tolerance);
    if (near.length < 12) break;
    const fitted = fit(near, middle);
    const strays = near.map(({ u, v, colour }) => apart(colour, new Background(fitted, middle, 0).at(u, v)));
    found = new Background(fitted, middle, Math.sqrt(mean(strays.map((stray) => stray * stray))));
  }
  // On screens and drawings it is exactly one colour.
  const [left, right] = [found.at(box[0], middle[1]), found.at(box[0] + box[2], middle[1])];
  const [top, bottom] = [found.at(middle[0], box[1]), found.at(middle[0], box[1] + box[3])];
  return found.noise < 1.5 && Math.max(apart(left, right), apart(top, bottom)) < 3
    ? new Background(flat, middle, 0)
    : found;
}

/** Whether the text in `box` has a transparent background: then it is cleared instead of painted over. */
export function isOnNothing(canvas: Canvas, [left, top, width, height]: Box, pad: number): boolean {
  const corners = [left - pad, left + width / 2, left + width + pad].flatMap((u) =>
    [top - pad, top + height + pad].map((v) => canvas.frame.seen(u, v)),
  );
  return corners.every(([x, y]) => canvas.opacity(Math.floor(x), Math.floor(y)) < 0.5);
}

function ring(canvas: Canvas, [left, top, width, height]: Box, pad: number): readonly Sample[] {
  const found: Sample[] = [];
  const add = (u: number, v: number): void => {
    const colour = canvas.at(u, v);
    if (colour) found.push({ u, v, colour });
  };
  const step = Math.max(1, (width + height) / 300);
  for (const away of [pad, pad + 1]) {
    for (let u = left - away; u <= left + width + away; u += step) {
      add(u, top - away);
      add(u, top + height + away);
    }
    for (let v = top - away; v <= top + height + away; v += step) {
      add(left - away, v);
      add(left + width + away, v);
    }
  }
  return found;
}

/** Least squares, one plane per colour channel. */
function fit(samples: readonly Sample[], [mu, mv]: readonly [number, number]): [Plane, Plane, Plane] {
  const n = samples.length;
  const [us, vs] = [samples.map(({ u }) => u - mu), samples.map(({ v }) => v - mv)];
  const [au, av] = [mean(us), mean(vs)];
  const suu = dot(us, us) / n - au * au;
  const svv = dot(vs, vs) / n - av * av;
  const suv = dot(us, vs) / n - au * av;
  const det = suu * svv - suv * suv;
  const plane = (channel: 0 | 1 | 2): Plane => {
    const cs = samples.map(({ colour }) => colour[channel]);
    const ac = mean(cs);
    if (det < 1e-6) return [ac, 0, 0];
    const suc = dot(us, cs) / n - au * ac;
    const svc = dot(vs, cs) / n - av * ac;
    const [du, dv] = [(suc * svv - svc * suv) / det, (svc * suu - suc * suv) / det];
    return [ac - du * au - dv * av, du, dv];
  };
  return [plane(0), plane(1), plane(2)];
}

const valueOf = ([base, du, dv]: Plane, x: number, y: number): number =>
  Math.max(0, Math.min(255, Math.round(base + du * x + dv * y)));

const mean = (list: readonly number[]): number => list.reduce((sum, n) => sum + n, 0) / Math.max(1, list.length);
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, n, at) => sum + n * (b[at] ?? 0), 0);

function medianOf(colours: readonly Colour[]): Colour {
  const middle = (channel: 0 | 1 | 2): number =>
    colours.map((colour) => colour[channel]).sort((a, b) => a - b)[colours.length >> 1] ?? 255;
  return [middle(0), middle(1), middle(2)];
}

/** The free background on each side of a text, in pixels of the level picture. */
export type Space = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

type Side = keyof Space;

const SIDES: readonly Side[] = ['left', 'right', 'top', 'bottom'];

/** The free space around `box` in each direction, at most `far`: up to a rule, an edge, another text or the picture's border. */
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

/** The distance to another text on this `side`; Infinity when it is not in the way. */
function gap(box: Box, other: Box, side: Side): number {
  const [across, along] = side === 'left' || side === 'right' ? [1, 0] : [0, 1];
  const [from, size] = [box[across] ?? 0, box[across + 2] ?? 0];
  const [otherFrom, otherSize] = [other[across] ?? 0, other[across + 2] ?? 0];
  if (otherFrom >= from + size || otherFrom + otherSize <= from) return Number.POSITIVE_INFINITY;
  const [start, end] = [box[along] ?? 0, (box[along] ?? 0) + (box[along + 2] ?? 0)];
  const [otherStart, otherEnd] = [other[along] ?? 0, (other[along] ?? 0) + (other[along + 2] ?? 0)];
  const away = side === 'left' || side === 'top' ? start - otherEnd : otherStart - end;
  // A text that already overlaps is not in the way.
  return away < -Math.min(end - start, otherEnd - otherStart) / 2 ? Number.POSITIVE_INFINITY : Math.max(0, away);
}

/** Points along a side of `box` at this distance. */
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

/** Ignores single pixels of noise, but not lines along or across. */
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

/**
 * Paints over the text in `box` of the level picture with the background and its grain. Only the text: paper, light and patterns stay. On a
 * transparent background the text is cleared.
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
      // Half of the threshold is still visible as a shadow.
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

/** Dilates the marks by `reach` along one direction. */
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

/** Deterministic grain, so that the same request gives the same picture. */
function grainOf(noise: number, seed: number): () => number {
  let state = (seed >>> 0) + 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
  // The sum of three is close enough to a normal distribution.
  return () => (noise < 1 ? 0 : Math.round((random() + random() + random() - 1.5) * 2 * noise * 0.8));
}
