/** The arithmetic of the usage cards. */
import type { getUsage } from '@yiqiao/contracts/user';
import type { Response } from '@yiqiao/contracts/endpoint';
import { totalOf } from '../../shared/usage/usage-scale.js';

export type Usage = Response<typeof getUsage>;
export type UsageDay = Usage['days'][number];

export const isUnused = (days: readonly UsageDay[]): boolean =>
  days.every((day) => day.charNum === 0 && day.voiceNum === 0 && day.imageNum === 0);

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
