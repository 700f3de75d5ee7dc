import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { classOf, figuresOf, noCounts } from './traffic.js';

const figures = (times: readonly number[], failed = 0) => {
  const counts = noCounts();
  counts.failed = failed;
  for (const ms of times) counts.classes[classOf(ms)] = (counts.classes[classOf(ms)] ?? 0) + 1;
  return figuresOf(counts);
};

describe('channel figures', () => {
  it('are empty when there is too little traffic', () => {
    expect(figures([])).toEqual({ requests: 0, successShare: null, medianMs: null, p95Ms: null });
    expect(figures([100, 100, 100, 100])).toMatchObject({ requests: 4, successShare: null, medianMs: null });
    expect(figures([100], 4)).toMatchObject({ requests: 5, successShare: 0.2, medianMs: null, p95Ms: null });
  });

  it('are accurate to one histogram bucket: a fifth', () => {
    const rank = (times: readonly number[], share: number): number =>
      [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 10, max: 15_000 }), { minLength: 5, maxLength: 200 }), (times) => {
        const { requests, successShare, medianMs, p95Ms } = figures(times);
        expect([requests, successShare]).toEqual([times.length, 1]);
        for (const [found, share] of [
          [medianMs, 0.5],
          [p95Ms, 0.95],
        ] as const) {
          expect(found).toBeGreaterThanOrEqual(rank(times, share) / 1.25);
          expect(found).toBeLessThanOrEqual(rank(times, share) * 1.25);
        }
      }),
    );
  });

  it('count out-of-range values in the first and last bucket', () => {
    expect(classOf(0)).toBe(0);
    expect(figures(Array<number>(10).fill(60_000)).p95Ms).toBeGreaterThan(12_000);
  });
});
