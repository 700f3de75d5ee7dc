/**
 * No member can read or change data of another family. Each row below builds a request of one endpoint for the victim's data; an endpoint
 * without a row fails the suite.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { saveTerm } from '@yiqiao/contracts/glossary';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { listSessions } from '@yiqiao/contracts/sessions';
import { listWebhookDeliveries, saveWebhook, testWebhook } from '@yiqiao/contracts/webhooks';
import { translateText } from '@yiqiao/contracts/translation';
import { changeTranslationCache } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { headersOf, TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { openOrder } from './support/orders.js';

type Victim = {
  main: TestMember;
  sub: TestMember;
  loginLogId: number;
  sessionId: number;
  orderId: number;
  termId: number;
  apiKeyId: number;
  webhookId: number;
  deliveryId: number;
};
/** `names`: the request contains an id of the victim's family, so other families get NOT_FOUND. `family`: sub-accounts may use it too. */
type Row = { ask: (victim: Victim) => object; names?: true; ends?: true; family?: true };

const rows: Record<string, Row> = {
  '/login/checkAccount': { ask: ({ main }) => ({ account: main.account }) },
  '/login/checkUsername': { ask: ({ main }) => ({ username: main.username }) },
  '/login/sendVCode': { ask: () => ({ account: 'somebody-else@example.com' }) },
  '/login/register': {
    ask: () => ({ username: 'aaa', account: 'a@example.com', password: 'aaaaaa', vcode: '000000' }),
  },
  '/login/login': { ask: ({ main }) => ({ account: main.account, password: 'not the password' }) },
  '/login/findEmail': { ask: ({ main }) => ({ accountOrEmail: main.username }) },
  '/login/resetPwdByVcode': { ask: ({ main }) => ({ email: main.account, vcode: '000000', password: 'aaaaaa' }) },
  '/login/secondStep': { ask: () => ({ challenge: 'somebody-else’s', code: '000000' }) },
  '/login/logout': { ask: () => ({}), ends: true },
  '/user/get': { ask: () => ({}) },
  '/user/update': { ask: () => ({ nickname: 'changed' }) },
  '/user/changePassword': { ask: () => ({ oldPassword: 'wrong-password', password: 'another-password' }) },
  '/user/delete': { ask: () => ({ userPassword: 'not the password' }) },
  '/user/changeFailover': { ask: () => ({ channelFailover: 1 }) },
  '/user/changeTranslationCache': { ask: () => ({ translationCache: 1 }) },
  '/user/changeReminders': { ask: () => ({ lowCharNum: 7, expiryDays: 7, byMail: 0 }) },
  '/user/sessions': { ask: () => ({}) },
  '/user/endSession': { ask: ({ sessionId }) => ({ id: sessionId }), names: true },
  '/user/openView': { ask: () => ({ token: 'somebody-else’s' }) },
  '/user/signOutEverywhere': { ask: () => ({}), ends: true },
  '/user/twoStep': { ask: () => ({}) },
  '/user/twoStep/enrol': { ask: () => ({ password: 'not the password' }) },
  '/user/twoStep/confirm': { ask: () => ({ code: '000000' }) },
  '/user/twoStep/recoveryCodes': { ask: () => ({ password: 'not the password', code: '000000' }) },
  '/user/twoStep/disable': { ask: () => ({ password: 'not the password', code: '000000' }) },
  '/user/usage': { ask: () => ({}) },
  '/user/page': { ask: ({ sub }) => ({ account: sub.username }) },
  '/user/getChildInfo': { ask: ({ sub }) => ({ userId: sub.session.userId }), names: true },
  '/user/saveChildUser': { ask: ({ sub }) => ({ userId: sub.session.userId, nickname: 'mine now' }), names: true },
  '/user/resetPassword': { ask: ({ sub }) => ({ userId: sub.session.userId, password: 'mine-now' }), names: true },
  '/user/changeEnabled': { ask: ({ sub }) => ({ userId: sub.session.userId, enabled: 0 }), names: true },
  '/user/changeAutoDistribution': {
    ask: ({ sub }) => ({ userId: sub.session.userId, autoDistribution: 1 }),
    names: true,
  },
  '/user/delChild': { ask: ({ sub }) => ({ childrenIds: [sub.session.userId] }), names: true },
  '/user/distribution': { ask: ({ sub }) => ({ childUserId: sub.session.userId, changeCharNum: -1 }), names: true },
  '/user/voice/distribution': {
    ask: ({ sub }) => ({ childUserId: sub.session.userId, changeVoiceNum: 1 }),
    names: true,
  },
  '/user/all/distribution': {
    ask: ({ sub }) => ({ childUserId: sub.session.userId, changeCharNum: -1, changeImageNum: 1 }),
    names: true,
  },
  '/user/batch/distribution': {
    ask: ({ sub }) => ({ childrenIds: [sub.session.userId], mode: 'give', charNum: 1 }),
    names: true,
  },
  '/user/batch/changeEnabled': { ask: ({ sub }) => ({ childrenIds: [sub.session.userId], enabled: 0 }), names: true },
  '/memberGroup/saleList': { ask: () => ({}) },
  '/memberGroup/mappingList': { ask: () => ({}) },
  '/memberGroup/changeChannel': { ask: () => ({ targetChannelId: 2 }) },
  '/loginLog/get': { ask: ({ loginLogId }) => ({ id: loginLogId }), names: true },
  '/loginLog/page': { ask: () => ({}) },
  '/loginLog/export': { ask: () => ({}) },
  '/memberAccountLog/export': { ask: () => ({}) },
  '/translationLog/export': { ask: () => ({}) },
  '/memberAccountLog/page': { ask: () => ({}) },
  '/memberAccountLog/totals': { ask: () => ({}) },
  '/translationLog/totals': { ask: () => ({}) },
  '/translation/text': { ask: () => ({ source: 'zh-Hans', target: 'zh-Hant', text: '头发' }) },
  '/translation/try': { ask: () => ({ source: 'zh-Hans', target: 'zh-Hant', text: '头发' }) },
  // A form is expected: anything else is refused without effect.
  '/translation/image': { ask: () => ({ source: 'zh-Hans', target: 'zh-Hant' }) },
  '/translation/voice': { ask: () => ({ source: 'en', target: 'es' }) },
  '/translation/transcript': { ask: () => ({ source: 'en' }) },
  '/translation/savings': { ask: () => ({}) },
  '/translation/forget': { ask: () => ({}) },
  '/ledger/closes': { ask: () => ({}) },
  '/translationLanguages/list': { ask: () => ({}) },
  '/tranChannel/list': { ask: () => ({}) },
  '/tranChannel/status': { ask: () => ({}) },
  '/tranChannel/history': { ask: () => ({}) },
  '/tranChannel/pairs': { ask: () => ({}) },
  '/tranChannel/media': { ask: () => ({}) },
  '/glossary/page': { ask: () => ({ keyword: '' }) },
  '/glossary/terms': { ask: () => ({ source: 'zh-Hans', target: 'en' }) },
  '/glossary/save': { ask: ({ termId }) => ({ id: termId, ...TERM, translation: 'mine now' }), names: true },
  '/glossary/delete': { ask: ({ termId }) => ({ ids: [termId] }), names: true },
  '/glossary/export': { ask: () => ({}), family: true },
  '/glossary/import': { ask: () => ({ mode: 'replace' }) },
  '/apiKey/page': { ask: () => ({}) },
  '/apiKey/get': { ask: ({ apiKeyId }) => ({ id: apiKeyId }), names: true },
  '/apiKey/create': { ask: () => ({ name: 'mine', scopes: ['text'] }) },
  '/apiKey/update': { ask: ({ apiKeyId }) => ({ id: apiKeyId, name: 'mine now', scopes: ['text'] }), names: true },
  '/apiKey/rotate': { ask: ({ apiKeyId }) => ({ id: apiKeyId, overlapHours: 0 }), names: true },
  '/apiKey/revoke': { ask: ({ apiKeyId }) => ({ ids: [apiKeyId] }), names: true },
  '/apiKey/usage': { ask: ({ apiKeyId }) => ({ id: apiKeyId }), names: true },
  '/apiKey/usage/export': { ask: ({ apiKeyId }) => ({ id: apiKeyId }), names: true },
  '/webhook/page': { ask: () => ({}) },
  '/webhook/save': { ask: ({ webhookId }) => ({ id: webhookId, ...WEBHOOK, name: 'Mine now' }), names: true },
  '/webhook/delete': { ask: ({ webhookId }) => ({ ids: [webhookId] }), names: true },
  '/webhook/rotateSecret': { ask: ({ webhookId }) => ({ id: webhookId }), names: true },
  '/webhook/resume': { ask: ({ webhookId }) => ({ id: webhookId }), names: true },
  '/webhook/test': { ask: ({ webhookId }) => ({ id: webhookId }), names: true },
  '/webhook/deliveries': { ask: ({ webhookId }) => ({ webhookId: String(webhookId) }), names: true },
  '/webhook/resend': { ask: ({ deliveryId }) => ({ id: deliveryId }), names: true },
  '/translationLog/page': { ask: () => ({}) },
  '/orderByMemberGroup/page': { ask: () => ({}) },
  '/orderByMemberGroup/preview': { ask: () => ({ memberGroupId: 2, salesNum: 1 }) },
  '/orderByMemberGroup/pay': { ask: () => ({ memberGroupId: 2, salesNum: 1, payChannel: 'USDT' }) },
  '/orderByMemberGroup/continue': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/getPayInfo': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/flush': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/cancel': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/timeline': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/invoices': { ask: ({ orderId }) => ({ id: orderId }), names: true },
  '/orderByMemberGroup/requestInvoice': {
    ask: ({ orderId }) => ({ id: orderId, kind: 'personal', title: 'Mine now', email: 'mine@example.com' }),
    names: true,
  },
  '/payInfo/channel': { ask: () => ({}) },
  '/dataCus/get': { ask: () => ({ id: 'USDT_PAY_INFO' }) },
  '/dataCus/save': { ask: () => ({ id: 'USDT_PAY_INFO', valued: '{}' }) },
  '/customer-service/platform/list': { ask: () => ({}) },
  '/customer-service/list': { ask: () => ({}) },
  '/customer-service/get': { ask: () => ({ platform: 'WeChat', account: 'somebody' }) },
  '/notice/list': { ask: () => ({}) },
  '/notice/openSse/:clientId': { ask: () => ({ clientId: 'the-victims-stream' }) },
  '/notice/closeSse/:clientId': { ask: () => ({ clientId: 'the-victims-stream' }) },
};

