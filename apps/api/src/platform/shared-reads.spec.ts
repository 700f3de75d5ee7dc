import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SharedReads } from './shared-reads.js';

/** Remembers each read, which is under way until it is let go; answers the key times ten and the number of the read. */
function open() {
  const reads: { keys: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const shared = new SharedReads<number, string>((keys) => {
    const nth = reads.length + 1;
    return new Promise((resolve, reject) => {
      const finish = (): void =>
        resolve(new Map(keys.filter((k) => k > 0).map((k) => [k, `${k * 10} by read ${nth}`])));
      reads.push({ keys, finish, fail: reject });
    });
  });
  return { reads, shared };
}
/** Whoever had something to do at once has done it. */
const turn = async () => {
  for (let times = 0; times < 5; times++) await immediate();
};

it('answers those who ask together by one read, each key once', async () => {
  const { reads, shared } = open();
  const answers = Promise.all([shared.get(1), shared.get(2), shared.get(1), shared.get(-1)]);
  await turn();
  expect(reads.map((read) => read.keys)).toEqual([[1, 2, -1]]);
  reads[0]?.finish();
  expect(await answers).toEqual(['10 by read 1', '20 by read 1', '10 by read 1', undefined]);
});

it('answers whoever asks during a read by the next one, never by one that began before', async () => {
  const { reads, shared } = open();
  const first = shared.get(1);
  await turn();
  const second = shared.get(1);
  reads[0]?.finish();
  await turn();
  reads[1]?.finish();
  expect([await first, await second]).toEqual(['10 by read 1', '10 by read 2']);
});

it('lets a read that hangs keep nobody else waiting', async () => {
  const { reads, shared } = open();
  const stuck = shared.get(1);
  await turn();
  const other = shared.get(2);
  while (reads.length < 2) await sleep(5);
  reads[1]?.finish();
  expect(await other).toBe('20 by read 2');
  reads[0]?.finish();
  await stuck;
});

it('throws what a read throws to those who wait for it, and goes on', async () => {
  const { reads, shared } = open();
  const both = Promise.allSettled([shared.get(1), shared.get(2)]);
  await turn();
  reads[0]?.fail(new Error('gone'));
  expect((await both).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  const next = shared.get(3);
  await turn();
  reads[1]?.finish();
  expect(await next).toBe('30 by read 2');
});
