import { describe, expect, it } from '@jest/globals';
import { beijingTime, compactTime, timeOf, zonedTime } from './beijing-time.js';

describe('Beijing time', () => {
  const ms = Date.UTC(2025, 11, 31, 16, 30, 5, 999);

  it('is formatted as each gateway expects', () => {
    expect(beijingTime(ms)).toBe('2026-01-01 00:30:05');
    expect(compactTime(ms)).toBe('20260101003005');
    expect(zonedTime(ms)).toBe('2026-01-01T00:30:05+08:00');
  });

  it('is parsed, with its zone if it names one', () => {
    const whole = new Date(ms - 999);
    for (const write of [beijingTime, compactTime, zonedTime]) expect(timeOf(write(ms))).toEqual(whole);
    expect(timeOf('2025-12-31T16:30:05.123Z')).toEqual(whole);
    expect(timeOf('2026-01-01T01:30:05+09:00')).toEqual(whole);
  });

  it('parses to null when empty', () => {
    for (const text of [undefined, '', 'soon', '2026-13-01 00:00:00', '2026-01-01', '20260101']) {
      expect(timeOf(text)).toBeNull();
    }
  });
});
