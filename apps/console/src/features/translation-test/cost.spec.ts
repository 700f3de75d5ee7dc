import { describe, expect, it } from '@jest/globals';
import { chosenWay, costOf, type Payer } from './cost.js';
import type { Pair } from './pairs.js';

const way = (channelId: number, quality: Pair['quality'] = 'translation'): Pair => ({
  source: 'en',
  target: 'es',
  quality,
  channelId,
});
const prices = new Map([
  [1, 10],
  [2, 20],
  [4, 15],
]);
const char: Payer = { mode: 'char', channelId: 1 };

describe('the cost before sending', () => {
  it('is one character per code point on the own channel', () => {
    expect(costOf(186, [way(1)], { payer: char, prices })).toEqual({ kind: 'chars', chars: 186, atMost: false });
    expect(costOf(0, [way(1)], { payer: char, prices })).toEqual({ kind: 'chars', chars: 0, atMost: false });
  });

  it('is rounded up by the ratio of prices on another channel', () => {
    expect(costOf(3, [way(4)], { payer: char, prices })).toEqual({ kind: 'chars', chars: 5, atMost: false });
  });

  it('is nothing for a gloss, and nothing while a time package lives', () => {
    expect(costOf(9, [way(1, 'gloss')], { payer: char, prices })).toEqual({ kind: 'free', why: 'gloss' });
    expect(costOf(9, [way(1)], { payer: { mode: 'time', channelId: 1 }, prices })).toEqual({
      kind: 'free',
      why: 'package',
    });
  });

  it('is an upper bound when the language decides', () => {
    expect(costOf(9, [way(1), way(1, 'gloss')], { payer: char, prices })).toEqual({
      kind: 'chars',
      chars: 9,
      atMost: true,
    });
  });

  it('is not guessed when nothing can translate it', () => {
    expect(costOf(9, [], { payer: char, prices })).toEqual({ kind: 'unknown' });
  });
});

describe('the way that is taken', () => {
  it('is the own channel, else the cheapest', () => {
    expect(chosenWay([way(2), way(1)], char, prices)?.channelId).toBe(1);
    expect(chosenWay([way(2), way(4)], char, prices)?.channelId).toBe(4);
    expect(chosenWay([], char, prices)).toBeUndefined();
  });
});
