import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  convertHolds,
  convertMain,
  convertSub,
  exchange,
  exchangeUp,
  minutesLeft,
  minutesWorth,
  type LifeChange,
  type Tariff,
} from './conversion.js';
import { MINUTE_MS, QUOTA_MAX } from './limits.js';

const NOW = 1_700_000_000_000;
const price = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const smallPrice = fc.integer({ min: 1, max: 200 });
const quota = fc.oneof(fc.nat(100_000), fc.integer({ min: 0, max: QUOTA_MAX }));

const tariff = (billingMode: Tariff['billingMode'], charPrice: number, minutePrice = 1): Tariff => ({
  billingMode,
  tranChannelId: charPrice,
  charPrice,
  minutePrice,
  referencePrice: charPrice,
});

describe('a conversion', () => {
  it('is exact to the last unit, or too large to be stored', () => {
    fc.assert(
      fc.property(quota, price, price, (n, from, to) => {
        const [down, up] = [exchange(n, from, to), exchangeUp(n, from, to)];
        const value = BigInt(n) * BigInt(from);
        if (down <= QUOTA_MAX) {
          expect(BigInt(down) * BigInt(to) <= value && value < (BigInt(down) + 1n) * BigInt(to)).toBe(true);
          expect(up - down).toBe(value % BigInt(to) === 0n ? 0 : 1);
        } else expect(value / BigInt(to) > BigInt(QUOTA_MAX)).toBe(true);
      }),
    );
  });

  it('never gains value, there and back through any prices', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), price, fc.array(price, { maxLength: 6 }), (n, own, through) => {
        let [now, at] = [n, own];
        for (const next of [...through, own]) [now, at] = [exchange(now, at, next), next];
        expect(now).toBeLessThanOrEqual(n);
      }),
    );
  });
});

/** Where an account is; `lives`: what changed how long it lives since it entered time mode. */
type Standing = { charNum: number; expireAt: number | null; tariff: Tariff; lives: LifeChange[] };
/** `minutes`: of the package, when the change is a purchase of time. */
type Change = {
  to: 'char' | 'time' | 'channel';
  charPrice: number;
  minutePrice: number;
  minutes: number;
  passed: number;
};

const change: fc.Arbitrary<Change> = fc.record({
  to: fc.constantFrom('char' as const, 'time' as const, 'time' as const, 'channel' as const),
  charPrice: smallPrice,
  minutePrice: fc.integer({ min: 1, max: 20_000 }),
  minutes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
  /** ms until the next change */
  passed: fc.oneof(fc.constant(0), fc.nat(3 * MINUTE_MS)),
});

/** Another tariff and the purchase of time, as buying or changing the channel makes it; characters that are bought are left out. */
function changed(at: Standing, { to, charPrice, minutePrice, minutes }: Change, now: number): Standing {
  const { billingMode } = at.tariff;
  const worth = minutesWorth(at.lives);
  const next = tariff(to === 'channel' ? billingMode : to, charPrice, minutePrice);
  const changes = convertMain(at, { ...at.tariff, ...(worth && { worth }) }, next, now);
  const charNum = at.charNum + (changes.charChange ?? 0);
  const converted = changes.expireAt === undefined ? at.expireAt : changes.expireAt;
  if (next.billingMode === 'char') return { charNum, expireAt: converted, tariff: next, lives: [] };
  const lives = [...at.lives];
  if (billingMode === 'time')
    lives.push({ by: 'channel', prices: null, at: now, before: at.expireAt, after: converted });
  if (to === 'channel') return { charNum, expireAt: converted, tariff: next, lives };
  const expireAt = Math.max(now, converted ?? now) + minutes * MINUTE_MS;
  lives.push({ by: 'package', price: next, since: now, at: now, before: converted, after: expireAt });
  return { charNum, expireAt, tariff: next, lives };
}

