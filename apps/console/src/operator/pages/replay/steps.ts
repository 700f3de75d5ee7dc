/** The geometry of step charts, in the units of their SVG: 1000 wide, stretched by the page; heights in pixels. */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listEntries } from '@yiqiao/contracts/operator/accounts';
import type { Span } from './window.js';

export type EntryRow = Response<typeof listEntries>['rows'][number];

export const WIDTH = 1000;

/** A balance from `at` on; between two samples it may have been as little as `min` and as much as `max`. */
export type Sample = { at: number; seq: number; value: number; min?: number; max?: number };

export type Scale = { min: number; max: number; height: number };

const round = (n: number): number => Math.round(n * 100) / 100;
export const xOf = (at: number, { from, to }: Span): number => round(((at - from) / (to - from)) * WIDTH);
export const yOf = (value: number, { min, max, height }: Scale): number =>
  max === min ? height / 2 : round(height - ((value - min) / (max - min)) * height);

/** Steps, never slopes: from each sample to the time of the next one, then up or down. Ends at `until`. */
export function stepPath(
  samples: readonly Sample[],
  { span, scale, until }: { span: Span; scale: Scale; until: number },
): string {
  const [first, ...rest] = samples;
  if (!first) return '';
  let path = `M${xOf(Math.max(first.at, span.from), span)} ${yOf(first.value, scale)}`;
  let y = yOf(first.value, scale);
  for (const { at, value } of rest) {
    const next = yOf(value, scale);
    path += `H${xOf(at, span)}`;
    if (next !== y) path += `V${next}`;
    y = next;
  }
  return `${path}H${xOf(until, span)}`;
}

/** The same closed along the lower edge. */
export const areaPath = (line: string, scale: Scale): string => {
  const start = /^M(\S+)/.exec(line)?.[1];
  return start === undefined ? '' : `${line}V${scale.height}H${start}Z`;
};

/** Between the least and the greatest balance of every interval, where a single line would hide what happened. */
export function bandPath(samples: readonly Sample[], { span, scale }: { span: Span; scale: Scale }): string {
  return samples
    .slice(1)
    .map(({ at, min, max }, i) => {
      if (min === undefined || max === undefined || min === max) return '';
      const [from, to] = [xOf(samples[i]?.at ?? at, span), xOf(at, span)];
      return `M${from} ${yOf(max, scale)}H${to}V${yOf(min, scale)}H${from}Z`;
    })
    .join('');
}

/** What was until entry `seq`, and what came after it; the second starts where the first ends. */
export function splitAt(samples: readonly Sample[], seq: number, moment: number): { past: Sample[]; future: Sample[] } {
  const end = samples.findIndex((sample) => sample.seq > seq);
  if (end === -1) return { past: [...samples], future: [] };
  const past = samples.slice(0, end);
  const last = past.at(-1);
  return { past, future: [...(last ? [{ ...last, at: Math.max(last.at, moment) }] : []), ...samples.slice(end)] };
}

/** From zero, with headroom for labels, to a round number. */
export function scaleFromZero(samples: readonly Sample[], height: number): Scale {
  const most = Math.max(0, ...samples.map(({ value, max }) => Math.max(value, max ?? value)));
  return { min: 0, max: Math.max(1, most * 1.12), height };
}

/** On its own scale, so that single units are visible. */
export function ownScale(samples: readonly Sample[], height: number): Scale {
  const all = samples.flatMap(({ value, min, max }) => [value, min ?? value, max ?? value]);
  if (all.length === 0) return { min: 0, max: 1, height };
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const margin = Math.max(1, (most - least) * 0.12);
  return { min: least - margin, max: most + margin, height };
}

/** Two to four round values of an axis from zero. */
export function valueMarks({ max }: Scale): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, max)));
  const step = max >= 4 * power ? 2 * power : max >= 2 * power ? power : Math.max(1, power / 2);
  const marks: number[] = [];
  for (let value = step; value <= max; value += step) marks.push(value);
  return marks;
}

/** The height of a tick grows with the logarithm of its amount: a translation and a recharge are both visible. */
export function tickHeight(amount: number, half: number): number {
  const size = Math.min(1, Math.log10(Math.abs(amount) + 1) / 7);
  return round(Math.max(2, size * (half - 2)));
}

/** The `count` largest changes, in order of time; those whose labels would lie on each other give way to the larger one. */
export function largest<T extends { at: number; change: number }>(changes: readonly T[], span: Span, count = 3): T[] {
  const apart = (span.to - span.from) * 0.12;
  const chosen: T[] = [];
  for (const change of changes.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))) {
    if (chosen.length === count) break;
    if (chosen.every(({ at }) => Math.abs(at - change.at) > apart)) chosen.push(change);
  }
  return chosen.toSorted((a, b) => a.at - b.at);
}

/** The newest entry at a time; null before the first sample. */
export function seqAtTime(samples: readonly Sample[], at: number): number | null {
  const after = samples.findIndex((sample) => sample.at > at);
  return (after === -1 ? samples.at(-1) : samples[after - 1])?.seq ?? null;
}
