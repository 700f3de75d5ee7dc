import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MINUTE_MS } from './limits.js';
import { refundAmount, unusedOf, type PoolEntry, type PoolState } from './refunds.js';

const ORDER = 7;
const paidOrder = { id: ORDER, worth: 0 };
const chars = (charNum: number): PoolState => ({ charNum, expireAt: 1, billingMode: 'char' });
const entry = (type: PoolEntry['type'], before: number, last: number, more: Partial<PoolEntry> = {}): PoolEntry => ({
  type,
  orderId: null,
  createdAt: 0,
  before: chars(before),
  last: chars(last),
  prices: null,
  ...more,
});
const recharge = (before: number, last: number, orderId = ORDER): PoolEntry =>
  entry('RECHARGE_ORDER_BY_MEMBER_GROUP', before, last, { orderId });
const left = (entries: PoolEntry[], charNum: number, held = 0) =>
  unusedOf(paidOrder, entries, { state: chars(charNum), held, now: 0 });

describe('the unused part of an order', () => {
  it('is all of it while only older quota was used', () => {
    expect(left([recharge(100, 1_100)], 1_000)).toEqual({ bought: 1_000, unused: 1_000, takenBack: 0, there: 1_000 });
    expect(left([recharge(100, 1_100)], 999)).toEqual({ bought: 1_000, unused: 999, takenBack: 0, there: 999 });
    expect(left([recharge(0, 1_000)], 0).unused).toBe(0);
  });

  it('excludes what running translations reserve', () => {
    expect(left([recharge(100, 1_100)], 1_100, 300).unused).toBe(800);
  });

  it('of several orders counts usage against the oldest', () => {
    const both = [recharge(0, 1_000), recharge(800, 1_800, 8)];
    expect(left(both, 1_500).unused).toBe(500);
    expect(left(both, 700).unused).toBe(0);
    expect(unusedOf({ id: 8, worth: 0 }, both.slice(1), { state: chars(700), held: 0, now: 0 }).unused).toBe(700);
    const refunded = entry('SYS_ADJUST', 1_500, 500, { orderId: 8 });
    expect(left([...both, refunded], 500).unused).toBe(500);
  });

  it('excludes later gifts', () => {
    expect(left([recharge(0, 1_000), entry('INVITE_REWARD', 300, 10_300)], 10_200).unused).toBe(200);
  });

  it('includes sub-accounts’ quota only once it was taken back', () => {
    const given = entry('DISTRIBUTION', 1_000, 200);
    expect(left([recharge(0, 1_000), given], 200).unused).toBe(200);
    expect(left([recharge(0, 1_000), given, entry('DISTRIBUTION', 200, 700)], 700).unused).toBe(700);
    // Of what went, older quota stays away longest.
    expect(
      left([recharge(500, 1_500), entry('DISTRIBUTION', 1_500, 500), entry('RECOVERY', 500, 700)], 700).unused,
    ).toBe(700);
  });

  it('follows conversions at equal value, including those of sub-accounts', () => {
    const dearer = (before: number, last: number) => entry('MATRIX', before, last, { prices: [40, 100] });
    expect(left([recharge(0, 1_000), dearer(1_000, 400)], 400)).toEqual({
      bought: 1_000,
      unused: 1_000,
      takenBack: 0,
      there: 400,
    });
    expect(left([recharge(0, 1_000), dearer(500, 200)], 100)).toEqual({
      bought: 1_000,
      unused: 250,
      takenBack: 0,
      there: 100,
    });
    const all = (kept: number, converted: number) => [
      recharge(0, 1_000),
      entry('DISTRIBUTION', 1_000, kept),
      dearer(kept, converted),
      entry('RECOVERY', converted, 400),
    ];
    expect(left(all(0, 0), 400)).toEqual({ bought: 1_000, unused: 1_000, takenBack: 0, there: 400 });
    // What few characters became says little of the others: 5 are 2, and 4 would be 1.
    expect(left(all(4, 1), 400)).toMatchObject({ there: 399 });
  });

  it('of minutes at several prices is worth what was paid for them', () => {
    const at = (minutes: number): PoolState => ({ charNum: 0, expireAt: minutes * MINUTE_MS, billingMode: 'time' });
    const bought = (orderId: number, from: number, to: number) =>
      entry('RECHARGE_ORDER_BY_MEMBER_GROUP', 0, 0, { orderId, before: at(from), last: at(to) });
    // 100 minutes for 100,000 and 900 for 9,000 are paid out together, as 1,090 characters of 100.
    const entries = [
      bought(ORDER, 0, 100),
      bought(8, 100, 1_000),
      entry('SYS_MATRIX', 0, 1_090, { before: at(1_000), prices: [100, 100] }),
    ];
    const state = chars(1_090);
    expect(unusedOf({ id: ORDER, worth: 100_000 }, entries, { state, held: 0, now: 0 })).toMatchObject({
      bought: 100,
      unused: 100,
      there: 1_000,
    });
    expect(unusedOf({ id: 8, worth: 9_000 }, entries.slice(1), { state, held: 0, now: 0 })).toMatchObject({
      there: 90,
    });
    // After the month that it was bought for, too: what it became lives as long as the account.
    const later = { state: { ...state, expireAt: 2_000 * MINUTE_MS }, held: 0, now: 1_500 * MINUTE_MS };
    expect(unusedOf({ id: ORDER, worth: 100_000 }, entries, later).unused).toBe(100);
    expect(unusedOf({ id: ORDER, worth: 100_000 }, entries, { ...later, now: 2_000 * MINUTE_MS }).unused).toBe(0);
  });

  it('of a package per character ends with its time, whatever was bought since', () => {
    const state = { ...chars(1_000), expireAt: 9 };
    const at = (now: number): number => unusedOf(paidOrder, [recharge(0, 1_000)], { state, held: 0, now }).unused;
    expect([at(0), at(1)]).toEqual([1_000, 0]);
  });

  it('of minutes is the remaining time; older minutes pass first', () => {
    const at = (minutes: number): PoolState => ({ charNum: 0, expireAt: minutes * MINUTE_MS, billingMode: 'time' });
    const bought = entry('RECHARGE_ORDER_BY_MEMBER_GROUP', 0, 0, { orderId: ORDER, before: at(10), last: at(110) });
    const after = (minutes: number) =>
      unusedOf(paidOrder, [bought], { state: at(110), held: 0, now: minutes * MINUTE_MS }).unused;
    expect([0, 10, 11, 110, 500].map(after)).toEqual([100, 100, 99, 0, 0]);
  });

  it('is restored when a refund fails', () => {
    const tried = [recharge(0, 1_000), entry('SYS_ADJUST', 600, 0, { orderId: ORDER })];
    expect(left(tried, 0)).toEqual({ bought: 1_000, unused: 0, takenBack: 600, there: 0 });
    expect(left([...tried, entry('SYS_ADJUST', 0, 600, { orderId: ORDER })], 600)).toEqual({
      bought: 1_000,
      unused: 600,
      takenBack: 0,
      there: 600,
    });
  });

  it('never exceeds the balance or the purchase, and is never negative', () => {
    const kinds = ['DISTRIBUTION', 'RECOVERY', 'MATRIX', 'SYS_ADJUST', 'INVITE_REWARD', 'OTHER'] as const;
    const step = fc.record({
      type: fc.constantFrom(...kinds),
      used: fc.nat(400),
      to: fc.nat(3_000),
      orderId: fc.constantFrom(null, ORDER, 8),
    });
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(step, { maxLength: 12 }),
        fc.nat(300),
        (old, n, steps, held) => {
          let now = old + n;
          const entries = [recharge(old, now)];
          for (const { type, used, to, orderId } of steps) {
            const before = Math.max(0, now - used);
            entries.push(entry(type, before, to, { orderId: type === 'SYS_ADJUST' ? orderId : null }));
            now = to;
          }
          const { bought, unused, takenBack, there } = left(entries, now, Math.min(held, now));
          expect(Math.min(unused, there)).toBeGreaterThanOrEqual(0);
          expect(unused + takenBack).toBeLessThanOrEqual(bought);
          expect(there).toBeLessThanOrEqual(now - Math.min(held, now));
        },
      ),
    );
  });
});

