/** The translation memory of a family, which is free (docs/decisions/0020). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { changeFailover, changeTranslationCache, getUser } from '@yiqiao/contracts/user';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany, translateOne } from './support/translate.js';
import { entriesOf, linesOf, memoryMembers, usable } from './support/memory-members.js';
import { waitUntil } from './support/wait-until.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, DEEPL] = [1, 2, 6] as const;
const CODES: VendorCode[] = ['google', 'deepl'];

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'cache');
  api = await startApi(vendors.env);
  await setPrices(api);
});
afterEach(() => Promise.all(CODES.map((code) => vendors.mend(code))));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const { memberOn, remembering, subOf, keptOf } = memoryMembers(() => api);
const asked = async (code: VendorCode) => (await vendors.calls(code)).length;

const holdsOf = async ({ session }: TestMember) =>
  (await api.db.query('SELECT 1 FROM ledger_hold WHERE user_id = $1', [session.userId])).rowCount;

const french = { source: 'en', target: 'fr' };
const hello = { ...french, text: 'Hello' };
const hair = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };

describe('the setting', () => {
  it('is off by default, and belongs to each member', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main);
    const settings = () =>
      Promise.all([main, sub].map(async ({ client }) => (await client.call(getUser, {})).translationCache));
    expect(await settings()).toEqual([0, 0]);
    expect(await sub.client.call(changeTranslationCache, { translationCache: 1 })).toBe(true);
    expect(await settings()).toEqual([0, 1]);
    for (const wrong of [{}, { translationCache: 2 }, { translationCache: true }, { translationCache: '1' }])
      expect(await main.client.send(changeTranslationCache, wrong)).toMatchObject({ status: 422 });
    await main.client.call(changeTranslationCache, { translationCache: 1 });
    await sub.client.call(changeTranslationCache, { translationCache: 0 });
    expect(await settings()).toEqual([1, 0]);
  });

  it('stops storing and reading when off, and keeps what is there', async () => {
    const main = await memberOn(OFFLINE);
    await translateOne(main.client, hair);
    await main.client.call(changeTranslationCache, { translationCache: 0 });
    const answer = await translateOne(main.client, hair);
    expect(answer).toMatchObject({ charged: 4 });
    expect(answer).not.toHaveProperty('cached');
    await translateOne(main.client, { ...hair, text: '皇后' });
    expect(await keptOf(main)).toHaveLength(1);
    await remembering(main);
    expect(await translateOne(main.client, hair)).toMatchObject({ charged: 0, cached: true });
  });
});

describe('a remembered text', () => {
  it('is free: no call, no hold, no entry, only a log line', async () => {
    const main = await memberOn(GOOGLE);
    const first = await translateOne(main.client, hello);
    expect(first).toMatchObject({ charged: 5, warning: null });
    expect(first).not.toHaveProperty('cached');
    const before = await asked('google');
    const again = await translateOne(main.client, hello);
    expect(again).toEqual({ ...first, charged: 0, cached: true });
    expect(await asked('google')).toBe(before);
    expect(await usable(main)).toBe(995);
    expect(await holdsOf(main)).toBe(0);
    expect(await entriesOf(main)).toHaveLength(1);
    const line = { status: 'ok', wordCount: 5, tranChannelId: GOOGLE, sourceLangCode: 'en', targetLangCode: 'fr' };
    expect(await linesOf(main)).toMatchObject([
      { ...line, charged: 0, free: 'memory' },
      { ...line, charged: 5, free: null },
    ]);
    expect((await main.client.call(getUser, {})).memberAccount.usedCharTotal).toBe(5);
  });

  it('is available without any balance', async () => {
    const main = await memberOn(OFFLINE, 4);
    await translateOne(main.client, hair);
    expect(await usable(main)).toBe(0);
    expect(await translateOne(main.client, hair)).toMatchObject({ charged: 0, cached: true });
    expect(await main.client.send(translateText, { ...hair, text: '皇后' })).toMatchObject({
      status: 422,
      body: { code: 'QUOTA_NOT_ENOUGH' },
    });
  });

  it('never reaches another family, and is unreadable in the tables', async () => {
    const [one, other] = [await memberOn(GOOGLE), await memberOn(GOOGLE)];
    const text = 'A secret between the two of us';
    const { translated } = await translateOne(one.client, { ...french, text });
    const before = await asked('google');
    const answer = await translateOne(other.client, { ...french, text });
    expect(answer).toMatchObject({ charged: text.length });
    expect(answer).not.toHaveProperty('cached');
    expect(await asked('google')).toBe(before + 1);
    const [mine, theirs] = [await keptOf(one), await keptOf(other)];
    expect(mine[0]?.key.equals(theirs[0]?.key ?? Buffer.alloc(0))).toBe(false);
    const { rows } = await api.db.query<{ row: string }>('SELECT c::text AS row FROM cached_translation c');
    for (const { row } of rows) for (const words of [text, translated]) expect(row).not.toContain(words);
    // A row that was moved or changed is not a valid answer.
    const replace = 'UPDATE cached_translation SET sealed = $1 WHERE family_id = $2';
    for (const sealed of [mine[0]?.sealed, 'not sealed at all']) {
      await api.db.query(replace, [sealed, other.session.userId]);
      expect(await translateOne(other.client, { ...french, text })).toMatchObject({ charged: text.length, translated });
    }
    expect(await translateOne(other.client, { ...french, text })).toMatchObject({ charged: 0, cached: true });
  });

  it('is shared in the family by those who turned the memory on', async () => {
    const main = await memberOn(OFFLINE);
    const [on, off] = [await subOf(main), await makeSub(api, main, 100)];
    await translateOne(main.client, hair);
    expect(await translateOne(on.client, hair)).toMatchObject({ charged: 0, cached: true });
    expect(await translateOne(off.client, hair)).toMatchObject({ charged: 4 });
    const words = { ...hair, text: '皇后' };
    await translateOne(on.client, words);
    expect(await translateOne(main.client, words)).toMatchObject({ charged: 0, cached: true });
    expect([await usable(on), await usable(off)]).toEqual([98, 96]);
  });

  it.each([
    ['another text', { text: 'Hello ' }],
    ['another target', { target: 'de' }],
    ['another source', { source: 'de' }],
    ['another channel', { channelId: DEEPL }],
  ])('is not used for %s', async (_, other) => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    const answer = await translateOne(main.client, { ...hello, ...other });
    expect(answer.charged).toBeGreaterThan(0);
    expect(answer).not.toHaveProperty('cached');
    expect(await translateOne(main.client, { ...hello, ...other })).toMatchObject({ charged: 0, cached: true });
  });

  it('is not used after the family’s terms change', async () => {
    const main = await memberOn(GOOGLE);
    const change = `INSERT INTO glossary (family_id) VALUES ($1)
      ON CONFLICT (family_id) DO UPDATE SET version = glossary.version + 1`;
    for (const charged of [5, 5, 5]) {
      // Cached for half a second, like all data that every request needs.
      await waitUntil(
        () => translateOne(main.client, hello),
        (answer) => !answer.cached && answer.charged === charged,
      );
      expect(await translateOne(main.client, hello)).toMatchObject({ charged: 0, cached: true });
      await api.db.query(change, [main.session.userId]);
    }
    expect(await keptOf(main)).toHaveLength(3);
  });

  it('is the same whether its language was given or detected', async () => {
    const { client } = await memberOn(OFFLINE);
    const text = '头发很长，发现皇后在后面。';
    await translateOne(client, { source: 'zh-CN', target: 'zh-TW', text });
    expect(await translateOne(client, { source: 'auto', target: 'zh-Hant', text })).toMatchObject({
      charged: 0,
      cached: true,
      source: 'zh-Hans',
      target: 'zh-Hant',
    });
  });

  it('belongs to the member’s current channel', async () => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    await translateOne(main.client, hello);
    await main.client.call(changeChannel, { targetChannelId: DEEPL });
    const answer = await translateOne(main.client, hello);
    expect(answer).toMatchObject({ channelId: DEEPL, charged: 5 });
    expect(answer).not.toHaveProperty('cached');
    await main.client.call(changeChannel, { targetChannelId: GOOGLE });
    expect(await translateOne(main.client, hello)).toMatchObject({ channelId: GOOGLE, cached: true });
  });

  it('is stored only for a good result of the requested channel', async () => {
    const main = await memberOn(GOOGLE);
    await vendors.fail('google', { kind: 'lose' });
    const { warning } = await translateOne(main.client, { ...french, text: 'Dear {name}, see https://example.com' });
    expect(warning).toContain('未能原样保留');
    await vendors.mend('google');
    await translateOne(main.client, { source: 'zh-Hans', target: 'en', text: '头发很长', channelId: OFFLINE });
    await main.client.call(changeChannel, { targetChannelId: DEEPL });
    await main.client.call(changeFailover, { channelFailover: 1 });
    await vendors.fail('deepl', { kind: 'block' });
    expect(await translateOne(main.client, hello)).toMatchObject({ channelId: GOOGLE });
    expect(await keptOf(main)).toEqual([]);
  });

  it('counts against the limits like any other', async () => {
    const few = await startApi({ LIMIT_TRANSLATION_PER_SECOND: '5' });
    try {
      const { client } = await makeMain(few);
      await client.call(changeTranslationCache, { translationCache: 1 });
      await translateOne(client, hair);
      const replies = await Promise.all(Array.from({ length: 24 }, () => client.send(translateText, hair)));
      const [passed, late] = [200, 429].map((wanted) => replies.filter(({ status }) => status === wanted));
      expect([passed?.length, late?.length].every((count) => Number(count) > 0)).toBe(true);
      expect(Number(passed?.length) + Number(late?.length)).toBe(24);
      for (const reply of passed ?? []) expect(reply.body).toMatchObject({ data: { cached: true } });
    } finally {
      await few.stop();
    }
  });
});

describe('a batch', () => {
  it('holds and charges only what is not remembered', async () => {
    const main = await memberOn(GOOGLE, 12);
    await translateMany(main.client, { ...french, text: ['Hello'] });
    const before = await asked('google');
    const text = ['Hello', 'Goodbye', 'Hello', '12.50'];
    const { items, charged } = await translateMany(main.client, { source: 'auto', target: 'fr', text });
    expect(items).toMatchObject([
      { success: true, charged: 0, cached: true, code: null, msg: null },
      { success: true, charged: 7, code: null },
      { success: true, charged: 0, cached: true },
      { success: false, charged: 0, code: 'LANGUAGE_NOT_DETECTED' },
    ]);
    expect(items[1]).not.toHaveProperty('cached');
    expect(charged).toBe(7);
    expect(await usable(main)).toBe(0);
    expect((await vendors.calls('google')).slice(0, (await asked('google')) - before)).toMatchObject([
      { sent: ['Goodbye'] },
    ]);
    expect(await linesOf(main)).toMatchObject([
      { charged: 0, wordCount: 10 },
      { charged: 7, wordCount: 7 },
      { charged: 5, wordCount: 5 },
    ]);
    expect(await entriesOf(main)).toMatchObject([{ charChangeNum: -7 }, { charChangeNum: -5 }]);
    expect(await translateMany(main.client, { ...french, text: ['Hello', 'Goodbye'] })).toMatchObject({ charged: 0 });
  });

  it('shares the memory with single texts, and returns remembered texts when a channel fails', async () => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    await vendors.fail('google', { kind: 'block' });
    const { items, charged } = await translateMany(main.client, { ...french, text: ['Hello', 'Goodbye'] });
    expect(items).toMatchObject([
      { success: true, cached: true, charged: 0 },
      { success: false, charged: 0 },
    ]);
    expect(charged).toBe(0);
    expect(await usable(main)).toBe(995);
    expect(await linesOf(main)).toMatchObject([
      { status: 'ok', charged: 0, wordCount: 5 },
      { status: 'failed', charged: 0, wordCount: 7 },
      { status: 'ok', charged: 5 },
    ]);
  });
});

describe('“translate again”', () => {
  it('calls the channel, is charged, and replaces the remembered text', async () => {
    const main = await memberOn(GOOGLE);
    await translateOne(main.client, hello);
    const [old] = await keptOf(main);
    const before = await asked('google');
    const answer = await translateOne(main.client, { ...hello, fresh: true });
    expect(answer).toMatchObject({ charged: 5 });
    expect(answer).not.toHaveProperty('cached');
    expect(await asked('google')).toBe(before + 1);
    const [now, ...others] = await keptOf(main);
    expect(others).toEqual([]);
    expect(now?.sealed).not.toBe(old?.sealed);
    expect(await translateOne(main.client, { ...hello, fresh: false })).toMatchObject({ charged: 0, cached: true });
    expect(await translateMany(main.client, { ...french, text: ['Hello'], fresh: true })).toMatchObject({ charged: 5 });
    expect(await main.client.send(translateText, { ...hello, fresh: 1 })).toMatchObject({ status: 422 });
  });
});
