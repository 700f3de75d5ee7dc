import { describe, expect, it } from '@jest/globals';
import type { Abilities } from './abilities.js';
import { shownOf, toggled, usableBy } from './channel-order.js';

const any = (sources: string[], targets: string[]) =>
  ({ kind: 'any', sources: new Set(sources), targets: new Set(targets) }) as const;
const abilities: Abilities = new Map([
  [1, any(['en'], ['es'])],
  [2, any(['en', 'ja'], ['es', 'de'])],
  [4, any(['en', 'ja'], ['es', 'de'])],
]);
const prices = new Map([
  [1, 10],
  [2, 20],
  [4, 15],
]);
const main = { own: { id: 1, main: true }, mode: 'char', abilities, prices } as const;
const sub = { ...main, own: { id: 1, main: false } };

describe('the channels side by side', () => {
  it('default to the member’s own, else the cheapest that supports the direction', () => {
    expect(shownOf(null, main, { source: 'en', target: 'es' })).toEqual([1]);
    expect(shownOf(null, main, { source: 'ja', target: 'de' })).toEqual([4]);
    expect(shownOf(null, main, { source: 'ja', target: 'ko' })).toEqual([1]);
  });

  it('are only its own channel for a sub-account', () => {
    expect(shownOf(null, sub, { source: 'ja', target: 'de' })).toEqual([1]);
    expect(usableBy(sub)).toEqual([1]);
    expect(usableBy(main)).toEqual([1, 2, 4]);
  });

  it('exclude more expensive channels in time mode', () => {
    const timed = { ...main, own: { id: 4, main: true }, mode: 'time' } as const;
    expect(usableBy(timed)).toEqual([1, 4]);
    expect(usableBy({ ...timed, own: { id: 2, main: true } })).toEqual([1, 2, 4]);
    expect(shownOf(null, { ...timed, own: { id: 1, main: true } }, { source: 'ja', target: 'de' })).toEqual([1]);
  });

  it('stay as picked, even if they cannot translate', () => {
    expect(shownOf([2, 1], main, { source: 'ja', target: 'ko' })).toEqual([2, 1]);
  });

  it('are one to three, the member’s own first', () => {
    expect(toggled([1], 2, 1)).toEqual([1, 2]);
    expect(toggled([2, 4], 1, 1)).toEqual([1, 2, 4]);
    expect(toggled([1, 2, 4], 8, 1)).toEqual([1, 2, 4]);
    expect(toggled([1, 2, 4], 2, 1)).toEqual([1, 4]);
    expect(toggled([2], 2, 1)).toEqual([2]);
  });
});