const TABLES = [
  'member',
  'identity',
  'session',
  'member_account',
  'account_log',
  'translation_log',
  'login_log',
  'cached_translation',
  'member_reminder',
  'recharge_order',
  'order_event',
  'payment',
  'invoice_request',
  'two_step',
  'spending_cap',
  'glossary',
  'glossary_term',
  'api_key',
  'webhook_endpoint',
  'webhook_message',
  'webhook_delivery',
];

const KEY_NAME = 'key of the victim';
const TERM = { source: 'zh-Hans', target: 'en', term: '译桥', translation: 'Yiqiao of the victim' };

const WEBHOOK = {
  name: 'Webhook of the victim',
  url: 'https://victim.example/hooks',
  format: 'standard' as const,
  language: 'zh' as const,
  events: ['order.paid' as const],
  enabled: 1 as const,
};

let api: TestApi;
let victim: Victim;
let stranger: TestMember;
let strangerSub: TestMember;

beforeAll(async () => {
  api = await startApi();
  const main = await makeMain(api);
  const sub = await makeSub(api, main, 100);
  await main.client.call(changeTranslationCache, { translationCache: 1 });
  // A line of the victim in every log, and a remembered translation.
  await main.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
  const { rows: logs } = await api.db.query<{ id: number }>('SELECT id FROM login_log WHERE user_id = $1', [
    main.session.userId,
  ]);
  const sessionId = (await main.client.call(listSessions, {}))[0]?.id ?? 0;
  await main.client.call(changeReminders, { lowCharNum: 1, expiryDays: 1, byMail: 1 });
  const { id: termId } = await main.client.call(saveTerm, TERM);
  const { apiKey } = await makeKey(main, { name: KEY_NAME });
  const orderId = await openOrder(api, main);
  const { webhook } = await main.client.call(saveWebhook, WEBHOOK);
  // The name resolves to nothing: the log gets a line all the same.
  await main.client.call(testWebhook, { id: webhook.id });
  const { rows: deliveries } = await main.client.call(listWebhookDeliveries, { webhookId: String(webhook.id) });
  victim = {
    webhookId: webhook.id,
    deliveryId: deliveries[0]?.id ?? 0,
    main,
    sub,
    loginLogId: logs[0]?.id ?? 0,
    sessionId,
    orderId,
    termId,
    apiKeyId: apiKey.id,
  };
  stranger = await makeMain(api);
  strangerSub = await makeSub(api, stranger, 100);
});
afterAll(() => api.stop());

