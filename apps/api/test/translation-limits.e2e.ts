/** Rate limits count simultaneous callers with one command, and judge each as if they had arrived one after the other. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateText } from '@yiqiao/contracts/translation';
import { RateLimits } from '../src/platform/rate-limits.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';

describe.each([
  ['with Redis', {}],
  ['without Redis', { REDIS_URL: 'redis://127.0.0.1:1' }],
])('%s', (_, extra) => {
  let api: TestApi;
  beforeAll(async () => {
    // Over two seconds: ten pass.
    api = await startApi({ LIMIT_TRANSLATION_PER_SECOND: '5', ...extra });
  });
  afterAll(() => api.stop());

  const passed = async (limits: RateLimits, keys: string[]): Promise<boolean[]> =>
    (await Promise.allSettled(keys.map((key) => limits.take('translationRate', key)))).map(
      (r) => r.status === 'fulfilled',
    );

  it('admits the first ten of a burst and nobody after them', async () => {
    const limits = api.app.get(RateLimits);
    const key = randomBytes(6).toString('hex');
    const crowd = await passed(limits, Array<string>(25).fill(key));
    expect(crowd).toEqual([...Array<boolean>(10).fill(true), ...Array<boolean>(15).fill(false)]);
    expect(await passed(limits, [key])).toEqual([false]);
  });

  it('counts successive bursts, and each key separately', async () => {
    const limits = api.app.get(RateLimits);
    const [a, b] = [randomBytes(6).toString('hex'), randomBytes(6).toString('hex')];
    expect(await passed(limits, [a, b, a, a])).toEqual([true, true, true, true]);
    expect(await passed(limits, Array<string>(6).fill(a))).toEqual(Array(6).fill(true));
    expect(await passed(limits, [a, a, b])).toEqual([true, false, true]);
  });

  it('returns when to retry', async () => {
    const { client } = await makeMain(api);
    const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发' };
    const replies = await Promise.all(Array.from({ length: 14 }, () => client.send(translateText, ask)));
    const late = replies.filter((reply) => reply.status === 429);
    expect(replies.filter((reply) => reply.status === 200).length).toBeGreaterThanOrEqual(10);
    for (const reply of late) expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});
