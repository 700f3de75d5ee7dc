/** Requests under one key that overlap after a lost lease, and commands that a crash left without an end (docs/decisions/0071). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { translate } from '@yiqiao/contracts/native-api';
import { Refusal } from '@yiqiao/domain/errors';
import { CommandEnded, Idempotency } from '../src/platform/idempotency.js';
import { TextChannels } from '../src/translation/text-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import type { TestClient } from './support/client.js';
import { makeMainWith, setPrices } from './support/family.js';
import { failingVendor } from './support/failing-vendor.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

const GOOGLE = 2;
const vendor = failingVendor();

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  await setPrices(api);
  await api.app.get(TextChannels, { strict: false }).open('google', vendor.channel);
  main = await makeMainWith(api, 10_000);
});
afterEach(() => void (vendor.mended = false));
afterAll(() => api.stop());

const leaseRunsOut = () =>
  api.db.query("UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE answered_at IS NULL");

describe('two requests at work under one command', () => {
  type Work = { id: string; end: PromiseWithResolvers<string>; ended: Promise<unknown> };

  /** A request that is at work until it is told how to end. */
  async function begin(key: string): Promise<Work> {
    const begun = Promise.withResolvers<string>();
    const end = Promise.withResolvers<string>();
    const request = { userId: main.session.userId, route: '/test', key, body: {} };
    const ended = api.app
      .get(Idempotency, { strict: false })
      .once(request, (id) => {
        begun.resolve(id);
        return end.promise;
      })
      .catch((error: unknown) => error);
    return { id: await begun.promise, end, ended };
  }
  const refusal = new Refusal('UPSTREAM_FAILED');
  /** One that lost its lease, while its process was stopped, and one that took over. */
  async function overlapping(): Promise<{ key: string; first: Work; second: Work }> {
    const key = randomUUID();
    const first = await begin(key);
    let hasBegun = false;
    const beginning = begin(key).finally(() => (hasBegun = true));
    // The first one is not stopped here, so it renews its lease every two seconds.
    for (; !hasBegun; await sleep(20)) await leaseRunsOut();
    const second = await beginning;
    expect(second.id).toBe(first.id);
    return { key, first, second };
  }
  const answerUnder = (key: string): Promise<string> =>
    api.app
      .get(Idempotency, { strict: false })
      .once({ userId: main.session.userId, route: '/test', key, body: {} }, () => Promise.resolve('begun anew'));

  it('keep their key when the first one is refused', async () => {
    const { key, first, second } = await overlapping();
    first.end.reject(refusal);
    expect(await first.ended).toBe(refusal);
    second.end.resolve('the second');
    expect(await second.ended).toBe('the second');
    expect(await answerUnder(key)).toBe('the second');
  });

  it('keep their key when the second one is refused', async () => {
    const { key, first, second } = await overlapping();
    second.end.reject(refusal);
    expect(await second.ended).toBe(refusal);
    first.end.resolve('the first');
    expect(await first.ended).toBe('the first');
    expect(await answerUnder(key)).toBe('the first');
  });

  it('keep the answer of one when the other is refused afterwards, whichever it is', async () => {
    for (const [early, late] of [
      ['first', 'second'],
      ['second', 'first'],
    ] as const) {
      const { key, ...both } = await overlapping();
      both[early].end.resolve(early);
      expect(await both[early].ended).toBe(early);
      both[late].end.reject(refusal);
      expect(await both[late].ended).toBe(refusal);
      expect(await answerUnder(key)).toBe(early);
    }
  });

  it('that are both refused leave the command to the next try', async () => {
    const { key, first, second } = await overlapping();
    for (const each of [first, second]) {
      each.end.reject(refusal);
      await each.ended;
    }
    const third = await begin(key);
    expect(third.id).toBe(first.id);
    third.end.resolve('the third');
    expect(await third.ended).toBe('the third');
  });
});

describe('a request of an API key without a key of idempotency, after a crash', () => {
  const ask = (text: string[]) => ({ text, source: 'zh-Hans', target: 'zh-Hant', channelId: GOOGLE });
  const chargedTo = async (id: number): Promise<number> => {
    const { rows } = await api.db.query<{ charged: number }>(
      'SELECT coalesce(-sum(char_change), 0)::int AS charged FROM account_log WHERE api_key_id = $1',
      [id],
    );
    return rows[0]?.charged ?? -1;
  };
  /** As if the process had died after the end of its command, before it stored the answer or gave the key up. */
  async function dying<T>(work: () => Promise<T>): Promise<T> {
    await api.db.query(`CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER stay BEFORE DELETE OR UPDATE ON idempotency_key FOR EACH ROW EXECUTE FUNCTION stay()`);
    try {
      return await work();
    } finally {
      await api.db.query('DROP TRIGGER stay ON idempotency_key; DROP FUNCTION stay()');
      await leaseRunsOut();
    }
  }
  const send = (client: TestClient, text: string[]) => client.send(translate, ask(text));

  it('that is only refused as another one keeps its key', async () => {
    const request = { userId: main.session.userId, route: '/test', key: randomUUID(), body: {}, beginsAnew: true };
    const ids: string[] = [];
    const once = (refusal: Refusal) =>
      api.app.get(Idempotency, { strict: false }).once(request, (id) => {
        ids.push(id);
        return Promise.reject(refusal);
      });
    await expect(once(new Refusal('IDEMPOTENCY_KEY_REUSED'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(ids).toHaveLength(1);
    await expect(once(new CommandEnded())).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(new Set(ids).size).toBe(3);
  });

  it('that had failed is translated, not refused as a reused key', async () => {
    const { apiKey, client } = await makeKey(main);
    expect(await dying(() => send(client, ['失败了']))).toMatchObject({
      body: { data: { items: [{ success: false }] } },
    });
    vendor.mended = true;
    expect(await send(client, ['失败了'])).toMatchObject({
      status: 200,
      body: { data: { items: [{ success: true, translated: '译好败了' }] } },
    });
    expect(await chargedTo(apiKey.id)).toBe(6);
    expect(await send(client, ['失败了'])).toMatchObject({ status: 200 });
    expect(await chargedTo(apiKey.id)).toBe(6);
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('that was paid is answered for nothing, or busy, and is not stuck longer than answers are repeated', async () => {
    const { apiKey, client } = await makeKey(main);
    vendor.mended = true;
    const texts = ['头发', '失误'];
    expect(await dying(() => send(client, texts))).toMatchObject({ status: 200 });
    expect(await chargedTo(apiKey.id)).toBe(8);
    vendor.mended = false;
    expect(await send(client, texts)).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
    const made = (seconds: number) =>
      api.db.query(
        `UPDATE idempotency_key SET created_at = now() - make_interval(secs => $2) WHERE route LIKE $1 AND answered_at IS NULL`,
        [`%#${apiKey.id}`, seconds],
      );
    // 60 seconds after the latest moment at which it can have been charged.
    await made(140);
    expect(await send(client, texts)).toMatchObject({ status: 503 });
    await made(151);
    await waitUntil(
      () => send(client, texts),
      ({ status }) => status === 200,
    );
    expect(await chargedTo(apiKey.id)).toBe(12);
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });
});
