import { describe, expect, it } from '@jest/globals';
import { unitPrice } from './plan.js';

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
