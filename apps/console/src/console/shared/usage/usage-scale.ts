/** The arithmetic of the usage chart. */

/** One bar: `date` is `YYYY-MM-DD`. */
export type ChartDay = { readonly date: string; readonly charNum: number };

/** `ticks`: values with a line, 0 first and `top` last. From 10,000 on they are labelled in thousands. */
export type Scale = { top: number; ticks: readonly number[]; inThousands: boolean };

const LINES = 3;
const THOUSANDS_FROM = 10_000;

/** The smallest 1, 2 or 5 × 10^k that is not below `n`; at least 1. */
const roundStep = (n: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, n)));
  return power * ([1, 2, 5].find((step) => step * power >= n) ?? 10);
};

/** About three lines above zero, at round values. */
export const scaleOf = (most: number): Scale => {
  const step = roundStep(most / LINES);
  const count = Math.max(1, Math.ceil(most / step));
  const ticks = Array.from({ length: count + 1 }, (_, line) => line * step);
  const top = count * step;
  return { top, ticks, inThousands: top >= THOUSANDS_FROM };
};

export const totalOf = (days: readonly ChartDay[]): number => days.reduce((sum, day) => sum + day.charNum, 0);

/** The index of the day with the most characters, the latest of equals; 0 without days. */
export const peakOf = (days: readonly ChartDay[]): number =>
  days.reduce((peak, day, at) => (day.charNum >= (days[peak]?.charNum ?? 0) ? at : peak), 0);
