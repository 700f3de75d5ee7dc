import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { RateLimit } from './account-pace.js';
import { DayCap } from './day-cap.js';
import { RateLimiter } from './rate-limiter.js';

const FREE: RateLimit = { requestsPerSecond: null, charsPerMinute: null, inFlight: 1_000, day: null };

type Going = { readonly name: number; readonly at: number; readonly chars: number };

/** A rate limiter on a fake clock; `gone`: who started when, `refused`: who was rejected. */
function pacing(pace: Partial<RateLimit>) {
  const clock = new FakeClock();
  const limiter = new RateLimiter({ ...FREE, ...pace }, { time: clock, name: 'one', shared: null });
  const [gone, refused]: [Going[], number[]] = [[], []];
  const come = (
    name: number,
    { chars = 1, patienceMs = 15_000, takesMs = 0, family = 1, signal = new AbortController().signal } = {},
  ): void =>
    void limiter.enter({ chars, family, until: clock.now() + patienceMs, signal }).then((may) => {
      if (!may) return refused.push(name);
      gone.push({ name, at: clock.now(), chars });
      clock.after(takesMs, () => limiter.leave());
      return undefined;
    });
  const names = (): number[] => gone.map(({ name }) => name);
  return { clock, limiter, come, gone, refused, names };
}

