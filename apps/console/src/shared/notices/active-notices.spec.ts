import { describe, expect, it } from '@jest/globals';
import { activeNotices, hiddenIn, hidingCookie } from './active-notices.js';

const notice = (id: number, title = `notice ${id}`) => ({ id, name: `${id}`, title, subTitle: '', content: '' });

function board(...hides: number[]) {
  const hidden = new Set(hides);
  const made = activeNotices(() => hidden);
  return { ...made, hidden, ids: () => made.shown().map(({ id }) => id) };
}

describe('the notices of a page', () => {
  it('are those of the server, without those that are hidden today', () => {
    const { set, ids } = board(2);
    set([notice(3), notice(2), notice(1)]);
    expect(ids()).toEqual([3, 1]);
  });

  it('do not reappear once closed; new ones appear', () => {
    const { set, close, put, ids } = board();
    set([notice(2), notice(1)]);
    expect(close()).toEqual([2, 1]);
    expect(ids()).toEqual([]);
    set([notice(2), notice(1)]);
    expect(ids()).toEqual([]);
    put(notice(3));
    expect(ids()).toEqual([3]);
    set([notice(4), notice(3), notice(2), notice(1)]);
    expect(ids()).toEqual([4, 3]);
  });

  it('appear, disappear and change while the dialog is open', () => {
    const { set, put, remove, shown, ids } = board();
    set([notice(2), notice(1)]);
    put(notice(3));
    expect(ids()).toEqual([3, 2, 1]);
    put(notice(2, 'another title'));
    expect(shown().map(({ title }) => title)).toEqual(['notice 3', 'another title', 'notice 1']);
    remove(3);
    remove(9);
    expect(ids()).toEqual([2, 1]);
    set([]);
    expect(ids()).toEqual([]);
  });

  it('stay while open although another tab hides them; a hidden one does not appear when it changes', () => {
    const { set, put, hidden, ids } = board();
    set([notice(1)]);
    [1, 2].forEach((id) => hidden.add(id));
    put(notice(2));
    put(notice(3));
    expect(ids()).toEqual([3, 1]);
  });

  it('notify subscribers once per change', () => {
    const { set, put, close, subscribe, shown } = board();
    let told = 0;
    const stop = subscribe(() => told++);
    set([notice(1)]);
    expect(shown()).toBe(shown());
    put(notice(2));
    close();
    expect(told).toBe(3);
    stop();
    put(notice(3));
    expect(told).toBe(3);
  });
});

const NOW = new Date(2026, 10, 21, 15, 30);
const pairOf = (cookie: string): string => cookie.split('; ')[0] ?? '';
const endOf = (cookie: string): Date => new Date(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '');

describe('notices that shall not appear again today', () => {
  it('are remembered beside other cookies', () => {
    const pair = pairOf(hidingCookie('', [3, 12], NOW));
    expect([...hiddenIn(`theme=dark; ${pair}; language=en`)]).toEqual([3, 12]);
  });

  it('are added to those already hidden, without duplicates', () => {
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

  it('never exceed the size of a cookie', () => {
    const ids = Array.from({ length: 500 }, (_, n) => 9_007_199_254_740_000 + n);
    const cookie = hidingCookie('', ids, NOW);
    expect(cookie.length).toBeLessThan(4_000);
    expect(hiddenIn(pairOf(cookie)).has(ids.at(-1) ?? 0)).toBe(true);
  });
});
