/** The exact price of a text through any channel, over HTTP with the sandbox's vendors (decisions §4). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeSub, setChars, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';

import { translateOne } from './support/translate.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, TENCENT, YOUDAO, DEEPL, CHATGPT] = [1, 2, 4, 5, 6, 7] as const;
const MONTHLY = 7;
const CODES: VendorCode[] = ['google', 'tencent', 'deepl', 'chatgpt'];

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'prices');
  api = await startApi(vendors.env);
  await setPrices(api);
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

/** A main account on `channel` with this many of its characters. */
const memberOn = async (channel: number, chars: number): Promise<TestMember> => {
  const main = await makeMain(api);
  if (channel !== OFFLINE) await main.client.call(changeChannel, { targetChannelId: channel });
  await setChars(api, main.session.userId, chars);
  return main;
};
const accountOf = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount;

const french = { source: 'en', target: 'fr' };
const hans = { source: 'zh-Hans', target: 'zh-Hant' };

describe('a channel for one request', () => {
  it.each([
    ['own', GOOGLE, GOOGLE, french, 'Hello, how much is it?', 22],
    ['twice as dear', OFFLINE, GOOGLE, french, 'Thank you', 18],
    ['half as dear again, rounded up', OFFLINE, TENCENT, french, 'Hello', 8],
    ['cheaper, rounded up', GOOGLE, TENCENT, french, 'Thank you', 7],
    ['half as dear, rounded up', GOOGLE, OFFLINE, hans, '头发很长。', 3],
    ['GPT, six times as dear', OFFLINE, CHATGPT, french, 'Thank you', 54],
    ['GPT, four times as dear', TENCENT, CHATGPT, french, 'Thank you', 36],
    ['half as dear again as GPT is cheap', CHATGPT, DEEPL, french, 'Thank you', 6],
    ['GPT’s own characters spent on the cheapest', CHATGPT, OFFLINE, hans, '头发很长，发现皇后', 2],
    ['four bytes each', CHATGPT, GOOGLE, french, 'Hello 😀😀', 3],
  ] as const)('%s', async (_, own, channelId, pair, text, charged) => {
    const main = await memberOn(own, 1_000);
    const answer = await translateOne(main.client, { ...pair, text, channelId });
    expect(answer).toMatchObject({ ...pair, channelId, charged, quality: 'translation' });
    expect(answer.translated).not.toBe(text);
    const words = [...text].length;
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - charged, usedCharTotal: words });
    expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows).toMatchObject([
      {
        charChangeNum: -charged,
        consumeTranChannelId: channelId,
        lastTranChannelId: own,
        lastCharNum: 1_000 - charged,
      },
    ]);
    expect((await main.client.call(listTranslationLogs, {})).rows).toMatchObject([
      { status: 'ok', charged, wordCount: words, tranChannelId: channelId, translationBillingMode: 'char' },
    ]);
  });

  it('uses the last character and no more, and calls nobody for what cannot be paid', async () => {
    const main = await memberOn(OFFLINE, 18 + 17);
    const ask = { ...french, text: 'Thank you', channelId: GOOGLE };
    expect(await translateOne(main.client, ask)).toMatchObject({ charged: 18 });
    const before = (await vendors.calls('google')).length;
    expect(await main.client.send(translateText, ask)).toMatchObject({
      status: 422,
      body: { code: 'QUOTA_NOT_ENOUGH' },
    });
    expect(await vendors.calls('google')).toHaveLength(before);
    expect((await accountOf(main)).usableCharNum).toBe(17);
    expect(await translateOne(main.client, { ...ask, text: 'Thankyou' })).toMatchObject({ charged: 16 });
  });

  it('is free in time mode if it is not dearer, and counts as usage', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    await buyPackage(api, main, MONTHLY);
    const answer = await translateOne(main.client, { ...french, text: 'Thank you', channelId: TENCENT });
    expect(answer).toMatchObject({ channelId: TENCENT, charged: 0 });
    expect((await main.client.call(listTranslationLogs, {})).rows).toMatchObject([
      { charged: 0, free: 'time', wordCount: 9, tranChannelId: TENCENT, translationBillingMode: 'time' },
    ]);
    expect((await accountOf(main)).usedCharTotal).toBe(9);
    expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows).toMatchObject([
      { charChangeNum: 0, consumeTranChannelId: TENCENT },
    ]);
  });

  it('is refused in time mode if it is dearer, alone or in a batch, even while a purchase completes', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const ask = { ...french, text: 'Thank you', channelId: CHATGPT };
    // The cached account is half a second old now.
    expect(await translateOne(main.client, ask)).toMatchObject({ charged: 27 });
    await buyPackage(api, main, MONTHLY);
    const before = (await vendors.calls('chatgpt')).length;
    for (const text of ['Thank you all', ['Hello', 'Thank you']])
      expect(await main.client.send(translateText, { ...ask, text })).toMatchObject({
        status: 422,
        body: { code: 'CHANNEL_NOT_INCLUDED' },
      });
    expect(await vendors.calls('chatgpt')).toHaveLength(before);
    // A package per character pays for it again, at once.
    await buyPackage(api, main, 2);
    expect(await translateOne(main.client, { ...ask, text: 'Thank you all' })).toMatchObject({ charged: 39 });
  });

  it('is limited to the main account’s channel for a sub-account', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const sub = await makeSub(api, main, 100);
    const ask = { ...french, text: 'Thank you' };
    for (const channelId of [OFFLINE, TENCENT, YOUDAO, 99])
      expect(await sub.client.send(translateText, { ...ask, channelId })).toMatchObject({
        status: 403,
        body: { code: 'MAIN_ACCOUNT_ONLY' },
      });
    expect(await translateOne(sub.client, { ...ask, channelId: GOOGLE })).toMatchObject({ charged: 9 });
    expect((await accountOf(sub)).usableCharNum).toBe(91);
  });

  it('must exist and be available; otherwise the reason is in the language of the request', async () => {
    const { client } = await memberOn(OFFLINE, 100);
    const ask = { ...french, text: 'Thank you' };
    expect(await client.send(translateText, { ...ask, channelId: 99 })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const english = client.with({ 'Accept-Language': 'en-US' });
    expect(await english.send(translateText, { ...ask, channelId: YOUDAO })).toMatchObject({
      status: 422,
      body: { code: 'CHANNEL_UNAVAILABLE', data: { channelId: YOUDAO } },
    });
  });
});

