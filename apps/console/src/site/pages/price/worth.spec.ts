import { describe, expect, it } from '@jest/globals';
import { worthsOf } from './worth.js';

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
