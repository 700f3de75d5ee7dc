import { apart, type Canvas, type Colour } from './canvas.js';
import type { Box } from './jobs.js';

type Sample = { readonly u: number; readonly v: number; readonly colour: Colour };
type Plane = readonly [number, number, number];

/** What lies behind a text: a colour that may change evenly from one side to the other, as light on paper does. */
export class Background {
  /** How far the real one strays from it, in levels. */
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

  /** Differs by so much that it is not the background, but something on it. */
  get threshold(): number {
    return Math.max(14, 3.5 * this.noise);
  }
}

/** By what stands in a ring close around `box`, where other things that reach into the ring do not count. */
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
  // On a screen or a drawing it is one colour, to the digit.
  const [left, right] = [found.at(box[0], middle[1]), found.at(box[0] + box[2], middle[1])];
  const [top, bottom] = [found.at(middle[0], box[1]), found.at(middle[0], box[1] + box[3])];
  return found.noise < 1.5 && Math.max(apart(left, right), apart(top, bottom)) < 3
    ? new Background(flat, middle, 0)
    : found;
}

/** Whether what is written in `box` stands on nothing: then nothing is painted over it. */
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

/** Least squares, one plane for each colour. */
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