it('is never a gloss or a refusal of the channel that the member has just left', async () => {
  const { client } = await memberOn(OFFLINE, 1_000);
  const gloss = { source: 'zh-Hans', target: 'en', text: '头发很长' };
  const refusal = { source: 'en', target: 'sw', text: 'Hello' };
  // The cache lasts half a second; on a busy machine a round may take longer.
  for (const ask of [gloss, refusal, gloss, gloss, refusal, gloss, gloss]) {
    await client.send(translateText, ask);
    await client.call(changeChannel, { targetChannelId: GOOGLE });
    expect(await translateOne(client, ask)).toMatchObject({ channelId: GOOGLE, quality: 'translation' });
    await client.call(changeChannel, { targetChannelId: OFFLINE });
  }
});

describe('failures', () => {
  it('are free and leave a failed log line, whatever the price was', async () => {
    const main = await memberOn(OFFLINE, 1_000);
    await vendors.fail('deepl', { kind: 'block' });
    const reply = await main.client.send(translateText, { ...french, text: 'Thank you', channelId: DEEPL });
    await vendors.mend('deepl');
    expect(reply).toMatchObject({ status: 502, body: { code: 'UPSTREAM_FAILED' } });
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000, usedCharTotal: 0 });
    expect((await main.client.call(listTranslationLogs, {})).rows).toMatchObject([
      { status: 'failed', charged: 0, wordCount: 9, tranChannelId: DEEPL },
    ]);
  });
});

describe('the source language', () => {
  it('is detected by the vendor when we are not certain, and appears in the response and the log', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const answer = await translateOne(main.client, { source: 'auto', target: 'fr', text: 'boxes' });
    expect(answer).toMatchObject({ target: 'fr', charged: 5 });
    const [call] = await vendors.calls('google');
    expect(call?.source ?? null).toBeNull();
    expect(answer.source).not.toBe('auto');
    expect((await main.client.call(listTranslationLogs, {})).rows[0]).toMatchObject({ sourceLangCode: answer.source });
  });

  it('is refused as usual when the vendor detects the target language: free, without a log line', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const reply = await main.client.send(translateText, { source: 'auto', target: 'en', text: 'boxes' });
    expect(reply).toMatchObject({ status: 422, body: { code: 'SAME_LANGUAGE', data: { source: 'en' } } });
    expect((await vendors.calls('google'))[0]).toMatchObject({ target: 'en', sent: ['boxes'] });
    expect((await accountOf(main)).usableCharNum).toBe(1_000);
    expect((await main.client.call(listTranslationLogs, {})).total).toBe(0);
  });

  it('may be given by an alias; responses and logs have the product’s own code', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const answer = await translateOne(main.client, { source: 'en_US', target: 'zh-TW', text: 'Thank you' });
    expect(answer).toMatchObject({ source: 'en', target: 'zh-Hant' });
    const { rows } = await main.client.call(listTranslationLogs, {});
    expect(rows).toMatchObject([{ sourceLangCode: 'en', targetLangCode: 'zh-Hant' }]);
    expect(await main.client.send(translateText, { source: 'zh-CN', target: 'zh-Hans', text: '你好' })).toMatchObject({
      status: 422,
      body: { code: 'SAME_LANGUAGE' },
    });
  });
});
