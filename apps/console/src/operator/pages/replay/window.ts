/** Windows of time and their axes. Times are milliseconds of the server's clock, read from the wire as if they were UTC. */

export const ZOOMS = ['hour', 'day', 'week', 'month', 'all'] as const;
export type Zoom = (typeof ZOOMS)[number];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LENGTH: Record<Exclude<Zoom, 'all'>, number> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 31 * DAY };

export type Span = { from: number; to: number };

/** `2026-11-17 21:17:04.962` in milliseconds. */
export const wall = (moment: string): number => Date.parse(`${moment.replace(' ', 'T')}Z`);
/** In the wire's format, to the second. */
export const wire = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** A week, or all of an account that is younger. */
export const usualZoom = ({ from, to }: Span): Zoom => (to - from < LENGTH.week ? 'all' : 'week');

/** Where the moment stands in a window that was just opened: more of the past than of the future. */
const STAND = 2 / 3;

/**
 * The window of a zoom around a moment; it does not reach beyond the account's newest entry. `before`, the window until now, is kept while the moment is inside
 * it, so that the picture stands still.
 */
export function windowAround(
  moment: number,
  { zoom, life, before }: { zoom: Zoom; life: Span; before: Span | null },
): Span {
  if (zoom === 'all') return life;
  const length = LENGTH[zoom];
  if (before && before.to - before.from === length && moment >= before.from && moment <= before.to) return before;
  const from = Math.floor(Math.min(moment - length * STAND, Math.max(life.from, life.to - length)) / 1000) * 1000;
  return { from, to: from + length };
}

/** Whole seconds around the first and the last entry, at least a minute. */
export function lifeOf(first: string, last: string): Span {
  const from = Math.floor(wall(first) / 1000) * 1000;
  const to = Math.ceil(wall(last) / 1000) * 1000;
  const margin = Math.max(30_000, Math.ceil((to - from) / 100_000) * 1000);
  return { from: from - margin, to: to + margin };
}

/** 0 to 100. */
export const percent = (at: number, { from, to }: Span): number => ((at - from) / (to - from)) * 100;

const MINUTE = 60_000;
const STEPS = [
  5_000,
  15_000,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  10 * DAY,
];
const MONTH = 30 * DAY;

type AxisMark = { at: number; label: string };

/** Round times for an axis with at most `most` labels. */
export function axisOf(span: Span, most = 8): AxisMark[] {
  const length = span.to - span.from;
  const step = STEPS.find((each) => length / each <= most);
  if (step === undefined) return monthsOf(span, most);
  const marks: AxisMark[] = [];
  for (let at = Math.ceil(span.from / step) * step; at <= span.to; at += step)
    marks.push({ at, label: labelOf(at, step) });
  return marks;
}

const labelOf = (at: number, step: number): string => {
  const text = wire(at);
  if (step >= DAY) return text.slice(5, 10);
  return step >= MINUTE ? text.slice(11, 16) : text.slice(11);
};

function monthsOf({ from, to }: Span, most: number): AxisMark[] {
  const every = [1, 2, 3, 6, 12, 24].find((n) => (to - from) / (n * MONTH) <= most) ?? 60;
  const first = new Date(from);
  const marks: AxisMark[] = [];
  for (
    let month = first.getUTCFullYear() * 12 + Math.ceil((first.getUTCMonth() + 1) / every) * every;
    ;
    month += every
  ) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at > to) return marks;
    if (at >= from) marks.push({ at, label: wire(at).slice(0, 7) });
  }
}