describe('a rate limiter', () => {
  it('delays requests instead of refusing them: 5 a second', async () => {
    const { clock, come, names, refused } = pacing({ requestsPerSecond: 5 });
    for (let i = 0; i < 12; i++) come(i);
    await clock.pass(0);
    expect(names()).toEqual([0, 1, 2, 3, 4]);
    await clock.pass(1_049);
    expect(names()).toHaveLength(5);
    await clock.pass(1);
    expect(names()).toHaveLength(10);
    await clock.pass(1_050);
    expect(names()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(refused).toEqual([]);
    await clock.pass(1);
    expect(clock.set).toBe(0);
  });

  it('supports rates below one request a second', async () => {
    const { clock, come, gone } = pacing({ requestsPerSecond: 0.5 });
    for (let i = 0; i < 3; i++) come(i);
    await clock.pass(10_000);
    expect(gone.map(({ at }) => at - (gone[0]?.at ?? 0))).toEqual([0, 2_100, 4_200]);
  });

  it('rejects at once only those whose turn cannot come in time', async () => {
    const { clock, come, names, refused } = pacing({ requestsPerSecond: 1 });
    for (let i = 0; i < 5; i++) come(i, { patienceMs: 2_200 });
    await clock.pass(0);
    expect(refused).toEqual([3, 4]);
    await clock.pass(5_000);
    expect(names()).toEqual([0, 1, 2]);
  });

  it('limits the wait for a slot that is never freed', async () => {
    const { clock, come, names, refused } = pacing({ inFlight: 1 });
    come(0, { takesMs: 60_000 });
    come(1, { patienceMs: 3_000 });
    await clock.pass(2_999);
    expect(refused).toEqual([]);
    await clock.pass(1);
    expect([names(), refused]).toEqual([[0], [1]]);
  });

  it('queues five requests per slot, and rejects further ones at once', async () => {
    const { clock, come, names, refused } = pacing({ inFlight: 2 });
    for (let i = 0; i < 14; i++) come(i, { takesMs: 1_000 });
    await clock.pass(0);
    expect(refused).toEqual([12, 13]);
    await clock.pass(1_000);
    for (let i = 14; i < 17; i++) come(i, { takesMs: 1_000 });
    await clock.pass(0);
    expect(refused).toEqual([12, 13, 16]);
    await clock.pass(10_000);
    expect(names()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15]);
  });

  it('accepts only a short queue once it has stalled for a while', async () => {
    const { clock, come, names, refused } = pacing({ inFlight: 2 });
    for (let i = 0; i < 6; i++) come(i, { takesMs: 1_000, family: i });
    await clock.pass(99);
    come(6, { takesMs: 1_000, family: 6 });
    await clock.pass(1);
    come(7, { takesMs: 1_000, family: 7 });
    // It has one request waiting already, but others wait before it.
    for (let i = 8; i < 10; i++) come(i, { takesMs: 1_000, family: 6 });
    await clock.pass(0);
    expect(refused).toEqual([7, 8, 9]);
    await clock.pass(1_000);
    come(10, { takesMs: 1_000, family: 10 });
    await clock.pass(2_000);
    come(11, { takesMs: 1_000, family: 11 });
    await clock.pass(10_000);
    expect([names(), refused]).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 11],
      [7, 8, 9, 10],
    ]);
  });

  it('keeps room for small requests beside a family that filled the queue', async () => {
    const { clock, come, names, refused } = pacing({ inFlight: 1 });
    for (let i = 0; i < 8; i++) come(i, { takesMs: 1_000, family: 1 });
    come(100, { takesMs: 1_000, family: 2 });
    await clock.pass(0);
    expect(refused).toEqual([6, 7]);
    await clock.pass(2_000);
    expect(names()).toEqual([0, 1, 100]);
  });

  it('starts the next request as soon as a slot is freed', async () => {
    const { clock, come, gone } = pacing({ inFlight: 2 });
    for (let i = 0; i < 5; i++) come(i, { takesMs: 1_000 });
    await clock.pass(5_000);
    const [first] = gone;
    expect(gone.map(({ at }) => at - (first?.at ?? 0))).toEqual([0, 0, 1_000, 1_000, 2_000]);
  });

  it('drops cancelled requests, and starts the next one at once', async () => {
    const { clock, come, names, refused } = pacing({ charsPerMinute: 100 });
    const leaving = new AbortController();
    come(0, { chars: 60 });
    come(1, { chars: 80, patienceMs: 120_000, signal: leaving.signal });
    come(2, { chars: 40, patienceMs: 120_000 });
    await clock.pass(10);
    expect(names()).toEqual([0]);
    leaving.abort();
    await clock.pass(0);
    expect([names(), refused]).toEqual([[0, 2], [1]]);
    come(3, { signal: leaving.signal });
    await clock.pass(0);
    expect(refused).toEqual([1, 3]);
    expect(clock.set).toBeLessThanOrEqual(2);
  });

  it('rejects a request that exceeds the limit per minute', async () => {
    const { clock, limiter, come, refused } = pacing({ charsPerMinute: 100 });
    expect(limiter.delay({ chars: 101, family: 0 })).toBe(Number.POSITIVE_INFINITY);
    come(0, { chars: 101 });
    await clock.pass(0);
    expect(refused).toEqual([0]);
  });

  it('stops at the daily cap until the next day', async () => {
    let today = '2026-11-21';
    const day = new DayCap(100, { today: () => today, now: () => 0, store: () => null });
    const { clock, come, names, refused } = pacing({ day });
    come(0, { chars: 90 });
    come(1, { chars: 11 });
    come(2, { chars: 10 });
    await clock.pass(0);
    expect([names(), refused]).toEqual([[0, 2], [1]]);
    today = '2026-11-22';
    come(3, { chars: 100 });
    await clock.pass(0);
    expect(names()).toEqual([0, 2, 3]);
  });

  it('backs off after a rate limit response as long as the vendor asks, or longer each time', async () => {
    const { clock, limiter, come, names } = pacing({});
    expect(limiter.pause(3_000)).toBe(true);
    expect(limiter.pause(3_000)).toBe(false);
    come(0);
    await clock.pass(2_999);
    expect(names()).toEqual([]);
    await clock.pass(1);
    expect(names()).toEqual([0]);
    for (const ms of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      expect(limiter.pause(null)).toBe(true);
      expect(limiter.delay({ chars: 1, family: 0 })).toBe(ms);
      await clock.pass(ms);
    }
    limiter.resume();
    limiter.pause(null);
    expect(limiter.delay({ chars: 1, family: 0 })).toBe(1_000);
  });

  it('backs off for half an hour at most', () => {
    const { limiter } = pacing({});
    limiter.pause(86_400_000);
    expect(limiter.delay({ chars: 1, family: 0 })).toBe(1_800_000);
  });

  it('can reject everything in its queue', async () => {
    const { clock, limiter, come, refused } = pacing({ requestsPerSecond: 1 });
    for (let i = 0; i < 4; i++) come(i);
    limiter.flush();
    await clock.pass(0);
    expect(refused).toEqual([1, 2, 3]);
    await clock.pass(1);
    expect(clock.set).toBe(0);
  });

  it('recovers slowly after a rate limit response: one at a time, one more with each success', async () => {
    const { clock, limiter, come, names } = pacing({});
    limiter.pause(1_000);
    for (let i = 0; i < 8; i++) come(i, { takesMs: 100 });
    await clock.pass(1_000);
    expect(names()).toHaveLength(1);
    limiter.resume();
    await clock.pass(100);
    expect(names()).toHaveLength(3);
    limiter.resume();
    limiter.resume();
    await clock.pass(100);
    expect(names()).toHaveLength(7);
  });

  it('backs off briefly even if the vendor asks for no pause', () => {
    const { limiter } = pacing({});
    limiter.pause(0);
    expect(limiter.delay({ chars: 1, family: 1 })).toBe(250);
  });

  it('starts small requests soon, whatever others have queued', async () => {
    const { clock, limiter, come, gone } = pacing({ requestsPerSecond: 5 });
    for (let i = 0; i < 60; i++) come(i, { family: 1 });
    expect(limiter.delay({ chars: 1, family: 1 })).toBeGreaterThan(11_000);
    expect(limiter.delay({ chars: 1, family: 2 })).toBe(1_050);
    come(100, { family: 2 });
    await clock.pass(1_050);
    expect(gone.some(({ name }) => name === 100)).toBe(true);
  });

  it('serves families in turn and keeps the order within each', async () => {
    const visitor = fc.record({
      family: fc.integer({ min: 1, max: 4 }),
      afterMs: fc.integer({ min: 0, max: 300 }),
      takesMs: fc.integer({ min: 0, max: 2_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(visitor, { maxLength: 40 }),
        async (places, visitors) => {
          const { clock, come, names, refused } = pacing({ inFlight: places });
          const familyOf = (name: number) => visitors[name]?.family;
          /** Who had started when each arrived. */
          const before: number[] = [];
          for (const [name, { afterMs, family, takesMs }] of visitors.entries()) {
            await clock.pass(afterMs);
            before.push(names().length);
            come(name, { family, takesMs, patienceMs: 1_000_000 });
            await clock.pass(0);
          }
          await clock.pass(200_000);
          expect([...names(), ...refused].sort((a, b) => a - b)).toEqual([...visitors.keys()]);
          for (const [name, came] of before.entries()) {
            if (refused.includes(name)) continue;
            const mine = names().filter((other) => familyOf(other) === familyOf(name));
            expect(mine).toEqual([...mine].sort((a, b) => a - b));
            const whileFirst = names()
              .slice(came, names().indexOf(name))
              .reduce<number[]>((seen, other) => (familyOf(other) === familyOf(name) ? [] : [...seen, other]), []);
            const families = whileFirst.map(familyOf);
            expect(new Set(families).size).toBe(families.length);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('never exceeds its rate, keeps the order and loses no request', async () => {
    const visitor = fc.record({
      afterMs: fc.integer({ min: 0, max: 400 }),
      chars: fc.integer({ min: 1, max: 100 }),
      patienceMs: fc.integer({ min: 1, max: 15_000 }),
      takesMs: fc.integer({ min: 0, max: 3_000 }),
    });
    const paces = fc.record({
      requestsPerSecond: fc.option(fc.integer({ min: 1, max: 8 })),
      charsPerMinute: fc.option(fc.integer({ min: 100, max: 1_000 })),
      inFlight: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(paces, fc.array(visitor, { maxLength: 40 }), async (pace, visitors) => {
        const { clock, come, gone, refused, names } = pacing(pace);
        for (const [name, { afterMs, ...visit }] of visitors.entries()) {
          await clock.pass(afterMs);
          come(name, visit);
        }
        await clock.pass(120_000);
        expect(names()).toEqual([...names()].sort((a, b) => a - b));
        expect([...names(), ...refused].sort((a, b) => a - b)).toEqual([...visitors.keys()]);
        for (const { at } of gone) {
          const within = (ms: number) => gone.filter((other) => other.at >= at && other.at < at + ms);
          expect(within(1_000).length).toBeLessThanOrEqual(pace.requestsPerSecond ?? 40);
          const chars = within(60_000).reduce((sum, other) => sum + other.chars, 0);
          expect(chars).toBeLessThanOrEqual(pace.charsPerMinute ?? 4_000);
          const running = gone.filter(
            (other) => other.at <= at && other.at + (visitors[other.name]?.takesMs ?? 0) > at,
          );
          expect(running.length).toBeLessThanOrEqual(pace.inFlight);
        }
        for (const { name, at } of gone) {
          const came = visitors.slice(0, name + 1).reduce((sum, { afterMs }) => sum + afterMs, 0);
          const patience = visitors[name]?.patienceMs ?? 0;
          expect(at).toBeLessThanOrEqual(1_700_000_000_000 + came + patience);
        }
        expect(clock.set).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
