/** The arithmetic of the usage chart. */
import type { getUsage } from '@yiqiao/contracts/user';
import type { Response } from '@yiqiao/contracts/endpoint';

export type Usage = Response<typeof getUsage>;
export type UsageDay = Usage['days'][number];

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

export const totalOf = (days: readonly UsageDay[]): number => days.reduce((sum, day) => sum + day.charNum, 0);

export const isUnused = (days: readonly UsageDay[]): boolean =>
  days.every((day) => day.charNum === 0 && day.voiceNum === 0 && day.imageNum === 0);

/** The index of the day with the most characters, the latest of equals; 0 without days. */
export const peakOf = (days: readonly UsageDay[]): number =>
  days.reduce((peak, day, at) => (day.charNum >= (days[peak]?.charNum ?? 0) ? at : peak), 0);

/** `charNum` as a share of the family: `percent` 0–100, and `width` of its bar against the longest one. */
export type ShareRow = {
  kind: 'child' | 'others' | 'own';
  name: string;
  charNum: number;
  percent: number;
  width: number;
};

/** The sub-accounts that used most, the others as one row, and the rest of the family's total. Empty rows are omitted. */
export const sharesOf = ({ days, children }: Usage, shown: number): ShareRow[] => {
  const total = totalOf(days);
  const sum = (of: Usage['children']): number => of.reduce((n, child) => n + child.charNum, 0);
  const rows = [
    ...children
      .slice(0, shown)
      .map((child) => ({ kind: 'child' as const, name: child.nickname, charNum: child.charNum })),
    { kind: 'others' as const, name: '', charNum: sum(children.slice(shown)) },
    { kind: 'own' as const, name: '', charNum: Math.max(0, total - sum(children)) },
  ].filter((row) => row.charNum > 0);
  const most = Math.max(1, ...rows.map((row) => row.charNum));
  return rows.map((row) => ({
    ...row,
    percent: total === 0 ? 0 : (row.charNum / total) * 100,
    width: (row.charNum / most) * 100,
  }));
};
