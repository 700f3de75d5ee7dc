import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../test/support/texts.js';
import { LINKS, MAY_HIDE_LETTERS, MAY_LINK } from './find-protected.js';
import { protect } from './protect.js';

const parts = [
  'a',
  'Zz',
  'é',
  '你',
  '7',
  '٣',
  '.',
  ':',
  '/',
  '@',
  '＠',
  '-',
  '_',
  '[',
  ']',
  '{',
  '}',
  '%',
  '<',
  '>',
  '&',
  ';',
  '#',
  ' ',
];
const words = [
  'www.',
  'mailto:',
  'localhost',
  'com',
  'COM',
  'xn--a',
  'shop',
  '中国',
  '192.0.2.1',
  '::1',
  'USD',
  'NAME',
  '0x',
  '<!--',
];
const texts = fc.oneof(
  anyText(),
  fc.array(fc.constantFrom(...parts, ...words), { maxLength: 12 }).map((some) => some.join('')),
);

describe('the quick check before the search', () => {
  it('misses no link', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = LINKS.some((pattern) => text.search(pattern) >= 0);
        expect(found && !MAY_LINK.test(text)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('misses no character of protected pieces', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const hidden = protect(text).pieces.some((piece) => /\p{L}/u.test(piece));
        expect(hidden && !MAY_HIDE_LETTERS.test(text)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