/** A download is not JSON: its lines are read as a stream. */
const linesOf = async (endpoint: Endpoint, who: TestMember): Promise<string> => {
  const answer = await fetch(`${api.url}${BASE_PATH}${endpoint.path}`, { headers: headersOf(who.session) });
  expect(answer.status).toBe(200);
  return answer.text();
};

/** A digest of everything that belongs to the victim's family, except the last use of its sessions. */
const familyDigest = async (): Promise<string> => {
  const parts = await Promise.all(
    TABLES.map(async (table) => {
      const { rows: found } = await api.db.query<{ digest: string }>(
        `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest
         FROM (SELECT * FROM ${table} WHERE family_id = $1) t`,
        [victim.main.session.userId],
      );
      return `${table}:${found[0]?.digest}`;
    }),
  );
  return parts.join('\n');
};

/** Words that occur only in the victim's data. */
const marks = (): string[] => [
  victim.main.username,
  victim.main.account,
  victim.sub.username,
  TERM.translation,
  KEY_NAME,
  WEBHOOK.name,
  WEBHOOK.url,
];

const rowOf = (endpoint: Endpoint): Row => {
  const row = rows[endpoint.path];
  if (!row) throw new Error(`${endpoint.path} has no row in this matrix`);
  return row;
};

it('has a row for every endpoint, and no others', () => {
  expect(Object.keys(rows).sort()).toEqual(endpoints.map((e) => e.path).sort());
});

