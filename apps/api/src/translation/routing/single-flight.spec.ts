import { beforeEach, describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/fake-clock.js';
import { SingleFlight } from './single-flight.js';

type Work = {
  readonly places: readonly number[];
  readonly signal: AbortSignal;
  readonly finish: (results: readonly string[]) => void;
  readonly fail: (reason: Error) => void;
};

let flights: SingleFlight<string>;
let works: Work[];
const nobodyLeaves = new AbortController().signal;

beforeEach(() => {
  flights = new SingleFlight();
  works = [];
});

const start = (places: readonly number[], signal: AbortSignal): Promise<readonly string[]> =>
  new Promise((resolve, reject) => works.push({ places, signal, finish: resolve, fail: reject }));
const ask = (keys: readonly string[], signal = nobodyLeaves) => flights.all(keys, start, signal);

describe('equal work', () => {
  it('is done once while it is under way, and again afterwards', async () => {
    const all = [ask(['a', 'b']), ask(['b', 'a']), ask(['b'])];
    expect(works.map(({ places }) => places)).toEqual([[0, 1]]);
    works[0]?.finish(['A', 'B']);
    expect(await Promise.all(all)).toEqual([['A', 'B'], ['B', 'A'], ['B']]);
    const again = ask(['a']);
    expect(works).toHaveLength(2);
    works[1]?.finish(['A2']);
    expect(await again).toEqual(['A2']);
  });

  it('is done once for a key that is asked for twice', async () => {
    const twice = ask(['a', 'b', 'a']);
    expect(works.map(({ places }) => places)).toEqual([[0, 1]]);
    works[0]?.finish(['A', 'B']);
    expect(await twice).toEqual(['A', 'B', 'A']);
  });

  it('is joined where it is under way, and only the rest is begun', async () => {
    const first = ask(['a', 'b']);
    const second = ask(['c', 'b', 'd']);
    expect(works.map(({ places }) => places)).toEqual([
      [0, 1],
      [0, 2],
    ]);
    works[1]?.finish(['C', 'D']);
    works[0]?.finish(['A', 'B']);
    expect([await first, await second]).toEqual([
      ['A', 'B'],
      ['C', 'B', 'D'],
    ]);
  });

  it('goes on when one of those who asked goes away', async () => {
    const leaving = new AbortController();
    const [left, stays] = [ask(['a'], leaving.signal), ask(['a'])];
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(works[0]?.signal.aborted).toBe(false);
    works[0]?.finish(['A']);
    expect(await stays).toEqual(['A']);
    expect(works[0]?.signal.aborted).toBe(false);
  });

  it('is told to stop when the last one has gone, and nobody joins it any more', async () => {
    const leaving = new AbortController();
    const left = [ask(['a'], leaving.signal), ask(['a'], leaving.signal)];
    leaving.abort(new Error('gone'));
    await Promise.allSettled(left);
    expect(works[0]?.signal.aborted).toBe(true);
    const later = ask(['a']);
    expect(works).toHaveLength(2);
    works[0]?.finish(['old']);
    await settled();
    const joined = ask(['a']);
    expect(works).toHaveLength(2);
    works[1]?.finish(['A']);
    expect([await later, await joined]).toEqual([['A'], ['A']]);
  });

  it('fails for all who asked, and only for them', async () => {
    const all = [ask(['a']), ask(['a'])];
    works[0]?.fail(new Error('broken'));
    for (const one of all) await expect(one).rejects.toThrow('broken');
    const again = ask(['a']);
    works[1]?.finish(['A']);
    expect(await again).toEqual(['A']);
  });

  it('is not begun for one who has gone already', async () => {
    await expect(ask(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(works).toEqual([]);
  });

  it('fails when it answers too little', async () => {
    const short = ask(['a', 'b']);
    works[0]?.finish(['A']);
    await expect(short).rejects.toThrow('1 results for 2 keys');
  });
});
