import { describe, expect, it } from '@jest/globals';
import { byNeed, diskStateOf } from './disk-space.js';
import { workersOf } from './worker-heartbeat.js';

const GIB = 2 ** 30;

describe('the space of a disk', () => {
  it.each([
    ['a small disk that is empty', 0.99, 0.05, 'ok'],
    ['a large disk with little of itself and much to write on', 0.01, 40, 'ok'],
    ['a disk that fills', 0.09, 9, 'low'],
    ['a large disk that has a gigabyte and a half', 0.001, 1.5, 'low'],
    ['a disk that is almost full', 0.015, 0.5, 'full'],
    ['a full disk', 0, 0, 'full'],
  ])('%s is %s', (_, freeShare, free, state) => {
    expect(diskStateOf({ path: '/', freeShare, freeBytes: free * GIB })).toBe(state);
  });

  it('that is full comes before a larger one with a smaller share left', () => {
    const large = { path: '/srv', freeShare: 0.01, freeBytes: 25 * GIB };
    const small = { path: '/', freeShare: 0.015, freeBytes: 0.45 * GIB };
    expect([large, small].sort(byNeed)).toEqual([small, large]);
  });
});

describe('the workers', () => {
  const now = 1_000_000_000;
  const worker = (startedAgo: number, seenSeconds: number, kind: 'worker' | 'api' = 'worker') => ({
    kind,
    startedAt: now - startedAgo * 1_000,
    reportedAt: now - seenSeconds * 1_000,
    seenSeconds,
  });

  it('are none', () => {
    expect(workersOf([worker(60, 1, 'api')])).toEqual({ running: 0, silent: 0, seenSeconds: null });
  });

  it('run, and are seen as the latest was', () => {
    expect(workersOf([worker(60, 4), worker(90, 2)])).toEqual({ running: 2, silent: 0, seenSeconds: 2 });
  });

  it('are frozen while another runs', () => {
    expect(workersOf([worker(600, 4), worker(600, 30)])).toEqual({ running: 1, silent: 1, seenSeconds: 4 });
  });

  it('count as replaced when another has started since', () => {
    expect(workersOf([worker(20, 4), worker(600, 30)])).toEqual({ running: 1, silent: 0, seenSeconds: 4 });
  });

  it('are all frozen', () => {
    expect(workersOf([worker(600, 30), worker(600, 21)])).toEqual({ running: 0, silent: 2, seenSeconds: 21 });
  });
});
