import { describe, expect, it } from '@jest/globals';
import { changesOfEntries, changesOfPoints } from './changes.js';
import type { EntryRow } from './steps.js';
import { wall } from './window.js';

const day = { from: wall('2026-11-17 00:00:00'), to: wall('2026-11-18 00:00:00') };
const entry = (time: string, logType: EntryRow['logType'], [before, last]: [number, number]): EntryRow =>
  ({
    moment: `2026-11-17 ${time}.000`,
    logType,
    beforeCharNum: before,
    lastCharNum: last,
    charChangeNum: last - before,
  }) as EntryRow;

describe('changes to label', () => {
  it('are one for entries of one kind that follow each other closely', () => {
    const found = changesOfEntries(
      [
        entry('01:00:00', 'RECHARGE_ORDER_BY_MEMBER_GROUP', [0, 900]),
        entry('02:00:00', 'DISTRIBUTION', [900, 800]),
        entry('02:10:00', 'DISTRIBUTION', [800, 700]),
        entry('02:20:00', 'OTHER', [700, 700]),
        entry('02:30:00', 'DISTRIBUTION', [700, 600]),
        entry('05:00:00', 'DISTRIBUTION', [600, 500]),
      ],
      day,
    );
    expect(found.map(({ type, n, change, top }) => [type, n, change, top])).toEqual([
      ['RECHARGE_ORDER_BY_MEMBER_GROUP', 1, 900, 900],
      ['DISTRIBUTION', 3, -300, 900],
      ['DISTRIBUTION', 1, -100, 600],
    ]);
  });

  it('do not join what was given with what was taken back', () => {
    const rows = [entry('02:00:00', 'RECOVERY', [0, 10]), entry('02:01:00', 'RECOVERY', [10, 5])];
    expect(changesOfEntries(rows, day).map(({ change }) => change)).toEqual([10, -5]);
  });

  it('of a timeline are those of its intervals, named where they are of one kind', () => {
    const samples = [10, 10, 30, 5].map((value, i) => ({ at: i, seq: i, value }));
    const points = [
      { entries: {} },
      { entries: { OTHER: 2 } },
      { entries: { DISTRIBUTION: 3 } },
      { entries: { OTHER: 1, RECOVERY: 1 } },
    ];
    expect(changesOfPoints(points, samples).map(({ at, type, n, change }) => [at, type, n, change])).toEqual([
      [2, 'DISTRIBUTION', 3, 20],
      [3, null, 2, -25],
    ]);
  });
});
