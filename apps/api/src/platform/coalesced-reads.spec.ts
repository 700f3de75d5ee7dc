import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { CoalescedReads } from './coalesced-reads.js';

/** Records each read and keeps it in flight until released; reads return ten times the key and the number of the read. */
function open() {
  const reads: { keys: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const reader = new CoalescedReads<number, string>((keys) => {
    const nth = reads.length + 1;
    return new Promise((resolve, reject) => {
      const finish = (): void =>
        resolve(new Map(keys.filter((k) => k > 0).map((k) => [k, `${k * 10} by read ${nth}`])));
      reads.push({ keys, finish, fail: reject });
    });
  });
  return { reads, reader };
}
/** Lets pending callbacks run. */
const turn = async () => {
  for (let times = 0; times < 5; times++) await immediate();
};

it('answers simultaneous callers with one read, each key once', async () => {
  const { reads, reader } = open();
  const answers = Promise.all([reader.get(1), reader.get(2), reader.get(1), reader.get(-1)]);
  await turn();
  expect(reads.map((read) => read.keys)).toEqual([[1, 2, -1]]);
  reads[0]?.finish();
  expect(await answers).toEqual(['10 by read 1', '20 by read 1', '10 by read 1', undefined]);
});

it('answers callers that arrive during a read with the next one, never with one that began before', async () => {
  const { reads, reader } = open();
  const first = reader.get(1);
  await turn();
  const second = reader.get(1);
  reads[0]?.finish();
  await turn();
  reads[1]?.finish();
  expect([await first, await second]).toEqual(['10 by read 1', '10 by read 2']);
});

it('does not delay other callers when a read hangs', async () => {
  const { reads, reader } = open();
  const stuck = reader.get(1);
  await turn();
  const other = reader.get(2);
  while (reads.length < 2) await sleep(5);
  reads[1]?.finish();
  expect(await other).toBe('20 by read 2');
  reads[0]?.finish();
  await stuck;
});

it('rejects the callers of a failed read, and continues', async () => {
  const { reads, reader } = open();
  const both = Promise.allSettled([reader.get(1), reader.get(2)]);
  await turn();
  reads[0]?.fail(new Error('gone'));
  expect((await both).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  const next = reader.get(3);
  await turn();
  reads[1]?.finish();
  expect(await next).toBe('30 by read 2');
});
