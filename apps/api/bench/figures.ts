import { median, some, targetLine, type Target } from './targets.js';

/** Milliseconds of many samples and their limits. */
export type Figure = {
  name: string;
  median: number;
  p95: number;
  samples: number;
  gates: { median?: number; p95: number };
};

/** Measures `run` so many times, at least twice; `prepare` is not measured. */
export async function measure<T>(
  { name, gates, count, scale }: Pick<Figure, 'name' | 'gates'> & { count: number; scale: number },
  prepare: (sample: number) => T,
  run: (given: T) => Promise<unknown>,
): Promise<Figure> {
  const taken: number[] = [];
  for (let i = 0; i <= some(count, scale); i++) {
    const given = prepare(i);
    const begun = performance.now();
    await run(given);
    taken.push(performance.now() - begun);
  }
  const p95 = taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.NaN;
  return { name, median: median(taken), p95, samples: taken.length, gates };
}

export const figureLine = ({ name, median: middle, p95, samples }: Figure): string =>
  `  ${name.padEnd(54)} ${middle.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (${samples} samples)`;

export const targetsOf = ({ name, median: middle, p95, gates }: Figure): Target[] => [
  ...(gates.median === undefined
    ? []
    : [{ name: `${name}, median`, kind: 'below', gate: gates.median, unit: ' ms', found: middle } as const]),
  { name: `${name}, p95`, kind: 'below', gate: gates.p95, unit: ' ms', found: p95 },
];

export const figureTargets = (figures: readonly Figure[]): string[] => figures.flatMap(targetsOf).map(targetLine);
