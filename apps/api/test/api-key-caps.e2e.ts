/** The caps of API keys are exact, whoever translates at once and on however many processes (docs/decisions/0071). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getApiKey, updateApiKey } from '@yiqiao/contracts/api-keys';
import { translate } from '@yiqiao/contracts/native-api';
import { startApi, type TestApi } from './support/api.js';
import { clientWith, makeKey } from './support/api-keys.js';
import type { TestClient } from './support/client.js';
import { makeMainWith, makeSub } from './support/family.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { spawnApi } from './support/process.js';
import type { TestMember } from './support/test-members.js';

const WIDE = { LIMIT_TRANSLATION_IN_FLIGHT: '1000', LIMIT_TRANSLATION_PER_SECOND: '10000' };

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi(WIDE);
  main = await makeMainWith(api, 100_000);
});
afterAll(() => api.stop());

/** Texts of their own, so that nothing is answered for nothing. */
let made = 0;
const textOf = (length: number): string => String.fromCodePoint(0x4e00 + (made++ % 20_000)).padEnd(length, '头');
const ask = (text: string) => ({ text, source: 'zh-Hans', target: 'zh-Hant' });
const usedBy = (owner: TestMember, id: number) => owner.client.call(getApiKey, { id: String(id) });

async function sumsOf(id: number): Promise<{ charged: number; entries: number; counted: number }> {
  const { rows } = await api.db.query<{ charged: number; entries: number; counted: number }>(
    `SELECT (SELECT coalesce(sum(charged), 0)::int FROM translation_log WHERE api_key_id = $1) AS charged,
       (SELECT coalesce(-sum(char_change), 0)::int FROM account_log WHERE api_key_id = $1) AS entries,
       (SELECT coalesce(sum(char_num), 0)::int FROM api_key_day WHERE api_key_id = $1) AS counted`,
    [id],
  );
  return rows[0] ?? { charged: -1, entries: -1, counted: -1 };
}

/** How a text was answered in the end: a server that is busy says when to come again. */
async function patiently(client: TestClient | undefined, text: string): Promise<string> {
  for (;;) {
    const answer = await client?.send(translate, ask(text));
    if (!answer || answer.body.success) return 'ok';
    if (answer.body.code !== 'SERVICE_BUSY') return answer.body.code;
    await sleep(1_000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

describe('the cap of a key', () => {
  it('is not passed by one character, and what it leaves can be used', async () => {
    const { apiKey, client } = await makeKey(main, { dayCap: 10, monthCap: 12 });
    expect(await client.call(translate, ask(textOf(7)))).toMatchObject({ charged: 7 });
    expect(await client.send(translate, ask(textOf(4)))).toMatchObject({
      status: 422,
      body: { code: 'API_KEY_CAP_REACHED', data: { period: 'day', cap: 10, left: 3, apiKeyId: apiKey.id } },
    });
    expect(await client.call(translate, ask(textOf(3)))).toMatchObject({ charged: 3 });
    expect(await client.send(translate, ask(textOf(1)))).toMatchObject({ body: { data: { left: 0 } } });
    await main.client.call(updateApiKey, { id: apiKey.id, name: 'k', scopes: ['text'], dayCap: 0, monthCap: 12 });
    expect(await client.send(translate, ask(textOf(3)))).toMatchObject({
      body: { data: { period: 'month', left: 2 } },
    });
    expect(await client.call(translate, ask(textOf(2)))).toMatchObject({ charged: 2 });
    expect(await usedBy(main, apiKey.id)).toMatchObject({ usedToday: 12, usedThisMonth: 12 });
  });

  it('holds for two hundred callers at once on two processes, and is used up', async () => {
    const { apiKey, secret } = await makeKey(main, { dayCap: 500 });
    const other = await spawnApi(api.env, WIDE);
    try {
      const clients = [clientWith(api.url, secret), clientWith(other.url, secret)];
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => patiently(clients[n % 2], textOf(1 + (n % 9)))),
      );
      const codes = new Set(answers);
      expect([...codes].sort()).toEqual(['API_KEY_CAP_REACHED', 'ok']);
      const sums = await sumsOf(apiKey.id);
      expect(sums.charged).toBeLessThanOrEqual(500);
      expect(sums.charged).toBeGreaterThan(490);
      expect(sums).toEqual({ charged: sums.charged, entries: sums.charged, counted: sums.charged });
      // Whatever is left is exactly what one more request may have.
      const left = 500 - sums.charged;
      expect(await clients[0]?.send(translate, ask(textOf(left + 1)))).toMatchObject({ body: { data: { left } } });
    } finally {
      await other.stop();
    }
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('is the key’s alone: other keys and the member itself go on', async () => {
    const capped = await makeKey(main, { dayCap: 1 });
    const free = await makeKey(main);
    await capped.client.call(translate, ask(textOf(1)));
    expect(await capped.client.send(translate, ask(textOf(1)))).toMatchObject({ status: 422 });
    expect(await free.client.call(translate, ask(textOf(9)))).toMatchObject({ charged: 9 });
    expect(await usedBy(main, free.apiKey.id)).toMatchObject({ usedToday: 9 });
  });

  it('lies below the caps of its sub-account', async () => {
    const sub = await makeSub(api, main, 100);
    const { client } = await makeKey(sub, { dayCap: 50 });
    expect(await client.call(translate, ask(textOf(50)))).toMatchObject({ charged: 50 });
    expect(await client.send(translate, ask(textOf(1)))).toMatchObject({ body: { code: 'API_KEY_CAP_REACHED' } });
  });

  it('survives a Redis that forgets everything, and is told once', async () => {
    const { apiKey, client } = await makeKey(main, { dayCap: 5 });
    await client.call(translate, ask(textOf(5)));
    await Promise.all([1, 2, 3].map(() => client.send(translate, ask(textOf(2)))));
    const { rows } = await api.db.query<{ fact: object }>(
      "SELECT fact FROM outbox WHERE fact ->> 'type' = 'ApiKeyCapped' AND (fact ->> 'apiKeyId')::bigint = $1",
      [apiKey.id],
    );
    const named = { apiKeyName: apiKey.name, apiKeyPrefix: apiKey.prefix };
    expect(rows).toMatchObject([{ fact: { ...named, period: 'day', cap: 5, familyId: main.session.userId } }]);
    const wiped = await spawnApi(api.env, { ...WIDE, REDIS_PREFIX: 'test-wiped' });
    try {
      expect(
        await clientWith(wiped.url, client.extra['Authorization']?.slice(7) ?? '').send(translate, ask('头')),
      ).toMatchObject({
        body: { code: 'API_KEY_CAP_REACHED', data: { left: 0 } },
      });
    } finally {
      await wiped.stop();
    }
  });
});
