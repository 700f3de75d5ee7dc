import { expect, it } from '@jest/globals';
import { Clock } from '../../platform/clock.js';
import { loadConfig } from '../../platform/config.js';
import { nextNightly } from './audit-runs.js';

const settings = {
  DATABASE_URL: 'postgresql://none',
  REDIS_URL: 'redis://none',
  SMTP_URL: 'smtp://none',
  APP_SECRET: '0'.repeat(64),
};

it('the next audit of the night is today while its time is to come, then tomorrow', () => {
  const clock = new Clock(loadConfig({ ...settings, APP_TIMEZONE: 'Asia/Shanghai' }));
  const at = (now: string) =>
    nextNightly('03:25', {
      now: () => clock.fromWire(now),
      day: (date) => clock.day(date),
      fromWire: (time) => clock.fromWire(time),
    });
  expect(at('2026-11-28 03:24:59')).toBe('2026-11-28 03:25:00');
  expect(at('2026-11-28 03:25:00')).toBe('2026-11-29 03:25:00');
  expect(at('2026-12-31 23:59:59')).toBe('2027-01-01 03:25:00');
  expect(nextNightly('off', clock)).toBeNull();
});
