/** Several texts under one hold: each is translated, refused and charged separately (decisions §4, §9). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { changeFailover, getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, countOpenHolds, makeMainWith, makeSub, setChars, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany } from './support/translate.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, TENCENT, DEEPL, LIBRETRANSLATE] = [1, 2, 4, 6, 8] as const;

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google', 'tencent', 'deepl', 'libretranslate'], 'batch');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '30' });
  await setPrices(api);
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const memberWith = (chars: number, channelId?: number) => makeMainWith(api, chars, channelId);
const accountOf = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount;
const linesOf = async ({ client }: TestMember) => (await client.call(listTranslationLogs, {})).rows;
const entriesOf = async ({ client }: TestMember) =>
  (await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows;
const openHolds = (member: TestMember) => countOpenHolds(api, member);

const french = { source: 'en', target: 'fr' };

describe('a batch', () => {
  it('is charged per text, each rounded up, with one entry and one log line for all', async () => {
    const main = await memberWith(1_000);
    const text = ['Hello', 'Thank you', 'Hello', 'Good morning'];
    const { items, charged } = await translateMany(main.client, { ...french, text, channelId: TENCENT });
    expect(items.map((item) => item.charged)).toEqual([8, 14, 8, 18]);
    expect(items).toMatchObject(text.map(() => ({ success: true, code: null, msg: null })));
    expect(items[0]?.translated).toBe(items[2]?.translated);
    expect(new Set(items.map((item) => item.translated)).size).toBe(3);
    expect(charged).toBe(48);
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 952, usedCharTotal: 31 });
    expect(await entriesOf(main)).toMatchObject([{ charChangeNum: -48, consumeTranChannelId: TENCENT }]);
    expect(await linesOf(main)).toMatchObject([
      { status: 'ok', charged: 48, wordCount: 31, tranChannelId: TENCENT, sourceLangCode: 'en', targetLangCode: 'fr' },
    ]);
  });

  it('returns exactly the fields of a batch', async () => {
    const { client } = await memberWith(100, GOOGLE);
    const reply = await client.send(translateText, { ...french, text: ['Hello'] });
    const translated: unknown = expect.any(String);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      msg: '',
      data: { items: [{ success: true, translated, charged: 5, code: null, msg: null, source: 'en' }], charged: 5 },
    });
  });

  it('detects the language of each text; unsupported ones fail alone, free of charge, in the member’s language', async () => {
    const main = await memberWith(1_000, TENCENT);
    const text = ['Thank you', 'Bonjour, combien ça coûte ?', '12.50', 'こんにちは、いくらですか？'];
    const ask = { source: 'auto', target: 'fr', text };
    const { items, charged } = await translateMany(main.client.with({ 'Accept-Language': 'en-US' }), ask);
    expect(items).toMatchObject([
      { success: true, charged: 9, source: 'en' },
      {
        success: false,
        translated: null,
        charged: 0,
        code: 'SAME_LANGUAGE',
        msg: expect.stringMatching(/same/),
        source: 'fr',
      },
      { success: false, code: 'LANGUAGE_NOT_DETECTED', source: null },
      { success: expect.any(Boolean) },
    ]);
    expect(charged).toBe(items.reduce((sum, item) => sum + item.charged, 0));
    const chinese = await translateMany(main.client, { ...ask, text: text.slice(1, 2) });
    expect(chinese).toMatchObject({ items: [{ code: 'SAME_LANGUAGE', msg: '原文语言与译文语言相同' }], charged: 0 });
    expect((await accountOf(main)).usableCharNum).toBe(1_000 - charged);
  });

  it('names the source of each text: given, detected, or null', async () => {
    const main = await memberWith(1_000);
    const sourcesOf = async (source: string, text: string[]) =>
      (await translateMany(main.client, { source, target: 'zh-Hant', text })).items.map((item) => item.source);
    expect(await sourcesOf('zh-CN', ['头发', ' '])).toEqual(['zh-Hans', 'zh-Hans']);
    expect(await sourcesOf('auto', ['头发', ' ', '頭髮很長', 'ありがとう'])).toEqual([
      'zh-Hans',
      null,
      'zh-Hant',
      'ja',
    ]);
  });

  it('detects nothing in a text of symbols on any channel, and calls none', async () => {
    const main = await memberWith(1_000);
    const before = (await vendors.calls('google')).length;
    const signs = ['12.50', '😀👍🏽', 'https://example.com/a?b=1', '{orderNo} %s'];
    for (const channelId of [OFFLINE, GOOGLE, TENCENT, DEEPL]) {
      const asked = { source: 'auto', target: 'fr', text: signs, channelId };
      expect(await translateMany(main.client, asked)).toEqual({
        items: signs.map(() => expect.objectContaining({ charged: 0, code: 'LANGUAGE_NOT_DETECTED' })),
        charged: 0,
      });
      expect(await main.client.send(translateText, { ...asked, text: ' 12 ' })).toMatchObject({
        status: 422,
        body: { code: 'LANGUAGE_NOT_DETECTED' },
      });
    }
    const told = await main.client.call(translateText, { ...french, text: ' 12 ', channelId: GOOGLE });
    expect(told).toMatchObject({ translated: ' 12 ', charged: 8, warning: null });
    expect(await vendors.calls('google')).toHaveLength(before);
    expect(await linesOf(main)).toHaveLength(1);
  });

  it('never returns a gloss as a translation', async () => {
    const main = await memberWith(1_000);
    const text = ['头发很长', '头发'];
    expect(await translateMany(main.client, { source: 'zh-Hans', target: 'en', text })).toMatchObject({
      items: [{ code: 'PAIR_NOT_SUPPORTED' }, { code: 'PAIR_NOT_SUPPORTED' }],
      charged: 0,
    });
    expect(await linesOf(main)).toEqual([]);
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 });
  });

  it('translates and charges the sentences of the phrasebook among texts that have a gloss only', async () => {
    const main = await memberWith(1_000);
    const text = ['头发很长', '谢谢您！'];
    expect(await translateMany(main.client, { source: 'zh-Hans', target: 'en', text })).toMatchObject({
      items: [{ code: 'PAIR_NOT_SUPPORTED' }, { success: true, translated: 'Thank you!', charged: 4 }],
      charged: 4,
    });
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 996 });
  });

  it('uses another channel instead of a gloss, if that is allowed', async () => {
    const main = await memberWith(1_000);
    await main.client.call(changeFailover, { channelFailover: 1 });
    const ask = { source: 'zh-Hans', target: 'en', text: ['头发？', '头发很长'] };
    const { items, charged } = await translateMany(main.client, ask);
    expect(items).toMatchObject([
      { success: true, charged: 3, msg: expect.stringMatching(/LibreTranslate/) },
      { success: true, charged: 4 },
    ]);
    expect(charged).toBe(7);
    expect(await linesOf(main)).toMatchObject([{ status: 'ok', charged: 7, tranChannelId: LIBRETRANSLATE }]);
    expect(await translateMany(main.client, { ...ask, failover: false })).toMatchObject({
      items: [{ code: 'PAIR_NOT_SUPPORTED' }, { code: 'PAIR_NOT_SUPPORTED' }],
    });
    const one = await main.client.call(translateText, { ...ask, text: '头发很长' });
    expect(one).toMatchObject({ quality: 'gloss', charged: 0, channelId: OFFLINE });
  });

  it('is refused as a whole, without a call, if it cannot be paid as a whole', async () => {
    const main = await memberWith(27);
    const before = (await vendors.calls('google')).length;
    const ask = { ...french, text: ['Hello', 'Thank you'], channelId: GOOGLE };
    expect(await main.client.send(translateText, ask)).toMatchObject({
      status: 422,
      body: { code: 'QUOTA_NOT_ENOUGH' },
    });
    expect(await vendors.calls('google')).toHaveLength(before);
    await setChars(api, main.session.userId, 28);
    expect(await translateMany(main.client, ask)).toMatchObject({ charged: 28 });
    expect((await accountOf(main)).usableCharNum).toBe(0);
  });

  it('returns 200 when every text fails, free of charge and with a failed log line', async () => {
    const main = await memberWith(1_000);
    await vendors.fail('deepl', { kind: 'block' });
    const { items, charged } = await translateMany(main.client, {
      ...french,
      text: ['Hello', 'Thank you'],
      channelId: DEEPL,
    });
    await vendors.mend('deepl');
    expect(items).toMatchObject([
      {
        success: false,
        translated: null,
        charged: 0,
        code: 'UPSTREAM_FAILED',
        msg: expect.stringMatching(/未扣费。请稍后/),
      },
      { success: false, code: 'UPSTREAM_FAILED' },
    ]);
    expect(charged).toBe(0);
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000, usedCharTotal: 0 });
    expect(await linesOf(main)).toMatchObject([{ status: 'failed', charged: 0, wordCount: 14, tranChannelId: DEEPL }]);
    expect(await openHolds(main)).toBe(0);
  });

  it('that delivered nothing is not stored under its key and may be retried', async () => {
    const main = await memberWith(1_000);
    const keyed = main.client.with({ 'Idempotency-Key': 'all-failed' });
    const ask = { ...french, text: ['Good evening', 'Good night'], channelId: DEEPL };
    await vendors.fail('deepl', { kind: 'block' });
    const before = (await vendors.calls('deepl')).length;
    expect(await translateMany(keyed, ask)).toMatchObject({
      items: [{ success: false }, { success: false }],
      charged: 0,
    });
    await vendors.mend('deepl');
    const { items, charged } = await translateMany(keyed, ask);
    expect(items).toMatchObject([{ success: true }, { success: true }]);
    expect(await translateMany(keyed, ask)).toEqual({ items, charged });
    expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - charged, usedCharTotal: 22 });
    expect((await vendors.calls('deepl')).length).toBeGreaterThan(before);
  });

  it('may have 50 texts with 5,000 code points in total, and counts as one request', async () => {
    const main = await memberWith(5_000);
    const text = Array.from({ length: 50 }, (_, n) => `头发${n % 10}`.padEnd(100, '很长'));
    const ask = { source: 'zh-Hans', target: 'zh-Hant', text };
    const { items, charged } = await translateMany(main.client, ask);
    expect(items.every(({ success, translated }) => success && translated?.startsWith('頭髮'))).toBe(true);
    expect(charged).toBe(5_000);
  });

  it('is free in time mode and counts as usage', async () => {
    const main = await memberWith(1_000, GOOGLE);
    await buyPackage(api, main, 7);
    const answer = await translateMany(main.client, { ...french, text: ['Hello', 'Thank you'], channelId: TENCENT });
    expect(answer).toMatchObject({
      charged: 0,
      items: [
        { success: true, charged: 0 },
        { success: true, charged: 0 },
      ],
    });
    expect((await accountOf(main)).usedCharTotal).toBe(14);
  });

  it('draws all its missing characters for a sub-account from the main account', async () => {
    const main = await memberWith(30_000);
    const sub = await makeSub(api, main, 3);
    await api.db.query('UPDATE member SET auto_distribution = true WHERE id = $1', [sub.session.userId]);
    const text = ['头发', '很长'];
    expect(await translateMany(sub.client, { source: 'zh-Hans', target: 'zh-Hant', text })).toMatchObject({
      charged: 4,
    });
    expect((await accountOf(sub)).usableCharNum).toBe(10_003 - 4);
    expect((await accountOf(main)).usableCharNum).toBe(30_000 - 3 - 10_000);
  });
});

it('uses the member’s current channel, even if every text would be refused on the previous one', async () => {
  const { client } = await memberWith(1_000);
  const swahili = { source: 'en', target: 'sw', text: ['Hello', 'Thank you'] };
  const refused = { items: [{ code: 'PAIR_NOT_SUPPORTED' }, { code: 'PAIR_NOT_SUPPORTED' }] };
  for (let round = 0; round < 3; round++) {
    expect(await translateMany(client, swahili)).toMatchObject(refused);
    await client.call(changeChannel, { targetChannelId: GOOGLE });
    expect(await translateMany(client, swahili)).toMatchObject({ items: [{ success: true }, { success: true }] });
    await client.call(changeChannel, { targetChannelId: OFFLINE });
  }
});
