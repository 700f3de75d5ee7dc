/** A main account's webhooks: their forms, their secrets, and what they show (docs/decisions/0073). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteUser } from '@yiqiao/contracts/user';
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
} from '@yiqiao/contracts/webhooks';
import { WEBHOOKS_MAX } from '@yiqiao/domain/limits';
import { Webhook } from 'standardwebhooks';
import { loadConfig } from '../src/platform/config.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { addWebhook, deliveriesOf, form, ON_THIS_MACHINE, openReceiver, type Receiver } from './support/webhooks.js';

let api: TestApi;
let receiver: Receiver;
let main: TestMember;

beforeAll(async () => {
  const limits = { LIMIT_WEBHOOK_TESTS_PER_MINUTE: '5', LIMIT_WEBHOOK_RESENDS_PER_MINUTE: '2' };
  api = await startApi({ ...ON_THIS_MACHINE, ...limits });
  receiver = await openReceiver();
  main = await makeMain(api);
});
afterAll(async () => {
  await receiver.close();
  await api.stop();
});

const list = async (who = main) => (await who.client.call(listWebhooks, {})).rows;

describe('an endpoint', () => {
  it('is added, listed, edited and deleted; its secret is shown once', async () => {
    const { webhook, secret } = await main.client.call(saveWebhook, form(`${receiver.url}/a`, { name: '  订单系统 ' }));
    expect(webhook).toMatchObject({ name: '订单系统', url: `${receiver.url}/a`, enabled: 1, pausedDateTime: null });
    expect(Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    expect(await list()).toEqual([webhook]);
    const edit = form(`${receiver.url}/b`, { events: ['quota.low', 'quota.low'], enabled: 0 });
    const edited = await main.client.call(saveWebhook, { ...edit, id: webhook.id });
    expect(edited).toMatchObject({ secret: null, webhook: { events: ['quota.low'], enabled: 0 } });
    const { rows } = await api.db.query<{ row: string }>('SELECT webhook_endpoint::text AS row FROM webhook_endpoint');
    // Neither the secret nor the address, which may be one, is readable in the database.
    expect(rows.map(({ row }) => row).join()).not.toMatch(/whsec_|127\.0\.0\.1/);
    expect(await main.client.call(deleteWebhook, { ids: [webhook.id] })).toEqual({ count: 1 });
    expect(await list()).toEqual([]);
  });

  it('that was sealed under another APP_SECRET is still listed, and works once it is saved again', async () => {
    const { id } = await addWebhook(main, receiver.url);
    await api.db.query(
      `UPDATE webhook_endpoint SET sealed_url = repeat('A', 60), sealed_secret = repeat('A', 60) WHERE id = $1`,
      [id],
    );
    expect(await list()).toMatchObject([{ id, url: '' }]);
    const saved = await main.client.call(saveWebhook, { ...form(receiver.url), id });
    expect(saved).toMatchObject({
      webhook: { id, url: receiver.url },
      secret: expect.stringMatching(/^whsec_/) as unknown,
    });
    await main.client.call(deleteWebhook, { ids: [id] });
  });

  it('that becomes a robot loses its secret, and gets a new one when it becomes a webhook again', async () => {
    const { id, secret } = await addWebhook(main, receiver.url);
    const robot = form(receiver.url, { format: 'feishu', signSecret: ' platform-secret ' });
    expect(await main.client.call(saveWebhook, { ...robot, id })).toMatchObject({
      secret: null,
      webhook: { format: 'feishu', hasSignSecret: 1 },
    });
    expect(await main.client.send(rotateWebhookSecret, { id })).toMatchObject({
      status: 422,
      body: { code: 'WEBHOOK_WITHOUT_SECRET' },
    });
    const { signSecret: _, ...unchanged } = robot;
    expect(await main.client.call(saveWebhook, { ...unchanged, id })).toMatchObject({ webhook: { hasSignSecret: 1 } });
    expect(await main.client.call(saveWebhook, { ...robot, id, signSecret: '' })).toMatchObject({
      webhook: { hasSignSecret: 0 },
    });
    const again = await main.client.call(saveWebhook, { ...form(receiver.url), id });
    expect(again.secret).toMatch(/^whsec_/);
    expect(again.secret).not.toBe(secret);
    await main.client.call(deleteWebhook, { ids: [id] });
  });

  it('that gets another address is not paused for the failures of the one before', async () => {
    const { id } = await addWebhook(main, `${receiver.url}/old`);
    const failing = async () => (await list())[0]?.failingSinceDateTime !== null;
    const fail = () => api.db.query(`UPDATE webhook_endpoint SET failing_since = now() WHERE id = $1`, [id]);
    await fail();
    await main.client.call(saveWebhook, { ...form(`${receiver.url}/old`, { name: '新名称' }), id });
    expect(await failing()).toBe(true);
    await main.client.call(saveWebhook, { ...form(`${receiver.url}/new`), id });
    expect(await failing()).toBe(false);
    await fail();
    await main.client.call(saveWebhook, { ...form(`${receiver.url}/new`, { format: 'slack' }), id });
    expect(await failing()).toBe(false);
    await main.client.call(deleteWebhook, { ids: [id] });
  });

  it('is one of at most twenty, however many are added at once', async () => {
    const who = await makeMain(api);
    const sent = await Promise.all(
      Array.from({ length: WEBHOOKS_MAX + 4 }, () => who.client.send(saveWebhook, form(receiver.url))),
    );
    const refused = sent.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(4);
    for (const { status, body } of refused) expect([status, body]).toMatchObject([409, { code: 'TOO_MANY_WEBHOOKS' }]);
    const rows = await list(who);
    expect(rows).toHaveLength(10);
    expect(await who.client.send(deleteWebhook, { ids: [rows[0]?.id, 999_999] })).toMatchObject({ status: 404 });
    expect((await who.client.call(listWebhooks, {})).total).toBe(WEBHOOKS_MAX);
  });

  it('is refused with the name of the invalid field, in the language of the request', async () => {
    const wrong = async (but: object, client = main.client) => {
      const { status, body } = await client.send(saveWebhook, { ...form(receiver.url), ...but });
      expect(status).toBe(422);
      return 'errors' in body ? body.errors?.map(({ path, code }) => `${path} ${code}`) : [];
    };
    expect(await wrong({ name: ' ' })).toEqual(['name NAME_REQUIRED']);
    expect(await wrong({ name: '长'.repeat(51) })).toEqual(['name TOO_LONG']);
    expect(await wrong({ name: 'a\u202Eb' })).toEqual(['name UNSAFE_TEXT']);
    expect(await wrong({ url: '' })).toEqual(['url URL_REQUIRED']);
    for (const url of [
      'hooks.example.com',
      'ftp://hooks.example.com/',
      'https://',
      'https://u:p@hooks.example.com/',
      'https://hooks.example.com/#a',
      'javascript:alert(1)',
      'https://hooks.example.com/a b',
      'file:///etc/passwd',
    ])
      expect([url, await wrong({ url })]).toEqual([url, ['url URL_FORMAT']]);
    expect(await wrong({ url: `https://hooks.example.com/${'a'.repeat(2048)}` })).toEqual(['url TOO_LONG']);
    expect(await wrong({ events: [] })).toEqual(['events EVENTS_REQUIRED']);
    expect(await wrong({ events: ['order.lost'] })).toEqual(['events.0 WRONG_VALUE']);
    expect(await wrong({ events: ['test'] })).toEqual(['events.0 WRONG_VALUE']);
    expect(await wrong({ format: 'teams' })).toEqual(['format WRONG_VALUE']);
    expect(await wrong({ secret: 'whsec_mine' })).toEqual(['secret UNKNOWN_FIELD']);
    const english = await main.client
      .with({ 'Accept-Language': 'en' })
      .send(saveWebhook, { ...form(receiver.url), events: [] });
    expect(english.body).toMatchObject({ errors: [{ msg: 'Please choose at least one event' }] });
    expect((await main.client.send(listWebhookDeliveries, { webhookId: 'x' })).status).toBe(422);
    expect((await main.client.send(listWebhookDeliveries, { webhookId: '1', state: 'lost' })).status).toBe(422);
  });

  it('is deleted with the account, and everything that it was told', async () => {
    const who = await makeMain(api);
    const { id } = await addWebhook(who, receiver.url);
    await who.client.call(testWebhook, { id });
    await who.client.call(deleteUser, { userPassword: who.password });
    for (const table of ['webhook_endpoint', 'webhook_message', 'webhook_delivery']) {
      const { rowCount } = await api.db.query(`SELECT FROM ${table} WHERE family_id = $1`, [who.session.userId]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });
});

describe('the test button', () => {
  it('sends a signed message at once, and shows how that went', async () => {
    const who = await makeMain(api);
    const { id, secret } = await addWebhook(who, receiver.url, { enabled: 0 });
    receiver.answer = () => ({ status: 200, body: '好'.repeat(3_000) });
    const before = receiver.asked.length;
    const tested = await who.client.call(testWebhook, { id });
    expect(tested).toMatchObject({ delivered: true, httpStatus: 200, failure: null, answer: '好'.repeat(1_024) });
    const { body, headers } = receiver.asked[before] ?? { body: '', headers: {} };
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'test', data: { webhookId: id } });
    receiver.answer = () => ({ status: 503, body: 'busy\0' });
    expect(await who.client.call(testWebhook, { id })).toMatchObject({
      delivered: false,
      httpStatus: 503,
      failure: 'status',
      answer: 'busy\uFFFD',
    });
    expect(await deliveriesOf(who, id)).toMatchObject([
      { type: 'test', state: 'failed', attempts: 1, httpStatus: 503, nextDateTime: null },
      { type: 'test', state: 'delivered', attempts: 1, httpStatus: 200 },
    ]);
    const { rows } = await who.client.call(listWebhookDeliveries, { webhookId: String(id), state: 'failed' });
    expect(rows).toHaveLength(1);
    expect(await who.client.send(resendWebhookDelivery, { id: rows[0]?.id })).toMatchObject({
      status: 409,
      body: { code: 'WEBHOOK_STOPPED' },
    });
  });

  it('is limited', async () => {
    const who = await makeMain(api);
    const { id } = await addWebhook(who, receiver.url);
    receiver.answer = () => ({ status: 204 });
    const sent = await Promise.all(Array.from({ length: 7 }, () => who.client.send(testWebhook, { id })));
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array<number>(5).fill(200), 429, 429]);
  });
});

it('endpoints are changed and messages sent again only so often', async () => {
  const who = await makeMain(api);
  const { id } = await addWebhook(who, receiver.url);
  receiver.answer = () => ({ status: 204 });
  await who.client.call(testWebhook, { id });
  const [sent] = await deliveriesOf(who, id);
  const resend = () => who.client.send(resendWebhookDelivery, { id: sent?.id });
  const resent = [await resend(), await resend(), await resend()];
  expect(resent.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(resent[2]?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', msg: '操作过于频繁，请稍后再试' });
  const changes = await Promise.all([
    ...Array.from({ length: 15 }, () => who.client.send(saveWebhook, { ...form(receiver.url), id })),
    ...Array.from({ length: 15 }, () => who.client.send(rotateWebhookSecret, { id })),
  ]);
  // One of the thirty was the endpoint itself.
  expect(changes.map(({ status }) => status).sort()).toEqual([...Array<number>(29).fill(200), 429]);
  expect(await list(who)).toHaveLength(1);
});

describe('a rotated secret', () => {
  it('signs together with the old one for a day', async () => {
    const who = await makeMain(api);
    const { id, secret: old } = await addWebhook(who, receiver.url);
    const { secret, webhook } = await who.client.call(rotateWebhookSecret, { id });
    expect(webhook.oldSecretUntilDateTime).not.toBeNull();
    receiver.answer = () => ({ status: 204 });
    const signedBy = async (): Promise<boolean[]> => {
      await who.client.call(testWebhook, { id });
      const { body, headers } = receiver.asked.at(-1) ?? { body: '', headers: {} };
      return [old, secret].map((one) => {
        try {
          new Webhook(one).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      });
    };
    expect(await signedBy()).toEqual([true, true]);
    expect(receiver.asked.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    await api.db.query(`UPDATE webhook_endpoint SET old_secret_until = now() WHERE id = $1`, [id]);
    expect(await signedBy()).toEqual([false, true]);
  });
});

it('private receivers are refused as a setting in production', () => {
  const env = { ...api.env, NODE_ENV: 'production' };
  expect(() => loadConfig(env)).toThrow('WEBHOOK_ALLOW_PRIVATE: members could reach the servers of this network');
});
