import { describe, expect, it } from '@jest/globals';
import {
  convertHolds,
  convertMain,
  convertSub,
  credited,
  minutesWorth,
  purchased,
  type LifeChange,
  type Tariff,
} from './conversion.js';
import { DAY_MS, MINUTE_MS } from './limits.js';

const NOW = 1_700_000_000_000;
const char = (tranChannelId: number, charPrice: number): Tariff => ({
  billingMode: 'char',
  tranChannelId,
  charPrice,
  minutePrice: 1,
  referencePrice: charPrice,
});
/** Of a package whose reference is a channel at `referencePrice`. */
const time = (tranChannelId: number, charPrice: number, minutePrice = 3_000, referencePrice = charPrice): Tariff => ({
  billingMode: 'time',
  tranChannelId,
  charPrice,
  minutePrice,
  referencePrice,
});
const cheap = char(1, 10);
const dear = char(7, 60);

describe('a change of tariff', () => {
  it('keeps the value of characters, rounded down', () => {
    expect(convertMain({ charNum: 1_000, expireAt: NOW }, cheap, dear, NOW)).toEqual({
      billingMode: 'char',
      tranChannelId: 7,
      charChange: 166 - 1_000,
    });
    expect(convertSub({ charNum: 5, expireAt: null }, cheap, dear)).toEqual({ tranChannelId: 7, charChange: -5 });
  });

  it('turns characters into minutes from now on, and minutes back into characters', () => {
    const there = convertMain({ charNum: 600_000, expireAt: NOW + DAY_MS }, cheap, time(1, 10), NOW);
    expect(there).toMatchObject({ charChange: -600_000, minChange: 2_000, expireAt: NOW + 2_000 * MINUTE_MS });
    const back = convertMain({ charNum: 0, expireAt: there.expireAt ?? null }, time(1, 10), cheap, NOW + 500);
    expect(back).toMatchObject({
      charChange: Math.floor((1_999 * 3_000) / 10),
      minChange: -1_999,
      expireAt: NOW + 500,
    });
  });

  it('prices minutes of a channel dearer than the reference higher, in both directions', () => {
    const there = convertMain({ charNum: 600_000, expireAt: NOW }, cheap, time(7, 60, 3_000, 10), NOW);
    expect(there.minChange).toBe(Math.floor((600_000 * 10 * 10) / (3_000 * 60)));
    const in10 = { charNum: 0, expireAt: NOW + 10 * MINUTE_MS };
    expect(convertMain(in10, time(7, 60, 3_000, 10), cheap, NOW)).toMatchObject({ charChange: (10 * 3_000 * 6) / 10 });
  });

  it('converts characters in an account in time mode at the price of their channel', () => {
    const left = { charNum: 1_200, expireAt: NOW + 60 * MINUTE_MS + 1 };
    expect(convertMain(left, time(1, 10), time(7, 60), NOW)).toMatchObject({ charChange: 200 - 1_200, minChange: -50 });
    expect(convertMain(left, time(1, 10), dear, NOW)).toMatchObject({
      charChange: 200 - 1_200 + Math.floor((60 * 3_000) / 60),
      minChange: -60,
    });
  });

  it('keeps reserved characters covered: rounded up, and never above the balance', () => {
    expect(convertHolds([7, 7], cheap, dear, 100)).toEqual([2, 2]);
    expect(convertHolds([7, 7], cheap, dear, 3)).toEqual([2, 1]);
    expect(convertHolds([7, 7], cheap, time(1, 10), 0)).toEqual([0, 0]);
  });
});

