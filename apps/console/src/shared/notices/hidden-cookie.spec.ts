import { describe, expect, it } from '@jest/globals';
import { hiddenIn, hidingCookie } from './hidden-cookie.js';

const NOW = new Date(2026, 10, 21, 15, 30);
const pairOf = (cookie: string): string => cookie.split('; ')[0] ?? '';
const endOf = (cookie: string): Date => new Date(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '');

describe('notices that shall not appear again today', () => {
  it('are remembered beside other cookies', () => {
    const pair = pairOf(hidingCookie('', [3, 12], NOW));
    expect([...hiddenIn(`theme=dark; ${pair}; language=en`)]).toEqual([3, 12]);
  });

  it('join those that are hidden already, each once', () => {
    expect([...hiddenIn(pairOf(hidingCookie('notices=3.12', [12, 14], NOW)))]).toEqual([3, 12, 14]);
  });

  it.each([
    ['', []],
    ['theme=dark', []],
    ['notices=', []],
    ['my-notices=7', []],
    ['notices=x7', []],
    ['notices=7.0.-1.8', []],
    ['notices=7..9007199254740993.8', [7, 8]],
    ['notices=7.8<script>', []],
  ])('are read out of %j, whatever stands there', (cookies, ids) => {
    expect([...hiddenIn(cookies)]).toEqual(ids);
  });

  it.each([
    [NOW, new Date(2026, 10, 22)],
    [new Date(2026, 10, 21), new Date(2026, 10, 22)],
    [new Date(2026, 11, 31, 23, 59, 59), new Date(2027, 0, 1)],
  ])('come back at midnight: %s', (now, midnight) => {
    const cookie = hidingCookie('', [1], now);
    expect(endOf(cookie)).toEqual(midnight);
    expect(cookie).toMatch(/^notices=1; Path=\/; Expires=[^;]+ GMT; SameSite=Lax$/);
  });

  it('never outgrow a cookie', () => {
    const ids = Array.from({ length: 500 }, (_, n) => 9_007_199_254_740_000 + n);
    const cookie = hidingCookie('', ids, NOW);
    expect(cookie.length).toBeLessThan(4_000);
    expect(hiddenIn(pairOf(cookie)).has(ids.at(-1) ?? 0)).toBe(true);
  });
});
