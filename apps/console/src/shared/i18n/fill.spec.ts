import { describe, expect, it } from '@jest/globals';
import en from '../../console/shared/ledger/messages.en.js';
import { fill } from './fill.js';

describe('the noun that goes with a number', () => {
  const text = '{{n, noun(one: image; many: images)}}';

  it.each([1, '1', '+1', '−1', '-1'])('is singular for %s', (n) => {
    expect(fill(text, { n })).toBe('image');
  });

  it.each([0, 2, 11, '1,001', '+21', '0.1', '–'])('is plural for %s', (n) => {
    expect(fill(text, { n })).toBe('images');
  });

  it('is understood in a text', () => {
    const say = (n: string) => fill(en.chars, { n });
    expect([say('−1'), say('+1,001')]).toEqual(['−1 char', '+1,001 chars']);
  });
});

describe('parameters', () => {
  it('are inserted at every place where they are named', () => {
    expect(fill('{{a}} · {{b}} · {{a}}', { a: 'x', b: 2 })).toBe('x · 2 · x');
  });

  it('are inserted literally', () => {
    expect(fill('{{a}}', { a: '$& {{b}} <b>', b: 'no' })).toBe('$& {{b}} <b>');
  });

  it('leave nothing behind when they are missing', () => {
    expect(fill('a{{b}}c')).toBe('ac');
  });
});
