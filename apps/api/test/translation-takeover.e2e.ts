/** Failover to another channel: only if the member allows it, never dearer than the quote (decisions §4). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { changeFailover, getUser } from '@yiqiao/contracts/user';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeSub, setChars, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany, translateOne } from './support/translate.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, TENCENT, DEEPL, CHATGPT] = [1, 2, 4, 6, 7] as const;
const CODES: VendorCode[] = ['google', 'tencent', 'deepl', 'chatgpt'];

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'takeover');
  api = await startApi(vendors.env);
  await setPrices(api);
});
// A text that the vendor refuses is not the account's fault: it continues with the next text.
afterEach(() => Promise.all(CODES.map((code) => vendors.mend(code))));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const memberOn = async (channel: number, allows = true): Promise<TestMember> => {
  const main = await makeMain(api);
  if (channel !== OFFLINE) await main.client.call(changeChannel, { targetChannelId: channel });
  if (allows) await main.client.call(changeFailover, { channelFailover: 1 });
  await setChars(api, main.session.userId, 1_000);
  return main;
};
const usable = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount.usableCharNum;
const asked = async (code: VendorCode) => (await vendors.calls(code)).length;

const french = { source: 'en', target: 'fr' };

describe('the setting', () => {
  it('is off until a main account turns it on, and never on for a sub-account', async () => {
    const main = await memberOn(GOOGLE, false);
    const setting = async (who: TestMember) => (await who.client.call(getUser, {})).channelFailover;
    expect(await setting(main)).toBe(0);
    expect(await main.client.call(changeFailover, { channelFailover: 1 })).toBe(true);
    const sub = await makeSub(api, main, 10);
    expect([await setting(main), await setting(sub)]).toEqual([1, 0]);
    expect(await sub.client.send(changeFailover, { channelFailover: 0 })).toMatchObject({
      status: 403,
      body: { code: 'MAIN_ACCOUNT_ONLY' },
    });
    for (const wrong of [{}, { channelFailover: 2 }, { channelFailover: true }, { channelFailover: '1' }])
      expect(await main.client.send(changeFailover, wrong)).toMatchObject({ status: 422 });
    expect(await setting(main)).toBe(1);
    await main.client.call(changeFailover, { channelFailover: 0 });
    expect(await setting(main)).toBe(0);
  });
});

describe('when the channel fails', () => {
  it('the nearest in price serves at its own price, shown in the response, the entry and the log', async () => {
    const main = await memberOn(DEEPL);
    const dear = await asked('chatgpt');
    await vendors.fail('deepl', { kind: 'block' });
    const answer = await translateOne(main.client, { ...french, text: 'Thank you' });
    // 9 × 20 / 40, rounded up.
    expect(answer).toMatchObject({ channelId: GOOGLE, charged: 5, quality: 'translation' });
    expect(answer.warning).toMatch(/「谷歌翻译.*」/);
    expect(await usable(main)).toBe(995);
    expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows).toMatchObject([
      { charChangeNum: -5, consumeTranChannelId: GOOGLE, lastTranChannelId: DEEPL },
    ]);
    expect((await main.client.call(listTranslationLogs, {})).rows).toMatchObject([
      { status: 'ok', charged: 5, wordCount: 9, tranChannelId: GOOGLE },
    ]);
    expect(await asked('chatgpt')).toBe(dear);
  });

  it('the next one serves if that fails too; if all do, it is free and the requested one is named', async () => {
    const main = await memberOn(DEEPL);
    await vendors.fail('deepl', { kind: 'block' });
    await vendors.fail('google', { kind: 'block' });
    expect(await translateOne(main.client, { ...french, text: 'Good morning' })).toMatchObject({
      channelId: TENCENT,
      charged: 5,
    });
    await vendors.fail('tencent', { kind: 'block' });
    const japanese = { source: 'en', target: 'ja', text: 'Good morning' };
    expect(await main.client.send(translateText, japanese)).toMatchObject({
      status: 502,
      body: { code: 'UPSTREAM_FAILED' },
    });
    expect(await usable(main)).toBe(995);
    expect((await main.client.call(listTranslationLogs, {})).rows[0]).toMatchObject({
      status: 'failed',
      charged: 0,
      tranChannelId: DEEPL,
    });
  });

  it('nobody else is called for members who disallow it, decline it this time, or are sub-accounts', async () => {
    const allows = await memberOn(DEEPL);
    const refuses = await memberOn(DEEPL, false);
    const sub = await makeSub(api, allows, 100);
    await vendors.fail('deepl', { kind: 'block' });
    const before = await asked('google');
    const ask = { ...french, text: 'Hello' };
    const failed = { status: 502, body: { code: 'UPSTREAM_FAILED' } };
    expect(await refuses.client.send(translateText, ask)).toMatchObject(failed);
    expect(await sub.client.send(translateText, ask)).toMatchObject(failed);
    expect(await sub.client.send(translateText, { ...ask, failover: true })).toMatchObject(failed);
    expect(await allows.client.send(translateText, { ...ask, failover: false })).toMatchObject(failed);
    expect(await asked('google')).toBe(before);
    // Requesting it does not allow it: that is the account's setting.
    expect(await refuses.client.send(translateText, { ...ask, failover: true })).toMatchObject(failed);
    expect(await translateOne(allows.client, { ...ask, failover: true })).toMatchObject({ channelId: GOOGLE });
  });

  it('a dearer one than the requested channel never serves', async () => {
    const main = await memberOn(CHATGPT);
    await vendors.fail('tencent', { kind: 'block' });
    const before = await asked('google');
    // Only the offline engine is cheaper than Tencent.
    const reply = await main.client.send(translateText, {
      source: 'en',
      target: 'ja',
      text: 'Hello',
      channelId: TENCENT,
    });
    expect(reply).toMatchObject({ status: 502 });
    expect(await asked('google')).toBe(before);
    expect(await usable(main)).toBe(1_000);
  });

  it('it is free in time mode whoever serves', async () => {
    const main = await memberOn(GOOGLE);
    await buyPackage(api, main, 7);
    await vendors.fail('google', { kind: 'block' });
    expect(await translateOne(main.client, { ...french, text: 'Hello' })).toMatchObject({
      channelId: TENCENT,
      charged: 0,
    });
  });
});

describe('a batch', () => {
  it('is charged by whoever served each text', async () => {
    const main = await memberOn(DEEPL);
    await vendors.fail('deepl', { kind: 'block' });
    const { items, charged } = await translateMany(main.client, { ...french, text: ['Hello', 'Thank you'] });
    expect(items).toMatchObject([
      { success: true, charged: 3, code: null },
      { success: true, charged: 5, code: null },
    ]);
    expect(items.map(({ msg }) => msg)).toEqual([expect.stringMatching(/谷歌/), expect.stringMatching(/谷歌/)]);
    expect(charged).toBe(8);
    expect(await usable(main)).toBe(992);
  });
});

describe('an unsupported pair', () => {
  it('fails over by the same rules', async () => {
    const main = await memberOn(DEEPL);
    const scripts = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };
    expect(await translateOne(main.client, scripts)).toMatchObject({ channelId: GOOGLE, charged: 2 });
    expect(await main.client.send(translateText, { ...scripts, failover: false })).toMatchObject({
      status: 422,
      body: { code: 'PAIR_NOT_SUPPORTED' },
    });
  });
});
