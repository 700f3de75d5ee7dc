import { describe, expect, it } from '@jest/globals';
import { unitPrice, worthsOf } from './plan.js';

describe('the price of ten thousand characters', () => {
  it.each([
    [8_800, 2_000_000, '0.44'],
    [19_800, 5_000_000, '0.40'],
    [39_800, 12_000_000, '0.33'],
    [25_800, 3_000_000, '0.86'],
    [38_800, 4_000_000, '0.97'],
    [100, 10_000, '1.00'],
  ])('%d fen for %d characters: %s yuan', (salePrice, num, yuan) => expect(unitPrice({ salePrice, num })).toBe(yuan));
});

const PRICES = [
  { id: 1, price: 40 },
  { id: 2, price: 40 },
  { id: 6, price: 80 },
  { id: 7, price: 96 },
];

describe('what a package is worth through the channels', () => {
  it('is told once for each price, the reference first', () => {
    expect(worthsOf({ num: 5_000_000, referenceChannelId: 2 }, PRICES)).toEqual([
      { channelIds: [2, 1], num: 5_000_000 },
      { channelIds: [6], num: 2_500_000 },
      { channelIds: [7], num: 2_083_333 },
    ]);
  });

  it('is more where characters are cheaper than at the reference', () => {
    expect(worthsOf({ num: 3_000_000, referenceChannelId: 6 }, PRICES)).toEqual([
      { channelIds: [6], num: 3_000_000 },
      { channelIds: [1, 2], num: 6_000_000 },
      { channelIds: [7], num: 2_500_000 },
    ]);
  });

  it('is not guessed without the price of the reference', () => {
    expect(worthsOf({ num: 5_000_000, referenceChannelId: 2 }, [])).toEqual([]);
  });
});