it('serves nothing but endpoints', async () => {
  const answer = await fetch(`${api.url}/client-user/no/such/route`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND', status: 404 });
});

// A stream never ends: notices.e2e.ts covers who receives what on it.
const answered = endpoints.filter(({ stream }) => !stream);

describe.each(answered.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_, endpoint) => {
  const signed = endpoint.access !== 'public';
  const row = rowOf(endpoint);

  it('is refused to everybody else if it is for operators', async () => {
    if (endpoint.access !== 'operator') return;
    const everybody = [new TestClient(api.url), stranger.client, strangerSub.client, victim.main.client];
    for (const client of everybody)
      expect(await client.send(endpoint, row.ask(victim))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('is refused to a visitor unless it is public', async () => {
    if (endpoint.access === 'operator') return;
    const { status, body } = await new TestClient(api.url).send(endpoint, row.ask(victim));
    if (signed) {
      expect(status).toBe(401);
      expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED', status: 401 });
    } else expect(body).not.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('shows strangers nothing of the victim and changes nothing', async () => {
    const before = await familyDigest();
    for (const actor of row.ends ? [] : [stranger, strangerSub]) {
      const { status, body } = await actor.client.send(endpoint, row.ask(victim));
      if (endpoint.access === 'main' && actor === strangerSub) expect(status).toBe(403);
      else if (row.names) expect(status).toBe(404);
      if (signed) for (const mark of marks()) expect(JSON.stringify(body)).not.toContain(mark);
    }
    expect(await familyDigest()).toBe(before);
  });

  it('limits a sub-account to its role and its own rows', async () => {
    if (row.ends) return;
    const { status, body } = await victim.sub.client.send(endpoint, row.ask(victim));
    if (endpoint.access === 'main') {
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'MAIN_ACCOUNT_ONLY' });
    }
    // The main account's log line exists, but the sub-account may not read it.
    else if (row.names) expect(status).toBe(404);
    if (signed) expect(JSON.stringify(body)).not.toContain(victim.main.account);
  });

  it('downloads only the member’s own lines', async () => {
    // A download that names something of the victim is refused above.
    if (!endpoint.file || row.names) return;
    const mine = await linesOf(endpoint, victim.main);
    for (const actor of [stranger, strangerSub, ...(row.family ? [] : [victim.sub])]) {
      const theirs = await linesOf(endpoint, actor);
      expect(theirs).not.toBe(mine);
      for (const mark of actor === victim.sub ? [victim.main.account] : marks()) expect(theirs).not.toContain(mark);
    }
  });
});
