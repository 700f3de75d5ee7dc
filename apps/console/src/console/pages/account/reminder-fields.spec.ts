import { describe, expect, it } from '@jest/globals';
import { numberOf, wholeUpTo } from './reminder-fields.js';

describe('a number of a reminder', () => {
  it.each([
    ['0', 0],
    ['1000', 1_000],
    [' 1,000 ', 1_000],
    ['1，000', 1_000],
    ['1,000,000,000,000', 1_000_000_000_000],
  ])('reads %j as %d', (typed, number) => {
    expect(numberOf(typed)).toBe(number);
  });

  it.each([
    ['', 'REQUIRED'],
    ['  ', 'REQUIRED'],
    ['-1', 'WRONG_TYPE'],
    ['1.5', 'WRONG_TYPE'],
    ['1e3', 'WRONG_TYPE'],
    ['many', 'WRONG_TYPE'],
    ['91', 'TOO_BIG'],
    ['90', null],
    ['0', null],
  ])('says of %j: %s', (typed, code) => {
    expect(wholeUpTo(90)(typed, {})).toBe(code);
  });
});
