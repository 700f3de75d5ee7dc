import { describe, expect, it } from '@jest/globals';
import { isTaxNumber, normalizeTaxNumber } from './invoices.js';

describe('a unified social credit code', () => {
  // Of companies that publish theirs: Tencent, Huawei, Alibaba.
  it.each(['9144030071526726XG', '914403001922038216', '91330100799655058B'])(
    '%s has the right check digit',
    (code) => {
      expect(isTaxNumber(code)).toBe(true);
    },
  );

  it('is refused when one digit is another, or two neighbours are swapped', () => {
    const code = '914403001922038216';
    for (let at = 0; at < code.length; at++) {
      const other = code[at] === '1' ? '2' : '1';
      expect(isTaxNumber(code.slice(0, at) + other + code.slice(at + 1))).toBe(false);
      const [a = '', b = ''] = code.slice(at, at + 2);
      if (a !== b && b !== '') expect(isTaxNumber(code.slice(0, at) + b + a + code.slice(at + 2))).toBe(false);
    }
  });

  it.each([
    '',
    '91440300192203821',
    '9144030019220382161',
    '91440300192203821I',
    '91440300192203821o',
    '91440300 192203821',
  ])('%j is none', (text) => expect(isTaxNumber(text)).toBe(false));

  it('is read without spaces, in capitals', () => {
    expect(normalizeTaxNumber(' 9144 0300 7152 6726 xg ')).toBe('9144030071526726XG');
  });
});
