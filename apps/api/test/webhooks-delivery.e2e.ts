/** What happens reaches every endpoint, in order, through outages and kill -9 (docs/decisions/0073). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { importTerms } from '@yiqiao/contracts/glossary';
import { listWebhooks, resendWebhookDelivery, resumeWebhook, saveWebhook } from '@yiqiao/contracts/webhooks';
import { WEBHOOK_DATA } from '@yiqiao/domain/webhook-messages';
import type { WebhookMessageType } from '@yiqiao/domain/webhooks';
import { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { WebhookDeliveries } from '../src/webhooks/deliveries.js';
import { PauseHopelessWebhooks, PruneWebhooks } from '../src/webhooks/pauses.js';
import { RaiseWebhooks } from '../src/webhooks/raise-webhooks.js';
import { startApi, type TestApi } from './support/api.js';
import { adjust, makeMain, setChars } from './support/family.js';
import { OrderFixture } from './support/orders.js';
import { spawnProgram } from './support/process.js';
import { mailsTo, type TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import {
  addWebhook,
  capped,
  deliveriesOf,
  dingtalkSign,
  feishuSign,
  form,
  happen,
  ON_THIS_MACHINE,
  openReceiver,
  type Receiver,
  retryNow,
  untilAll,
  watchBalances,
} from './support/webhooks.js';
import { startWorker } from './support/worker.js';

let fixture: OrderFixture;
let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let receiver: Receiver;
let main: TestMember;

beforeAll(async () => {
  fixture = await OrderFixture.open(ON_THIS_MACHINE);
  ({ api } = fixture);
  worker = await startWorker(api.env);
});
afterAll(async () => {
  await worker.stop();
  await fixture.close();
});
beforeEach(async () => {
  await receiver?.close();
  receiver = await openReceiver();
  main = await makeMain(api);
});
afterAll(() => receiver.close());
// What the developers' page says of them.
afterEach(() => {
  for (const { body, headers } of receiver.asked) {
    if (headers['webhook-id'] === undefined) continue;
    const { type, data, ...rest } = JSON.parse(body) as { type: WebhookMessageType; data: object };
    expect([type, Object.keys(data).sort()]).toEqual([type, Object.keys(WEBHOOK_DATA[type]).sort()]);
    expect(Object.keys(rest)).toEqual(['timestamp']);
  }
});

const commands = (command: object): Promise<unknown> => api.app.get(CommandBus).execute(command as never);

describe('a message', () => {
  it('tells of a paid and of a refunded order, signed for an unmodified receiver', async () => {
    const { id, secret } = await addWebhook(main, receiver.url);
    const { id: orderId, no: orderNo, paymentId } = await fixture.buy(main);
    await untilAll(main, id, 'delivered');
    await fixture.startRefund(paymentId);
    await fixture.executeRefund(paymentId);
    const log = await untilAll(main, id, 'delivered', 2);
    expect(log.map(({ type, attempts, httpStatus }) => [type, attempts, httpStatus])).toEqual([
      ['order.refunded', 1, 204],
      ['order.paid', 1, 204],
    ]);
    const verified = receiver.asked.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    const about = { orderId, orderNo, userId: main.session.userId, amount: 8_800, currency: 'CNY' };
    expect(verified).toMatchObject([
      { type: 'order.paid', data: { ...about, quantity: 1, packageName: { zh: expect.any(String) as unknown } } },
      { type: 'order.refunded', data: { ...about, refundAmount: 8_800, refundedTotal: 8_800 } },
    ]);
    const [paid] = receiver.asked;
    expect(paid?.headers['webhook-id']).toBe(log[1]?.messageId);
    expect(() => new Webhook(secret).verify(`${paid?.body} `, paid?.headers ?? {})).toThrow('No matching signature');
    expect((receiver.told()[0]?.timestamp ?? '').endsWith('Z')).toBe(true);
  });

  it('tells of a low balance, of one that is used up, and of a package that ends, once for each crossing', async () => {
    const { id } = await addWebhook(main, receiver.url);
    const { userId } = main.session;
    await setChars(api, userId, 900);
    await watchBalances(api);
    await untilAll(main, id, 'delivered', 1);
    await setChars(api, userId, 0);
    await watchBalances(api);
    await watchBalances(api);
    await untilAll(main, id, 'delivered', 2);
    await setChars(api, userId, 5_000);
    // Both at once, and the low one first.
    await setChars(api, userId, 0);
    await watchBalances(api);
    await untilAll(main, id, 'delivered', 4);
    await adjust(api, userId, { charChange: 5_000, expireAt: Date.now() + 86_400_000 });
    await watchBalances(api);
    await untilAll(main, id, 'delivered', 5);
    expect(receiver.told().map(({ type, data }) => [type, data['charNum']])).toEqual([
      ['quota.low', 900],
      ['quota.exhausted', undefined],
      ['quota.low', 0],
      ['quota.exhausted', undefined],
      ['package.expiring', undefined],
    ]);
  });

  it('tells of an imported glossary and of a capped key', async () => {
    const { id } = await addWebhook(main, receiver.url, { events: ['glossary.imported', 'key.capped'] });
    const file = 'source,target,term,translation\nzh-Hans,en,数据线,data cable\n';
    expect((await main.client.upload(importTerms, {}, Buffer.from(file))).status).toBe(200);
    await happen(api, capped(main, 42));
    await untilAll(main, id, 'delivered', 2);
    expect(receiver.told()).toContainEqual(
      expect.objectContaining({
        type: 'glossary.imported',
        data: { added: 1, changed: 0, unchanged: 0, removed: 0 },
      }),
    );
    expect(receiver.told().find(({ type }) => type === 'key.capped')?.data).toEqual({
      ...{ apiKeyId: 42, apiKeyName: '店铺', apiKeyPrefix: 'yq_ab12cd34' },
      ...{ userId: main.session.userId, period: 'month', cap: 100_000 },
      renewsAt: expect.stringMatching(/^2030-.*Z$/) as unknown,
    });
  });

  it('goes to those that have subscribed to it, and never to those who did so afterwards', async () => {
    const quiet = await addWebhook(main, `${receiver.url}/quiet`, { events: ['quota.low'] });
    const off = await addWebhook(main, `${receiver.url}/off`, { enabled: 0 });
    const on = await addWebhook(main, `${receiver.url}/on`);
    const { paymentId } = await fixture.buy(main);
    await untilAll(main, on.id, 'delivered');
    // Later than the tolerance for clocks.
    await api.db.query(
      `UPDATE order_event SET happened_at = happened_at - interval '10 seconds' WHERE family_id = $1`,
      [main.session.userId],
    );
    const late = await addWebhook(main, `${receiver.url}/late`);
    await fixture.startRefund(paymentId);
    await fixture.executeRefund(paymentId);
    await untilAll(main, on.id, 'delivered', 2);
    await untilAll(main, late.id, 'delivered');
    const told = receiver.asked.map(({ url, body }) => [url, (JSON.parse(body) as { type: string }).type]);
    expect(told.filter(([url]) => url === '/on')).toEqual([
      ['/on', 'order.paid'],
      ['/on', 'order.refunded'],
    ]);
    expect(told.filter(([url]) => url === '/late')).toEqual([['/late', 'order.refunded']]);
    expect(await deliveriesOf(main, quiet.id)).toEqual([]);
    expect(await deliveriesOf(main, off.id)).toEqual([]);
  });
});

describe('robots', () => {
  it.each([
    ['wecom', '{"errcode":0,"errmsg":"ok"}', '{"errcode":93000,"errmsg":"invalid webhook url"}'],
    ['dingtalk', '{"errcode":0,"errmsg":"ok"}', '{"errcode":310000,"errmsg":"sign not match"}'],
    [
      'feishu',
      '{"code":0,"msg":"success","data":{}}',
      '{"code":19021,"msg":"sign match fail or timestamp is not within one hour"}',
    ],
  ] as const)('of %s get a text, and refuse it with status 200', async (format, accepted, refused) => {
    receiver.answer = () => ({ status: 200, body: refused });
    const signs = format === 'wecom' ? {} : { signSecret: 'SEC-of-the-platform' };
    const { id } = await addWebhook(main, `${receiver.url}/robot?key=1`, { format, ...signs });
    await setChars(api, main.session.userId, 900);
    await watchBalances(api);
    await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.failure === 'refused',
    );
    receiver.answer = () => ({ status: 200, body: accepted });
    await retryNow(api, main);
    await untilAll(main, id, 'delivered');
    const { body, url } = receiver.asked.at(-1) ?? { body: '{}', url: '' };
    const sent = JSON.parse(body) as Record<string, unknown> & { timestamp: string };
    expect(body).toContain('剩余 900 字符，已低于设定的 1,000 字符');
    if (format === 'feishu') {
      expect(sent).toMatchObject({ msg_type: 'text', sign: feishuSign('SEC-of-the-platform', sent.timestamp) });
      return;
    }
    expect(sent).toMatchObject({ msgtype: 'text', text: { content: expect.stringContaining('译桥') as unknown } });
    const { searchParams: query } = new URL(url, receiver.url);
    expect(query.get('key')).toBe('1');
    if (format === 'dingtalk')
      expect(query.get('sign')).toBe(dingtalkSign('SEC-of-the-platform', query.get('timestamp') ?? ''));
  });

  it.each(['wecom', 'dingtalk', 'feishu', 'slack'] as const)(
    'of %s are told which key is at its cap',
    async (format) => {
      receiver.answer = () => ({ status: 200, body: '{"errcode":0,"code":0}' });
      const { id } = await addWebhook(main, receiver.url, { format });
      await happen(api, capped(main, 42, '<at user_id="all"></at> A&B'));
      await untilAll(main, id, 'delivered');
      const names = {
        wecom: '<at user_id="all"></at> A&B',
        dingtalk: '<at user_id="all"></at> A&B',
        // Nobody is called by the name of a key.
        feishu: '＜at user_id="all">＜/at> A&B',
        slack: '&lt;at user_id="all"&gt;&lt;/at&gt; A&amp;B',
      };
      const line = `密钥：${names[format]}（yq_ab12cd34…）`;
      expect(receiver.asked[0]?.body).toContain(JSON.stringify(line).slice(1, -1));
    },
  );

  it('of Slack get a text in English, in which nobody is called', async () => {
    await api.db.query(`UPDATE member_group SET en_name = en_name || ' <!channel> & co' WHERE id = 2`);
    try {
      receiver.answer = () => ({ status: 200, body: 'ok' });
      const { id } = await addWebhook(main, receiver.url, { format: 'slack', language: 'en' });
      await fixture.buy(main);
      await untilAll(main, id, 'delivered');
      const { text } = JSON.parse(receiver.asked[0]?.body ?? '{}') as { text: string };
      expect(text).toContain('&lt;!channel&gt; &amp; co');
      expect(text).toContain('Amount: CNY 88.00');
    } finally {
      await api.db.query(`UPDATE member_group SET en_name = replace(en_name, ' <!channel> & co', '') WHERE id = 2`);
    }
  });
});

describe('a receiver that is away', () => {
  it('gets everything once it is back, under the same ids, in order of each subject', async () => {
    const { id } = await addWebhook(main, receiver.url);
    let isBack = false;
    receiver.answer = () => ({ status: isBack ? 204 : 503 });
    await happen(api, capped(main, 1));
    const [first] = await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.failure === 'status',
    );
    expect(first).toMatchObject({ state: 'waiting', attempts: 1, httpStatus: 503 });
    for (const key of [1, 2, 1]) await happen(api, capped(main, key));
    // Of another subject: it need not wait for the first. An attempt counts before its request is sent: only a result tells that it arrived.
    await waitUntil(
      () => deliveriesOf(main, id),
      (all) => all.length === 4 && all.filter((one) => one.failure === 'status').length === 2,
    );
    // On a slow machine the first one has been sent again by now.
    expect(new Set(receiver.told().map(({ data }) => data['apiKeyId']))).toEqual(new Set([1, 2]));
    isBack = true;
    const before = receiver.asked.length;
    await retryNow(api, main);
    await untilAll(main, id, 'delivered', 4);
    const delivered = receiver.asked.slice(before).map(({ headers, body }) => ({
      id: headers['webhook-id'] ?? '',
      key: (JSON.parse(body) as { data: { apiKeyId: number } }).data.apiKeyId,
    }));
    const log = await deliveriesOf(main, id);
    const ofKey1 = log.filter((one) => delivered.some((d) => d.id === one.messageId && d.key === 1)).reverse();
    expect(delivered.filter(({ key }) => key === 1).map((d) => d.id)).toEqual(ofKey1.map((one) => one.messageId));
    expect(delivered.map((d) => d.id)).toContain(first?.messageId);
    expect(ofKey1).toHaveLength(3);
  });

  it('holds up later messages of a subject for an hour at most', async () => {
    const { id } = await addWebhook(main, receiver.url);
    receiver.answer = ({ body }) => ({ status: body.includes(firstRenewal) ? 500 : 204 });
    const event = capped(main, 5);
    const firstRenewal = new Date(event.renewsAt).toISOString();
    await happen(api, event);
    await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.failure === 'status',
    );
    await happen(api, capped(main, 5));
    await waitUntil(
      () => deliveriesOf(main, id),
      (all) => all.length === 2,
    );
    await api.db.query(
      `UPDATE webhook_delivery SET first_tried_at = first_tried_at - interval '61 minutes' WHERE endpoint_id = $1`,
      [id],
    );
    const log = await waitUntil(
      () => deliveriesOf(main, id),
      ([newest]) => newest?.state === 'delivered',
    );
    expect(log[1]).toMatchObject({ state: 'waiting', failure: 'status' });
  });

  it('is given up after the last pause, and may be sent once more by hand', async () => {
    const { id } = await addWebhook(main, receiver.url);
    receiver.answer = () => ({ status: 500, body: 'no' });
    await happen(api, capped(main));
    await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.httpStatus !== undefined && one.httpStatus !== null,
    );
    await api.db.query(
      `UPDATE webhook_delivery SET attempts = 9, next_at = now(), leased_until = NULL WHERE endpoint_id = $1`,
      [id],
    );
    const [failed] = await untilAll(main, id, 'failed');
    expect(failed).toMatchObject({ attempts: 10, httpStatus: 500, answer: 'no', nextDateTime: null });
    receiver.answer = () => ({ status: 204 });
    await main.client.call(resendWebhookDelivery, { id: failed?.id ?? 0 });
    const [sent] = await untilAll(main, id, 'delivered');
    expect(sent).toMatchObject({ id: failed?.id, messageId: failed?.messageId, attempts: 1 });
  });

  it('for five days is paused with a mail; what happens meanwhile waits until it is resumed', async () => {
    const { id } = await addWebhook(main, receiver.url, { name: '仓库系统' });
    receiver.answer = () => ({ status: 500 });
    await happen(api, capped(main, 3));
    await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.httpStatus !== undefined && one.httpStatus !== null,
    );
    await commands(new PauseHopelessWebhooks());
    const row = async () => (await main.client.call(listWebhooks, {})).rows[0];
    expect(await row()).toMatchObject({ pausedDateTime: null, failingSinceDateTime: expect.any(String) as unknown });
    await api.db.query(`UPDATE webhook_endpoint SET failing_since = failing_since - interval '5 days' WHERE id = $1`, [
      id,
    ]);
    await commands(new PauseHopelessWebhooks());
    await commands(new PauseHopelessWebhooks());
    expect(await row()).toMatchObject({ pauseReason: 'failures' });
    const mails = await mailsTo(main.account);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('译桥 Webhook 已暂停');
    expect(mails[0]?.text).toContain('仓库系统');
    expect(mails[0]?.text).toContain('https://yiqiao.example/UserCenterWebhook');
    const before = receiver.asked.length;
    await happen(api, capped(main, 3));
    const [second, first] = await waitUntil(
      () => deliveriesOf(main, id),
      (all) => all.length === 2,
    );
    for (const one of [first, second]) expect(one).toMatchObject({ state: 'waiting', nextDateTime: null });
    expect(receiver.asked).toHaveLength(before);
    receiver.answer = () => ({ status: 204 });
    expect(await main.client.call(resumeWebhook, { id })).toMatchObject({ pausedDateTime: null, pauseReason: null });
    await untilAll(main, id, 'delivered', 2);
    const ids = receiver.asked.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([first?.messageId, second?.messageId]);
  });

  it('for good, which answers 410, is paused at once', async () => {
    const { id } = await addWebhook(main, receiver.url);
    receiver.answer = () => ({ status: 410 });
    await happen(api, capped(main));
    await untilAll(main, id, 'failed');
    const rows = await waitUntil(
      async () => (await main.client.call(listWebhooks, {})).rows,
      ([row]) => row?.pausedDateTime !== null,
    );
    expect(rows[0]).toMatchObject({ pauseReason: 'gone' });
    expect((await mailsTo(main.account))[0]?.text).toContain('410');
  });

  it('and is switched off gets nothing of what waited', async () => {
    const { id } = await addWebhook(main, receiver.url);
    receiver.answer = () => ({ status: 500 });
    await happen(api, capped(main));
    await waitUntil(
      () => deliveriesOf(main, id),
      ([one]) => one?.httpStatus !== undefined && one.httpStatus !== null,
    );
    await main.client.call(saveWebhook, { ...form(receiver.url), id, enabled: 0 });
    await untilAll(main, id, 'canceled');
    await main.client.call(saveWebhook, { ...form(receiver.url), id, enabled: 1 });
    expect((await deliveriesOf(main, id))[0]).toMatchObject({ state: 'canceled', nextDateTime: null });
  });
});

it('messages are forgotten after thirty days', async () => {
  const { id } = await addWebhook(main, receiver.url);
  await happen(api, capped(main));
  await untilAll(main, id, 'delivered');
  await commands(new PruneWebhooks());
  expect(await deliveriesOf(main, id)).toHaveLength(1);
  await api.db.query(`UPDATE webhook_message SET created_at = now() - interval '31 days' WHERE family_id = $1`, [
    main.session.userId,
  ]);
  await commands(new PruneWebhooks());
  expect(await deliveriesOf(main, id)).toEqual([]);
});

describe('without a worker of this suite', () => {
  let alone: TestApi;
  let who: TestMember;
  let id: number;

  beforeEach(async () => {
    alone = await startApi(ON_THIS_MACHINE);
    who = await makeMain(alone);
    ({ id } = await addWebhook(who, receiver.url));
  });

  it('a family whose endpoints hang leaves places to others, who come first', async () => {
    try {
      const deliveries = alone.app.get(WebhookDeliveries);
      const tell = (to: TestMember, key: number) =>
        alone.app.get(CommandBus).execute(new RaiseWebhooks(capped(to, key)));
      for (let n = 0; n < 7; n++) await addWebhook(who, receiver.url);
      for (let key = 1; key <= 5; key++) await tell(who, key);
      const hanging = await deliveries.claim(32);
      expect(hanging).toHaveLength(8);
      expect(await deliveries.claim(32)).toEqual([]);
      const other = await makeMain(alone);
      const { id: others } = await addWebhook(other, receiver.url);
      // One of the eight has ended, so the family may have one more; what it has due is older.
      await alone.db.query('UPDATE webhook_delivery SET leased_until = NULL WHERE id = $1', [hanging[0]?.id]);
      await tell(other, 6);
      const [first] = await deliveries.claim(1);
      expect([first?.id]).toEqual((await deliveriesOf(other, others)).map((one) => one.id));
      expect(await deliveries.claim(32)).toHaveLength(1);
      expect(await deliveries.claim(32)).toEqual([]);
    } finally {
      await alone.stop();
    }
  });

  it('endpoints of a family that hang do not hold up its others', async () => {
    try {
      const deliveries = alone.app.get(WebhookDeliveries);
      const tell = (key: number) => alone.app.get(CommandBus).execute(new RaiseWebhooks(capped(who, key)));
      await addWebhook(who, receiver.url);
      for (let key = 1; key <= 9; key++) await tell(key);
      const hanging = await deliveries.claim(32);
      expect(hanging).toHaveLength(8);
      const { id: healthy } = await addWebhook(who, receiver.url);
      await tell(10);
      // One of the eight has ended, and its endpoint has older messages than the new one.
      await alone.db.query(
        `UPDATE webhook_delivery SET state = 'failed', next_at = NULL, leased_until = NULL WHERE id = $1`,
        [hanging[0]?.id],
      );
      const [next] = await deliveries.claim(1);
      expect([next?.id]).toEqual((await deliveriesOf(who, healthy)).map((one) => one.id));
    } finally {
      await alone.stop();
    }
  });

  it('kill -9 of a worker while it sends loses nothing: the next one sends it again under the same id', async () => {
    try {
      const received = Promise.withResolvers<void>();
      receiver.answer = () => {
        received.resolve();
        return new Promise(() => undefined);
      };
      const doomed = spawnProgram('worker', alone.env);
      await happen(alone, capped(who));
      await received.promise;
      await doomed.stop();
      expect(await deliveriesOf(who, id)).toMatchObject([{ state: 'waiting', attempts: 1, httpStatus: null }]);
      receiver.answer = () => ({ status: 204 });
      const next = spawnProgram('worker', alone.env);
      try {
        // Its lease ends half a minute after it began; the test does not wait for it.
        await alone.db.query(`UPDATE webhook_delivery SET leased_until = now()`);
        await untilAll(who, id, 'delivered');
      } finally {
        await next.stop();
      }
      const ids = receiver.asked.map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
    } finally {
      await alone.stop();
    }
  });

  it('Redis that loses its data, and events that were worked off in any order, lose nothing either', async () => {
    let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
    const redis = new Redis(alone.env['REDIS_URL'] ?? '');
    try {
      worker = await startWorker(alone.env);
      receiver.answer = () => ({ status: 503 });
      await happen(alone, capped(who, 1));
      await waitUntil(
        () => deliveriesOf(who, id),
        ([one]) => one?.httpStatus !== undefined && one.httpStatus !== null,
      );
      await worker.stop();
      for (let n = 0; n < 20; n++) await happen(alone, capped(who, 1));
      const keys = await redis.keys(`${alone.env['REDIS_PREFIX']}*`);
      if (keys.length > 0) await redis.del(...keys);
      receiver.answer = () => ({ status: 204 });
      worker = await startWorker(alone.env);
      const retried = async () => {
        await retryNow(alone, who);
        return deliveriesOf(who, id);
      };
      await waitUntil(retried, (all) => all.length === 21 && all.every(({ state }) => state === 'delivered'));
      const renewals = receiver.told().map(({ data }) => String(data['renewsAt']));
      const inOrder = renewals.filter((renewal, at) => renewals.indexOf(renewal) === at);
      expect(inOrder).toEqual([...inOrder].sort());
      expect(inOrder).toHaveLength(21);
    } finally {
      redis.disconnect();
      await worker?.stop();
      await alone.stop();
    }
  });
});
