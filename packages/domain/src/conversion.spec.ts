import { describe, expect, it } from '@jest/globals';
import { convertHolds, convertMain, convertSub, minuteValue, purchased, type Tariff } from './conversion.js';
import { DAY_MS, MINUTE_MS } from './limits.js';

const NOW = 1_700_000_000_000;
const char = (tranChannelId: number, charPrice: number): Tariff => ({
  ...{ billingMode: 'char', tranChannelId, charPrice, minutePrice: 1 },
});
const time = (tranChannelId: number, charPrice: number, minutePrice = 3_000): Tariff => ({
  ...{ billingMode: 'time', tranChannelId, charPrice, minutePrice },
});
const cheap = char(1, 10);
const dear = char(7, 60);

describe('a change of tariff', () => {
  it('keeps the value of characters, rounded down', () => {
    expect(convertMain({ charNum: 1_000, expireAt: NOW }, cheap, dear, NOW)).toEqual({
      ...{ billingMode: 'char', tranChannelId: 7, charChange: 166 - 1_000 },
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

  it('converts characters that lie in an account of time mode: they are worth what their channel costs', () => {
    const left = { charNum: 1_200, expireAt: NOW + 60 * MINUTE_MS + 1 };
    expect(convertMain(left, time(1, 10), time(7, 60), NOW)).toMatchObject({ charChange: 200 - 1_200, minChange: -50 });
    expect(convertMain(left, time(1, 10), dear, NOW)).toMatchObject({
      charChange: 200 - 1_200 + Math.floor((60 * 3_000) / 60),
      minChange: -60,
    });
  });

  it('keeps what is held covered: rounded up, and never above the balance', () => {
    expect(convertHolds([7, 7], cheap, dear, 100)).toEqual([2, 2]);
    expect(convertHolds([7, 7], cheap, dear, 3)).toEqual([2, 1]);
    expect(convertHolds([7, 7], cheap, time(1, 10), 0)).toEqual([0, 0]);
  });
});

describe('the worth of a minute', () => {
  it('is that of the cheapest package its time may come from', () => {
    expect(minuteValue([{ minutePrice: 3_000, charPrice: 10 }], 10)).toBe(3_000);
    expect(
      minuteValue(
        [
          { minutePrice: 3_000, charPrice: 10 },
          { minutePrice: 200, charPrice: 10 },
        ],
        10,
      ),
    ).toBe(200);
  });

  it('shrinks with a change to a cheaper channel, which made more minutes of it, and never grows', () => {
    const bought = [{ minutePrice: 6_000, charPrice: 60 }];
    expect(minuteValue(bought, 10)).toBe(1_000);
    expect(minuteValue(bought, 60)).toBe(6_000);
    expect(minuteValue(bought, 120)).toBe(6_000);
  });
});

describe('a package', () => {
  const gifts = { voiceNum: 2, imageNum: 3, memberGroupId: 2 };

  it('per character adds characters and 30 days a piece, to what is left of the time', () => {
    const bought = { ...gifts, billingMode: 'char', num: 100, quantity: 3 } as const;
    const added = { billingMode: 'char', charChange: 300, voiceChange: 6, imageChange: 9 };
    expect(purchased(bought, NOW + 5, NOW)).toEqual({ ...added, expireAt: NOW + 5 + 90 * DAY_MS });
    expect(purchased(bought, NOW - DAY_MS, NOW)).toEqual({ ...added, expireAt: NOW + 90 * DAY_MS });
    expect(purchased(bought, null, NOW)).toEqual({ ...added, expireAt: NOW + 90 * DAY_MS });
  });

  it('per period adds its minutes', () => {
    const bought = { ...gifts, billingMode: 'time', num: 60, quantity: 2 } as const;
    expect(purchased(bought, NOW + 5, NOW)).toMatchObject({ minChange: 120, expireAt: NOW + 5 + 120 * MINUTE_MS });
  });
});
