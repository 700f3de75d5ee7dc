import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MediaQueue, restAfter } from './media-queue.js';
import { TextTraffic } from './text-traffic.js';

const turn = () => ({ family: 1, signal: new AbortController().signal });

describe('a pause', () => {
  it('is as long as the step while texts are translated on two processors', () => {
    expect(restAfter(800, { processors: 2, isAsked: true })).toBe(800);
    expect(restAfter(800, { processors: 1, isAsked: true })).toBe(800);
    expect(restAfter(45_000, { processors: 2, isAsked: true })).toBe(5_000);
  });

  it('is skipped when no texts are translated, or when processors are idle', () => {
    expect(restAfter(800, { processors: 2, isAsked: false })).toBe(0);
    expect(restAfter(800, { processors: 4, isAsked: true })).toBe(0);
  });
});

describe('the queue', () => {
  it('runs all waiting steps, with and without pauses, and is free again afterwards', async () => {
    const texts = new TextTraffic();
    const queue = new MediaQueue(texts);
    const done: string[] = [];
    const step = (name: string) => queue.run(turn(), async () => void (await sleep(20), done.push(name)));
    texts.note();
    await Promise.all([step('a'), step('b'), step('c')]);
    await step('d');
    expect(done).toEqual(['a', 'b', 'c', 'd']);
  });

  it('pauses before the next step, not before the result', async () => {
    const texts = new TextTraffic();
    const queue = new MediaQueue(texts);
    texts.note();
    const begun: number[] = [];
    const step = () => queue.run(turn(), async () => void (begun.push(performance.now()), await sleep(60)));
    const first = step().then(() => performance.now());
    const others = Promise.all([step(), step(), step()]);
    const answered = await first;
    await others;
    const rest = restAfter(60, { processors: availableParallelism(), isAsked: true });
    // Only the next step is certain to be delayed by the pause. Timers may fire a millisecond early.
    expect((begun.at(rest > 0 ? 1 : -1) ?? 0) - answered).toBeGreaterThanOrEqual(rest - 2);
  });

  it('frees the slot of a step that fails', async () => {
    const queue = new MediaQueue(new TextTraffic());
    for (let i = 0; i < 4; i++)
      await expect(queue.run(turn(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(turn(), () => Promise.resolve('there'))).toBe('there');
  });
});