describe('the refunded amount', () => {
  const paid = { amount: 8_800, refunded: 0 };

  it('is the unused share, rounded down', () => {
    expect(refundAmount({ bought: 2_000_000, unused: 2_000_000, takenBack: 0 }, paid)).toBe(8_800);
    expect(refundAmount({ bought: 2_000_000, unused: 1_999_999, takenBack: 0 }, paid)).toBe(8_799);
    expect(refundAmount({ bought: 2_000_000, unused: 227, takenBack: 0 }, paid)).toBe(0);
    expect(refundAmount({ bought: 2_000_000, unused: 0, takenBack: 0 }, paid)).toBe(0);
  });

  it('of several refunds is the total once nothing is left, and never more', () => {
    expect(refundAmount({ bought: 3, unused: 1, takenBack: 2 }, { amount: 100, refunded: 66 })).toBe(34);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.array(fc.nat(10 ** 9)),
        (amount, bought, parts) => {
          let [refunded, takenBack] = [0, 0];
          for (const part of parts) {
            const unused = Math.min(part, bought - takenBack);
            refunded += refundAmount({ bought, unused, takenBack }, { amount, refunded });
            takenBack += unused;
          }
          expect(refunded).toBeLessThanOrEqual(amount);
          expect(BigInt(refunded) * BigInt(bought)).toBeLessThanOrEqual(BigInt(amount) * BigInt(takenBack));
          if (takenBack === bought && parts.length > 0) expect(refunded).toBe(parts.every((n) => n === 0) ? 0 : amount);
        },
      ),
    );
  });

  it('includes what the gateway refunded although the quota was used', () => {
    expect(refundAmount({ bought: 1_000, unused: 400, takenBack: 0 }, { amount: 100, refunded: 50 })).toBe(0);
    expect(refundAmount({ bought: 1_000, unused: 600, takenBack: 0 }, { amount: 100, refunded: 50 })).toBe(10);
  });
});
