import { describe, expect, it } from '@jest/globals';
import type { Quality } from './abilities.js';
import { quoteOf, sumOf, type Quote } from './quote.js';

const translation = new Set<Quality>(['translation']);
const gloss = new Set<Quality>(['gloss']);
const either = new Set<Quality>(['translation', 'gloss']);
const at = (asked: number, own: number, mode: 'char' | 'time' = 'char') => ({ mode, prices: { asked, own } });
const chars = (n: number, atMost = false): Quote => ({ kind: 'chars', chars: n, atMost });

describe('the cost before sending', () => {
  it('is one character per code point on the own channel', () => {
    expect(quoteOf(186, translation, at(10, 10))).toEqual(chars(186));
    expect(quoteOf(0, translation, at(10, 10))).toEqual(chars(0));
  });

  it('is rounded up by the ratio of prices on another channel', () => {
    expect(quoteOf(3, translation, at(15, 10))).toEqual(chars(5));
    expect(quoteOf(3, translation, at(10, 15))).toEqual(chars(2));
  });

  it('is free for a gloss and in time mode', () => {
    expect(quoteOf(9, gloss, at(10, 10))).toEqual({ kind: 'free', why: 'gloss' });
    expect(quoteOf(9, translation, at(10, 10, 'time'))).toEqual({ kind: 'free', why: 'package' });
    expect(quoteOf(9, translation, at(10, 60, 'time'))).toEqual({ kind: 'free', why: 'package' });
  });

  it('is unavailable through a more expensive channel in time mode', () => {
    expect(quoteOf(9, translation, at(11, 10, 'time'))).toEqual({ kind: 'notIncluded' });
    expect(quoteOf(9, gloss, at(11, 10, 'time'))).toEqual({ kind: 'notIncluded' });
  });

  it('is an upper bound when the language decides', () => {
    expect(quoteOf(9, either, at(10, 10))).toEqual(chars(9, true));
  });

  it('is not guessed when the channel cannot', () => {
    expect(quoteOf(9, new Set(), at(10, 10))).toEqual({ kind: 'cannot' });
  });
});

describe('the sum of channels side by side', () => {
  it('adds up the channels that can translate', () => {
    expect(sumOf([chars(10), { kind: 'cannot' }, chars(15)])).toEqual(chars(25));
    expect(sumOf([chars(10, true), { kind: 'free', why: 'gloss' }])).toEqual(chars(10, true));
  });

  it('is free only when everything is, and unknown when nobody can', () => {
    expect(sumOf([{ kind: 'free', why: 'gloss' }, { kind: 'cannot' }])).toEqual({ kind: 'free', why: 'gloss' });
    expect(sumOf([{ kind: 'cannot' }])).toEqual({ kind: 'cannot' });
    expect(sumOf([])).toEqual({ kind: 'cannot' });
    expect(sumOf([{ kind: 'notIncluded' }])).toEqual({ kind: 'notIncluded' });
    expect(sumOf([{ kind: 'notIncluded' }, { kind: 'free', why: 'package' }])).toEqual({
      kind: 'free',
      why: 'package',
    });
  });
});