describe('the value of a main account', () => {
  it('never exceeds what was paid, in any cycle of channels, billing modes and packages', () => {
    fc.assert(
      fc.property(fc.nat(50_000_000), smallPrice, fc.array(change, { maxLength: 12 }), (charNum, own, changes) => {
        let at: Standing = { charNum, expireAt: NOW + 1, tariff: tariff('char', own), lives: [] };
        let paid = charNum * own;
        let now = NOW;
        const home = { to: 'char' as const, charPrice: own, minutePrice: 1, minutes: 0, passed: 0 };
        for (const next of [...changes, home]) {
          at = changed(at, next, now);
          if (next.to === 'time') paid += next.minutes * next.minutePrice;
          now += next.passed;
          expect(at.charNum).toBeGreaterThanOrEqual(0);
          expect(minutesLeft(at.expireAt, now)).toBeGreaterThanOrEqual(0);
          if (at.tariff.billingMode === 'time') continue;
          expect(at.charNum * at.tariff.charPrice).toBeLessThanOrEqual(paid);
          paid = at.charNum * at.tariff.charPrice;
        }
      }),
      { numRuns: 800 },
    );
  });

  it('of one package follows the formula exactly, however much time passed and however often it was bought', () => {
    const buying = fc.record({ minutes: fc.integer({ min: 1, max: 100_000 }), passed: fc.nat(40 * MINUTE_MS) });
    const own = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(fc.array(buying, { minLength: 1 }), smallPrice, smallPrice, own, (bought, from, to, minutePrice) => {
        let at: Standing = { charNum: 777, expireAt: null, tariff: tariff('char', from), lives: [] };
        let now = NOW;
        for (const { minutes, passed } of bought) {
          at = changed(at, { to: 'time', charPrice: from, minutePrice, minutes, passed }, now);
          now += passed;
        }
        const left = minutesLeft(at.expireAt, now);
        const back = changed(at, { to: 'char', charPrice: to, minutePrice: 1, minutes: 0, passed: 0 }, now);
        expect(back.charNum).toBe(Math.floor((left * minutePrice) / to));
      }),
    );
  });

  it('of two packages is the price of both, minus the elapsed share', () => {
    const minutes = fc.integer({ min: 1, max: 100_000 });
    const own = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(minutes, minutes, own, own, fc.double({ min: 0, max: 1, noNaN: true }), (m1, m2, p1, p2, gone) => {
        let at: Standing = { charNum: 0, expireAt: null, tariff: tariff('char', 10), lives: [] };
        for (const [m, minutePrice] of [
          [m1, p1],
          [m2, p2],
        ] as const)
          at = changed(at, { to: 'time', charPrice: 10, minutePrice, minutes: m, passed: 0 }, NOW);
        const left = m1 + m2 - Math.floor(gone * (m1 + m2));
        const now = NOW + (m1 + m2 - left) * MINUTE_MS;
        const back = changed(at, { to: 'char', charPrice: 10, minutePrice: 1, minutes: 0, passed: 0 }, now);
        const exact = (BigInt(m1 * p1 + m2 * p2) * BigInt(left)) / (BigInt(m1 + m2) * 10n);
        expect(BigInt(back.charNum)).toBe(exact);
      }),
    );
  });

  it('is the same in the preview and a few seconds later, within one minute', () => {
    const mode = fc.constantFrom('char' as const, 'time' as const);
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e5), mode, mode, smallPrice, smallPrice, (charNum, left, a, b, from, to) => {
        const state = { charNum, expireAt: NOW + left * MINUTE_MS + 30_000 };
        const [before, after] = [tariff(a, from, 300), tariff(b, to, 300)];
        const [preview, result] = [
          convertMain(state, before, after, NOW),
          convertMain(state, before, after, NOW + 9_000),
        ];
        expect([result.charChange, result.minChange]).toEqual([preview.charChange, preview.minChange]);
        if (a === b) expect(result).toEqual(preview);
      }),
    );
  });

  it('counts whole remaining minutes, and none that are over', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e12 }), (ms) => {
        const minutes = minutesLeft(NOW + ms, NOW);
        expect(minutes).toBe(ms <= 0 ? 0 : (ms - (ms % MINUTE_MS)) / MINUTE_MS);
      }),
    );
    expect(minutesLeft(null, NOW)).toBe(0);
  });
});

describe('reserved characters', () => {
  it('stay covered by the converted balance, whatever is in flight', () => {
    const holds = fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(holds, fc.nat(100_000), smallPrice, smallPrice, (held, free, from, to) => {
        const charNum = held.reduce((sum, n) => sum + n, free);
        const [before, after] = [tariff('char', from), tariff('char', to)];
        const last = charNum + (convertSub({ charNum, expireAt: null }, before, after).charChange ?? 0);
        const kept = convertHolds(held, before, after, last);
        expect(kept).toHaveLength(held.length);
        expect(kept.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(last);
        kept.forEach((n, i) => {
          expect(n).toBeGreaterThanOrEqual(0);
          expect(n).toBeLessThanOrEqual(exchangeUp(held[i] ?? 0, from, to));
        });
        // Rounding up is cut only where everything is reserved already.
        const isCut = kept.some((n, i) => n < exchangeUp(held[i] ?? 0, from, to));
        if (isCut) expect(kept.reduce((sum, n) => sum + n, 0)).toBe(last);
      }),
    );
  });
});
