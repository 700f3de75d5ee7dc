import { describe, expect, it } from '@jest/globals';
import { formatLsn, parseLsn, parseSegment, segmentName } from './lsn.js';
import type { Copy } from './repository.js';
import { neededCopies } from './retention.js';

const now = new Date('2026-11-28T12:00:00Z');
const copyOf = (daysAgo: number): Copy => {
  const moment = new Date(now.getTime() - daysAgo * 86_400_000).toISOString();
  return {
    id: `copy-${daysAgo}`,
    startedAt: moment,
    stoppedAt: moment,
    timeline: 1,
    stopTimeline: 1,
    startLsn: '0/2000028',
    stopLsn: '0/2000120',
    segmentBytes: 2 ** 24,
    serverVersion: '18.4',
    owner: 'yiqiao',
    database: 'yiqiao',
    tarBytes: 1,
    pieces: [],
  };
};
const kept = (ages: number[], days: number): string[] => neededCopies(ages.map(copyOf), days, now).map(({ id }) => id);

describe('which full copies are kept', () => {
  it('keeps the newest from before the retention, because the first days of it begin there', () => {
    expect(kept([9, 8, 5, 1], 7)).toEqual(['copy-8', 'copy-5', 'copy-1']);
    expect(kept([8, 7, 1], 7)).toEqual(['copy-7', 'copy-1']);
  });

  it('keeps the only one, however old, and everything younger', () => {
    expect(kept([400], 7)).toEqual(['copy-400']);
    expect(kept([3, 2, 1], 7)).toEqual(['copy-3', 'copy-2', 'copy-1']);
    expect(kept([], 7)).toEqual([]);
  });
});

describe('positions in the log', () => {
  it('names segments as PostgreSQL does', () => {
    expect(segmentName(1, parseLsn('0/3000000'), 2 ** 24)).toBe('000000010000000000000003');
    expect(segmentName(10, parseLsn('2A/FF123456'), 2 ** 24)).toBe('0000000A0000002A000000FF');
    expect(segmentName(2, parseLsn('1/C0000000'), 2 ** 30)).toBe('000000020000000100000003');
  });

  it('reads what it writes', () => {
    expect(formatLsn(parseLsn('2A/FF123456'))).toBe('2A/FF123456');
    expect(parseSegment('0000000A0000002A000000FF', 2 ** 24)).toEqual({ timeline: 10, start: parseLsn('2A/FF000000') });
    expect(parseSegment('0000000A.history', 2 ** 24)).toBeNull();
  });
});