describe('the value of minutes', () => {
  const at = (minutes: number): number => NOW + minutes * MINUTE_MS;
  /** An account whose minutes end at `ends`, `passed` minutes after the beginning, and until when it lives then. */
  const change = (passed: number, ends: number, then: number) => ({
    at: at(passed),
    before: at(ends),
    after: at(then),
  });
  const buying = (price: number, ...times: Parameters<typeof change>): LifeChange & { by: 'package' } => ({
    by: 'package',
    price: { minutePrice: price, referencePrice: 10, charPrice: 10 },
    since: at(times[0]),
    ...change(...times),
  });

  it('is the price of a single package, including what was converted into it', () => {
    expect(minutesWorth([])).toBeNull();
    const worth = minutesWorth([buying(3_000, 0, 500, 1_500)]);
    expect(worth).toEqual({ value: 4_500_000n, minutes: 1_500n });
    const left = { charNum: 0, expireAt: NOW + 999 * MINUTE_MS + 5 };
    const [alone, of] = [time(1, 10), { ...time(1, 10, 1), ...(worth && { worth }) }];
    expect(convertMain(left, of, cheap, NOW)).toEqual(convertMain(left, alone, cheap, NOW));
  });

  it('of several packages is their total price, and decreases evenly over time', () => {
    const mixed = [buying(100, 0, 0, 1_000), buying(500, 0, 1_000, 2_000)];
    expect(minutesWorth(mixed)).toEqual({ value: 600_000n, minutes: 2_000n });
    expect(minutesWorth([...mixed, buying(100, 1_000, 2_000, 3_000)])).toEqual({ value: 400_000n, minutes: 2_000n });
    const [worth] = [minutesWorth(mixed)];
    const half = { charNum: 0, expireAt: at(1_000) };
    expect(convertMain(half, { ...time(1, 10), ...(worth && { worth }) }, cheap, NOW).charChange).toBe(30_000);
  });

  it('is unchanged when another channel makes more or fewer minutes of it', () => {
    const bought = buying(6_000, 0, 0, 100);
    expect(minutesWorth([bought, { by: 'channel', prices: null, ...change(0, 100, 600) }])).toEqual({
      value: 600_000n,
      minutes: 600n,
    });
    const fewer = [bought, { by: 'channel', prices: null, ...change(0, 100, 50) } as const];
    expect(minutesWorth(fewer)).toEqual({ value: 600_000n, minutes: 50n });
    expect(minutesWorth([...fewer, { by: 'channel', prices: null, ...change(25, 50, 75) }])).toEqual({
      value: 300_000n,
      minutes: 50n,
    });
  });

  it('of minutes bought on a channel dearer than the reference is the price paid for them', () => {
    const price = { minutePrice: 3_000, referencePrice: 10, charPrice: 60 };
    const minutes = credited({ num: 1_000, quantity: 1, referencePrice: 10 }, 60);
    const worth = minutesWorth([{ by: 'package', price, since: NOW, ...change(0, 0, minutes) }]);
    expect(worth).toEqual({ value: BigInt(166 * 18_000), minutes: 166n });
  });

  it('decreases by a refund after a channel change by what those minutes became', () => {
    const bought = [buying(6_000, 0, 0, 100), { by: 'channel', prices: null, ...change(0, 100, 50) } as const];
    const back = (then: number): LifeChange => ({ ...buying(6_000, 0, 50, then), since: NOW });
    expect(minutesWorth([...bought, back(20)])).toEqual({ value: 240_000n, minutes: 20n });
    expect(minutesWorth([...bought, back(0)])?.value).toBe(0n);
  });

  it('decreases by a refund by what the package had added, and is zero when the time is over', () => {
    const cheapAndDear = [buying(100, 0, 0, 1_000), buying(9_000, 10, 1_000, 2_000)];
    expect(minutesWorth([...cheapAndDear, buying(9_000, 20, 2_000, 1_000)])?.value).toBeLessThanOrEqual(98_000n);
    expect(minutesWorth([...cheapAndDear, buying(9_000, 2_500, 2_000, 1_500)])).toEqual({ value: 0n, minutes: 1n });
    expect(minutesWorth([...cheapAndDear, { by: 'other', ...change(20, 2_000, 0) }])?.value).toBe(0n);
    // What somebody lengthens without a package keeps the worth of a minute.
    expect(minutesWorth([buying(100, 0, 0, 10), { by: 'other', ...change(5, 10, 25) }])).toEqual({
      value: 2_000n,
      minutes: 20n,
    });
  });
});

describe('a package', () => {
  const gifts = { voiceNum: 2, imageNum: 3, memberGroupId: 2, referencePrice: 10 };
  const on = (expireAt: number | null, charPrice = 10) => ({ expireAt, charPrice });

  it('per character adds characters, and 30 days each to the remaining time', () => {
    const bought = { ...gifts, billingMode: 'char', num: 100, quantity: 3 } as const;
    const added = { billingMode: 'char', charChange: 300, voiceChange: 6, imageChange: 9 };
    expect(purchased(bought, on(NOW + 5), NOW)).toEqual({ ...added, expireAt: NOW + 5 + 90 * DAY_MS });
    expect(purchased(bought, on(NOW - DAY_MS), NOW)).toEqual({ ...added, expireAt: NOW + 90 * DAY_MS });
    expect(purchased(bought, on(null), NOW)).toEqual({ ...added, expireAt: NOW + 90 * DAY_MS });
  });

  it('is worth the same on every channel: its characters follow the reference price', () => {
    const bought = { ...gifts, billingMode: 'char', num: 1_000, quantity: 2 } as const;
    expect(purchased(bought, on(null, 24), NOW).charChange).toBe(833);
    expect(purchased(bought, on(null, 4), NOW)).toMatchObject({ charChange: 5_000, voiceChange: 4, imageChange: 6 });
    const month = { ...gifts, billingMode: 'time', num: 60, quantity: 1 } as const;
    expect(purchased(month, on(null, 24), NOW)).toMatchObject({ minChange: 25, expireAt: NOW + 25 * MINUTE_MS });
  });

  it('per period adds its minutes', () => {
    const bought = { ...gifts, billingMode: 'time', num: 60, quantity: 2 } as const;
    expect(purchased(bought, on(NOW + 5), NOW)).toMatchObject({ minChange: 120, expireAt: NOW + 5 + 120 * MINUTE_MS });
  });
});
