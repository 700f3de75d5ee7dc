/** Accounts at vendors in the operators' console: added, tested, changed, paused and removed while everything runs (operators §9). */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listVendorAccounts, testVendorAccount } from '@yiqiao/contracts/operator/vendors';
import { changeChannel } from '@yiqiao/contracts/plans';
import { CHANNELS } from '@yiqiao/domain/channels';
import { loadConfig } from '../src/platform/config.js';
import { Plans } from '../src/plans/plans.js';
import { buildHttp } from '../src/serve.js';
import { VendorAccounts } from '../src/translation/channels/vendor-accounts.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, setChars } from './support/family.js';
import { type OperatorBrowser, type TestOperator, TestOperators } from './support/operators.js';
import { breakVendor, callsOf, mendVendor, sandboxAccount } from './support/sandbox-vendors.js';
import type { TestMember } from './support/test-members.js';
import { translateOne } from './support/translate.js';
import { FRENCH, freshText } from './support/vendor-fixture.js';
import { waitUntil } from './support/wait-until.js';

type Vendors = Answer<typeof listVendorAccounts>;
type Account = Vendors['channels'][number]['accounts'][number];

const REASON = 'a test of the console';
const WITHIN_MS = 1_000;
const UNLIMITED = { LIMIT_TRANSLATION_PER_SECOND: '10000', LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000' };
const ofSettings = sandboxAccount('google', 'settings');
const settings = { GOOGLE_TRANSLATE_KEY: ofSettings.key, GOOGLE_TRANSLATE_URL: ofSettings.baseUrl };

let api: TestApi;
/** Another process of the api. */
let second: NestFastifyApplication;
let operators: TestOperators;
let owner: TestOperator;
let finance: OperatorBrowser;
let support: OperatorBrowser;

beforeAll(async () => {
  api = await startApi({ ...UNLIMITED, ...settings });
  second = await buildHttp(loadConfig(api.env));
  operators = await TestOperators.start(api);
  owner = await operators.enrol('owner-1', 'finance');
  finance = await operators.signIn(owner);
  support = await operators.signIn(await operators.enrol('support-1', 'support'));
});
afterAll(async () => {
  await operators.stop();
  await second.close();
  await api.stop();
});

const list = async (): Promise<Vendors> => (await finance.get('/vendor-accounts')).body.data;
const accountsOf = async (code: string): Promise<Account[]> =>
  (await list()).channels.find((channel) => channel.code === code)?.accounts ?? [];
const accountOf = async (code: string, id: number): Promise<Account | undefined> =>
  (await accountsOf(code)).find((account) => account.id === id);

const PLAIN = {
  weight: 100,
  requestsPerSecond: null,
  charsPerMinute: null,
  charsPerDay: null,
  charCost: 25,
  voiceCost: 0,
  imageCost: 0,
  reason: REASON,
};
const post = async (
  path: string,
  body: object = {},
): Promise<{ status: number; code: string | undefined; data: never }> => {
  const { status, body: answer } = await finance.post(path, body);
  return { status, code: answer.code, data: answer.data };
};
const fresh = () => operators.freshCode(owner);

async function add(account: ReturnType<typeof sandboxAccount>, given: object = {}): Promise<number> {
  const { code: channel, name, baseUrl, key } = account;
  const { status, data, code } = await post('/vendor-accounts', {
    ...PLAIN,
    ...{ channel, name, baseUrl, key },
    ...given,
    code: await fresh(),
  });
  expect([status, code]).toEqual([200, undefined]);
  return (data as { id: number }).id;
}

async function memberOn(code: keyof typeof CHANNELS): Promise<TestMember> {
  const main = await makeMain(api);
  await main.client.call(changeChannel, { targetChannelId: CHANNELS[code].id });
  await setChars(api, main.session.userId, 100_000);
  return main;
}
const timesAsked = async (account: ReturnType<typeof sandboxAccount>): Promise<number> =>
  (await callsOf(account)).count;
/** The last lines of the log: who served and what it cost. */
const lines = async ({ session: { userId } }: TestMember) =>
  (
    await api.db.query<{ account: number | null; cost: string | null; charged: string }>(
      `SELECT vendor_account_id AS account, vendor_cost AS cost, charged FROM translation_log WHERE user_id = $1 ORDER BY usage_seq`,
      [userId],
    )
  ).rows.map(({ account, cost, charged }) => ({
    account,
    cost: cost === null ? null : Number(cost),
    charged: Number(charged),
  }));

describe('an account of the settings', () => {
  it('is shown as such, and only its cost can be changed', async () => {
    const [account] = await accountsOf('google');
    expect(account).toMatchObject({
      name: 'default',
      origin: 'environment',
      keyEnd: ofSettings.key.slice(-4),
      paused: false,
    });
    const id = account?.id ?? 0;
    expect((await post(`/vendor-accounts/${id}`, { charCost: 31, reason: REASON })).status).toBe(200);
    expect((await accountOf('google', id))?.charCost).toBe(31);
    for (const [path, body] of [
      ['', { weight: 2 }],
      ['/pause', {}],
      ['/remove', {}],
    ] as const)
      expect((await post(`/vendor-accounts/${id}${path}`, { ...body, reason: REASON })).code).toBe(
        'VENDOR_ACCOUNT_OF_SETTINGS',
      );
  });

  it('has its cost in the log of what it serves', async () => {
    const main = await memberOn('google');
    const text = freshText();
    await translateOne(main.client, { ...FRENCH, text });
    const [account] = await accountsOf('google');
    const { chars } = await callsOf(ofSettings);
    expect((await lines(main)).at(-1)).toEqual({ account: account?.id, cost: 31 * chars, charged: text.length });
  });
});

describe('an account of the console', () => {
  it('serves within a second in every process, is paused and removed as fast', async () => {
    const account = sandboxAccount('deepl', 'added');
    const serves = async (want: boolean, began: number): Promise<void> => {
      const offers = [api.app, second].map((app) => app.get(Plans, { strict: false }));
      await waitUntil(
        async () =>
          Promise.all(offers.map(async (plans) => (await plans.channelOffers()).find(({ code }) => code === 'deepl'))),
        (found) => found.every((offer) => offer?.available === want),
      );
      expect(Date.now() - began).toBeLessThan(WITHIN_MS);
    };
    await serves(false, Date.now());
    const id = await add(account);
    await serves(true, Date.now());
    const main = await memberOn('deepl');
    const text = freshText();
    const answer = await translateOne(main.client, { ...FRENCH, text });
    expect(answer.channelId).toBe(CHANNELS.deepl.id);
    const { chars } = await callsOf(account);
    expect((await lines(main)).at(-1)).toMatchObject({ account: id, cost: 25 * chars });

    let began = Date.now();
    expect((await post(`/vendor-accounts/${id}/pause`, { reason: REASON })).status).toBe(200);
    await serves(false, began);
    expect((await accountOf('deepl', id))?.paused).toBe(true);
    began = Date.now();
    expect((await post(`/vendor-accounts/${id}/resume`, { reason: REASON })).status).toBe(200);
    await serves(true, began);
    began = Date.now();
    expect((await post(`/vendor-accounts/${id}/remove`, { reason: REASON })).status).toBe(200);
    await serves(false, began);
    expect(await accountsOf('deepl')).toEqual([]);
    const { rows } = await api.db.query<{ sealed_keys: string | null }>(
      'SELECT sealed_keys FROM vendor_account WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ sealed_keys: null }]);
    expect((await post(`/vendor-accounts/${id}/resume`, { reason: REASON })).status).toBe(404);
  });

  it('follows another weight without losing its requests, and a lost message of Redis', async () => {
    const [one, two] = [sandboxAccount('youdao', 'one'), sandboxAccount('youdao', 'two')];
    const first = await add(one, { secret: one.secret });
    await add(two, { secret: two.secret, weight: 1 });
    const main = await memberOn('youdao');
    const crowd = Array.from({ length: 10 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
    await post(`/vendor-accounts/${first}`, { weight: 1, charCost: 7, reason: REASON });
    for (const { channelId, warning } of await Promise.all(crowd))
      expect([channelId, warning]).toEqual([CHANNELS.youdao.id, null]);
    // As a change whose message is lost: nobody publishes it.
    await api.db.query('UPDATE vendor_account SET paused_at = now() WHERE id = $1', [first]);
    const accounts = api.app.get(VendorAccounts, { strict: false });
    await waitUntil(
      () => Promise.resolve(accounts.serving),
      (serving) => serving.every(({ key }) => key !== one.key),
    );
    const before = await timesAsked(one);
    for (let i = 0; i < 4; i++) await translateOne(main.client, { ...FRENCH, text: freshText() });
    expect(await timesAsked(one)).toBe(before);
  });

  it('is tested by a real request, which says what the vendor refuses', async () => {
    const account = sandboxAccount('libretranslate', 'tested');
    const id = await add(account);
    const test = async (): Promise<Answer<typeof testVendorAccount>> =>
      (await finance.post(`/vendor-accounts/${id}/test`)).body.data;
    const answered = await test();
    expect(answered).toMatchObject({
      source: 'zh-Hans',
      target: 'en',
      failure: null,
      answer: expect.stringMatching(/\w/),
    });
    expect(answered.ms).toBeGreaterThanOrEqual(0);
    expect(await timesAsked(account)).toBe(1);
    await breakVendor(account, { kind: 'auth' });
    expect(await test()).toMatchObject({ answer: null, failure: { kind: 'auth' } });
    await mendVendor(account);
    // No member paid, and the log names the test.
    const { rows } = await api.db.query(`SELECT 1 FROM operator_action WHERE action = 'vendorAccount.test'`);
    expect(rows).toHaveLength(2);
  });

  it('reports its health: requests, breaker, cap and last failures', async () => {
    const account = sandboxAccount('microsoft', 'watched', { charsPerDay: 10_000 });
    const id = await add(account, { region: account.region, charsPerDay: 10_000 });
    const main = await memberOn('microsoft');
    await translateOne(main.client, { ...FRENCH, text: freshText() });
    await breakVendor(account, { kind: 'auth' });
    await translateOne(main.client, { ...FRENCH, text: freshText() }).catch(() => undefined);
    const { health } = await waitUntil(
      async () => (await accountOf('microsoft', id)) ?? Promise.reject(new Error('it is gone')),
      (found) => found.health.breaker === 'open',
    );
    expect(health).toMatchObject({ openIn: 1, openKind: 'auth', openUntil: expect.any(String) });
    expect(health.charsLeft).toBeLessThan(10_000);
    expect(health.charsToday).toBeGreaterThan(0);
    expect(health.failures[0]).toMatchObject({ kind: 'auth' });
    await mendVendor(account);
  });
});

describe('keys', () => {
  it('are sealed: no answer, no log and no action holds one', async () => {
    const account = sandboxAccount('libretranslate', 'sealed');
    const id = await add(account);
    const { rows } = await api.db.query<{ text: string }>(
      `SELECT row_to_json(a)::text AS text FROM vendor_account a WHERE id = $1
       UNION ALL SELECT body FROM operator_action`,
      [id],
    );
    const told = rows.map(({ text }) => text).join() + JSON.stringify(await list());
    expect(told).not.toContain(account.key);
    expect((await accountOf('libretranslate', id))?.keyEnd).toBe(account.key.slice(-4));
  });

  it('are entered with a one-time code, and again with every other address', async () => {
    const account = sandboxAccount('libretranslate', `turned-${randomInt(1_000)}`);
    const id = await add(account);
    const to = { baseUrl: account.baseUrl, reason: REASON };
    expect((await post(`/vendor-accounts/${id}/key`, to)).code).toBe('OPERATOR_CODE_REQUIRED');
    expect(
      (await post(`/vendor-accounts/${id}/key`, { ...to, key: 'another-secret-key', code: await fresh() })).status,
    ).toBe(200);
    expect((await accountOf('libretranslate', id))?.keyEnd).toBe('-key');
    expect((await post(`/vendor-accounts/${id}/key`, { ...to, code: await fresh() })).status).toBe(200);
    expect((await accountOf('libretranslate', id))?.keyEnd).toBeNull();
  });
});

describe('an account is refused', () => {
  it.each([
    [
      'without the key that its vendor needs',
      { channel: 'google', name: 'keyless', key: undefined },
      'VALIDATION_FAILED',
    ],
    [
      'with an address that is none',
      { channel: 'google', name: 'nowhere', baseUrl: 'ftp://nowhere' },
      'VALIDATION_FAILED',
    ],
    ['under the name of one of the settings', { channel: 'google', name: 'default' }, 'VENDOR_ACCOUNT_EXISTS'],
    ['for the offline engine', { channel: 'offline', name: 'one' }, 'VALIDATION_FAILED'],
  ])('%s', async (_, given, code) => {
    const { baseUrl, key } = sandboxAccount('google', 'refused');
    expect((await post('/vendor-accounts', { ...PLAIN, baseUrl, key, ...given, code: await fresh() })).code).toBe(code);
  });

  it('to whoever may not change accounts', async () => {
    const answer = await support.post('/vendor-accounts/1/pause', { reason: REASON });
    expect(answer.body.code).toBe('OPERATOR_ROLE_REQUIRED');
  });
});
