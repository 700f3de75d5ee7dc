import { describe, expect, it } from '@jest/globals';
import { durationOf, grouped, signed, withDecimals, yuan } from './amounts.js';

const WHOLE = [
  0,
  1,
  9,
  10,
  99,
  100,
  101,
  999,
  1_000,
  1_005,
  10_000,
  12_345,
  999_999,
  1_000_000,
  1_284_500,
  2 ** 31,
  2 ** 53 - 1,
];
const both = WHOLE.flatMap((n) => (n === 0 ? [n] : [n, -n]));

describe('amounts', () => {
  it.each(both)('groups %d', (n) => {
    expect(grouped(n)).toBe(n.toLocaleString('en-US'));
  });

  it.each(both.filter((n) => Math.abs(n) < 2 ** 40))('%d fen are yuan with two decimals', (fen) => {
    const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    expect(yuan(fen)).toBe((fen / 100).toLocaleString('en-US', decimals));
  });

  it('keep what decimals they have', () => {
    expect([0.5, 2.5, 1234.5678, -12345.25].map(grouped)).toEqual(['0.5', '2.5', '1,234.5678', '-12,345.25']);
  });

  it('say decimals as far as they go', () => {
    expect([5_000_000, 12_345, 10_000, 1_000, 50].map((n) => withDecimals(n, { places: 4 }))).toEqual([
      '500',
      '1.2345',
      '1',
      '0.1',
      '0.005',
    ]);
    expect(withDecimals(5_000_000, { places: 3 })).toBe('5,000');
  });

  it('carry a sign where they are changes', () => {
    expect([10_000, -186, 0].map(signed)).toEqual(['+10,000', '−186', '0']);
  });
});

describe('minutes of a package', () => {
  it('are days, hours and minutes', () => {
    expect(durationOf(43_200)).toEqual({ days: 30, hours: 0, minutes: 0 });
    expect(durationOf(-1501)).toEqual({ days: 1, hours: 1, minutes: 1 });
  });
});
