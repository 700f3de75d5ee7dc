/** What the lanes label: changes of characters, those that happened together as one. */
import type { EntryType } from '@yiqiao/domain/ledger';
import type { EntryRow, Sample } from './steps.js';
import { wall, type Span } from './window.js';

/** `n` entries around a time. `row`: the first of them, where entries are drawn one by one; `type`: null for several kinds. */
export type Change = {
  at: number;
  change: number;
  /** The greater of the balances before and after it. */
  top: number;
  n: number;
  type: EntryType | null;
  row: EntryRow | null;
};

/** Of a window: entries of one kind that are closer than this are one change. */
const TOGETHER = 0.02;

/** Of entries, oldest first. */
export function changesOfEntries(rows: readonly EntryRow[], { from, to }: Span): Change[] {
  const found: (Change & { until: number })[] = [];
  for (const row of rows) {
    const { charChangeNum: change, beforeCharNum, lastCharNum, logType: type } = row;
    if (change === 0) continue;
    const at = wall(row.moment);
    const last = found.at(-1);
    const isMore =
      last !== undefined &&
      last.type === type &&
      Math.sign(last.change) === Math.sign(change) &&
      at - last.until < (to - from) * TOGETHER;
    if (isMore) {
      last.change += change;
      last.n += 1;
      last.until = at;
      last.top = Math.max(last.top, lastCharNum);
    } else found.push({ at, until: at, change, top: Math.max(beforeCharNum, lastCharNum), n: 1, type, row });
  }
  return found;
}

type Point = { entries: Partial<Record<EntryType, number>> };

/** Of a timeline: `samples` are its points. */
export const changesOfPoints = (points: readonly Point[], samples: readonly Sample[]): Change[] =>
  points.flatMap(({ entries }, i): Change[] => {
    const [sample, before] = [samples[i], samples[i - 1]];
    const types = Object.keys(entries) as EntryType[];
    if (!sample || !before || sample.value === before.value || types.length === 0) return [];
    const n = types.reduce((sum, type) => sum + (entries[type] ?? 0), 0);
    const change = sample.value - before.value;
    const top = Math.max(sample.value, before.value);
    return [{ at: sample.at, change, top, n, type: types.length === 1 ? (types[0] ?? null) : null, row: null }];
  });
