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

describe('single flight', () => {
  it('runs equal work once while in flight, and again afterwards', async () => {
    const all = [ask(['a', 'b']), ask(['b', 'a']), ask(['b'])];
    expect(works.map(({ places }) => places)).toEqual([[0, 1]]);
    works[0]?.finish(['A', 'B']);
    expect(await Promise.all(all)).toEqual([['A', 'B'], ['B', 'A'], ['B']]);
    const again = ask(['a']);
    expect(works).toHaveLength(2);
    works[1]?.finish(['A2']);
    expect(await again).toEqual(['A2']);
  });

  it('runs a key once that is requested twice', async () => {
    const twice = ask(['a', 'b', 'a']);
    expect(works.map(({ places }) => places)).toEqual([[0, 1]]);
    works[0]?.finish(['A', 'B']);
    expect(await twice).toEqual(['A', 'B', 'A']);
  });

  it('joins what is in flight, and starts only the rest', async () => {
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

  it('continues when one of its callers cancels', async () => {
    const leaving = new AbortController();
    const [left, stays] = [ask(['a'], leaving.signal), ask(['a'])];
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(works[0]?.signal.aborted).toBe(false);
    works[0]?.finish(['A']);
    expect(await stays).toEqual(['A']);
    expect(works[0]?.signal.aborted).toBe(false);
  });

  it('aborts when its last caller cancels, and cannot be joined after that', async () => {
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

  it('fails for all its callers, and only for them', async () => {
    const all = [ask(['a']), ask(['a'])];
    works[0]?.fail(new Error('broken'));
    for (const one of all) await expect(one).rejects.toThrow('broken');
    const again = ask(['a']);
    works[1]?.finish(['A']);
    expect(await again).toEqual(['A']);
  });

  it('does not start for a cancelled caller', async () => {
    await expect(ask(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(works).toEqual([]);
  });

  it('fails when the work returns too few results', async () => {
    const short = ask(['a', 'b']);
    works[0]?.finish(['A']);
    await expect(short).rejects.toThrow('1 results for 2 keys');
  });
});
