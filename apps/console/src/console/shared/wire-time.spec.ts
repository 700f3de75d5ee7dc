import { describe, expect, it } from '@jest/globals';
import { lastDays, wireMs, wireNow } from './wire-time.js';

describe('times on the wire', () => {
  const lateInLondon = new Date('2026-02-28T18:30:05Z');

  it('are on the clock of the server, whatever zone the browser is in', () => {
    expect(wireNow(lateInLondon)).toBe('2026-03-01 02:30:05');
  });

  it('include today as a whole day in the last ten', () => {
    expect(lastDays(10, lateInLondon)).toEqual({ begin: '2026-02-20 00:00:00', end: '2026-03-01 23:59:59' });
    expect(lastDays(1, lateInLondon)).toEqual({ begin: '2026-03-01 00:00:00', end: '2026-03-01 23:59:59' });
  });

  it('is a number', () => {
    expect(wireMs('2026-03-01 00:00:01') - wireMs('2026-02-28 23:59:59')).toBe(2000);
  });
});
