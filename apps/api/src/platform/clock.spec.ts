import { expect, it } from '@jest/globals';
import { Clock } from './clock.js';
import { loadConfig } from './config.js';

const clockIn = (APP_TIMEZONE: string): Clock =>
  new Clock(
    loadConfig({
      APP_TIMEZONE,
      DATABASE_URL: 'postgresql://x',
      REDIS_URL: 'redis://x',
      SMTP_URL: 'smtp://x',
      APP_SECRET: '0'.repeat(64),
    }),
  );

it.each([
  ['Asia/Shanghai', '2026-11-20 14:32:08', '2026-11-20T06:32:08.000Z'],
  ['America/New_York', '2026-03-08 03:00:00', '2026-03-08T07:00:00.000Z'],
  ['America/New_York', '2026-11-01 02:00:00', '2026-11-01T07:00:00.000Z'],
])('in %s, %s is %s, and its second ends within it', (zone, text, instant) => {
  const clock = clockIn(zone);
  expect(clock.fromWire(text).toISOString()).toBe(instant);
  expect(clock.endOfWire(text).getTime()).toBe(new Date(instant).getTime() + 999);
  expect(clock.between(text, text)).toEqual({ from: clock.fromWire(text), to: clock.endOfWire(text) });
  expect(clock.toWire(new Date(instant))).toBe(text);
});

it('leaves a range open if no end is given', () => {
  expect(clockIn('Asia/Shanghai').between(undefined, undefined)).toEqual({ from: undefined, to: undefined });
});

it.each([
  ['2026-11-20T15:59:59.999Z', '2026-11-20 23:59:59'],
  ['2026-11-20T16:00:00.000Z', '2026-11-21 00:00:00'],
  ['1999-12-31T16:00:00.000Z', '2000-01-01 00:00:00'],
  ['9999-12-31T15:59:59.000Z', '9999-12-31 23:59:59'],
])('writes %s as %s in Shanghai, and its day', (instant, text) => {
  const clock = clockIn('Asia/Shanghai');
  expect(clock.toWire(new Date(instant))).toBe(text);
  expect(clock.day(new Date(instant))).toBe(text.slice(0, 10));
});
