import { describe, expect, it } from '@jest/globals';
import { nearestQuantity, quantityOf } from './quantity.js';

describe('a typed quantity', () => {
  it.each([
    ['1', 1],
    ['999', 999],
    [' 12 ', 12],
    ['１２', 12],
    ['007', 7],
  ])('%j is %d', (text, n) => expect(quantityOf(text)).toBe(n));

  it.each(['', '0', '-1', '1000', '1.5', '1e2', '0x10', 'abc', '1 2', '99999999999999999999', '１０００', '٣'])(
    '%j is none',
    (text) => expect(quantityOf(text)).toBeNull(),
  );

  it.each([
    ['', 5],
    ['abc', 5],
    ['1e3', 5],
    ['0', 1],
    ['-7', 1],
    ['2.9', 2],
    ['1000', 999],
    ['99999999999999999999', 999],
  ])('%j becomes %d when the field is left', (text, n) => expect(nearestQuantity(text, 5)).toBe(n));
});
