import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import {
  listChannels,
  listLanguages,
  listTranslationLogs,
  listTranslationPairs,
  translateText,
} from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import { translateMany, translateOne } from './support/translate.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const hair = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长，发现皇后在后面。' };
const HAIR_COST = [...hair.text].length;

const count = <T>(list: T[], test: (item: T) => boolean): number => list.filter(test).length;

describe('a translation', () => {
  it('is real, charged by code points, and explained by the ledger and the log', async () => {
    const { client } = await makeMain(api);
    const answer = await client.call(translateText, hair);
    expect(answer).toMatchObject({
      translated: '頭髮很長，發現皇后在後面。',
      source: 'zh-Hans',
      target: 'zh-Hant',
      charged: HAIR_COST,
      quality: 'translation',
      warning: null,
    });
    const user = await client.call(getUser, {});
    expect(user.memberAccount).toMatchObject({ usableCharNum: 5000 - HAIR_COST, usedCharTotal: HAIR_COST });
    const entries = await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' });
    expect(entries.total).toBe(1);
    expect(entries.rows[0]).toMatchObject({
      charChangeNum: -HAIR_COST,
      beforeCharNum: 5000,
      lastCharNum: 5000 - HAIR_COST,
      consumeTranChannelId: 1,
      consumerIp: '127.0.0.1',
    });
    const lines = await client.call(listTranslationLogs, {});
    expect(lines.rows[0]).toMatchObject({
      kind: 'text',
      status: 'ok',
      charged: HAIR_COST,
      free: null,
      wordCount: HAIR_COST,
      clientType: 'web',
    });
  });

  it('keeps the text as sent: spaces and emoji count', async () => {
    const { client } = await makeMain(api);
    const text = '  头发 👨‍👩‍👧‍👦\n\n e\u0301 ';
    const answer = await translateOne(client, { ...hair, text });
    expect(answer.charged).toBe([...text].length);
    expect(answer.translated).toBe('  頭髮 👨‍👩‍👧‍👦\n\n e\u0301 ');
  });

  it('glosses free of charge, and says so', async () => {
    const { client } = await makeMain(api);
    const answer = await translateOne(client, { source: 'zh-Hans', target: 'en', text: '头发很长。' });
    expect(answer).toMatchObject({ charged: 0, quality: 'gloss' });
    expect(answer.translated).toBe('The hair is very long.');
    expect(answer.warning).toContain('逐词释义');
    expect((await client.call(listAccountLogs, {})).total).toBe(1);
    expect((await client.call(listTranslationLogs, {})).rows[0]).toMatchObject({
      kind: 'text',
      status: 'ok',
      charged: 0,
      free: 'gloss',
    });
  });

  it.each([
    ['zh-Hans', 'en', '你好，这个产品多少钱？', 'Hello, how much is this item?'],
    ['zh-Hant', 'en', '這件連衣裙有紅色的嗎？', 'Does this dress come in red?'],
    ['en', 'zh-Hans', 'Thank you!', '谢谢！'],
    ['en', 'zh-Hant', 'Is this dress still in stock?', '這款連衣裙還有貨嗎？'],
  ])('charges a sentence of the phrasebook as a translation: %s to %s %s', async (source, target, text, translated) => {
    const { client } = await makeMain(api);
    const answer = await translateOne(client, { source, target, text });
    expect(answer).toEqual({
      translated,
      source,
      target,
      channelId: 1,
      charged: [...text].length,
      quality: 'translation',
      warning: null,
    });
  });

  it('glosses English into Chinese free of charge', async () => {
    const { client } = await makeMain(api);
    const answer = await translateOne(client, { source: 'en', target: 'zh-Hans', text: 'My hair is long.' });
    expect(answer).toMatchObject({ charged: 0, quality: 'gloss', translated: expect.stringContaining('长') });
  });

  it.each([' ', '\u00a0\u3000', '\u200b\u200d\ufeff', '\n\t\r\n', '\u00ad\u3164', '\u0301\u0302', '\u{e0041}'])(
    'rejects a text without visible characters (%j), free of charge',
    async (text) => {
      const { client } = await makeMain(api);
      const answer = await client.send(translateText, { ...hair, text });
      expect(answer).toMatchObject({ status: 422, body: { code: 'TEXT_EMPTY' } });
      expect((await client.call(listTranslationLogs, {})).total).toBe(0);
      expect((await client.call(listAccountLogs, {})).total).toBe(1);
    },
  );

  it('returns blank texts of a batch unchanged, free of charge', async () => {
    const { client } = await makeMain(api);
    const blank = { success: true, charged: 0, code: null, msg: null, source: 'zh-Hans' };
    const answer = await client.call(translateText, { ...hair, text: [' \u00a0', hair.text, '\u200b'] });
    expect(answer).toEqual({
      items: [
        { ...blank, translated: ' \u00a0' },
        { ...blank, translated: expect.any(String), charged: HAIR_COST },
        { ...blank, translated: '\u200b' },
      ],
      charged: HAIR_COST,
    });
    const nothing = await client.call(translateText, { ...hair, text: [' ', '\n'] });
    expect(nothing).toMatchObject({ items: [{ translated: ' ' }, { translated: '\n' }], charged: 0 });
    expect((await client.call(listTranslationLogs, {})).total).toBe(1);
  });

  it('detects the language', async () => {
    const { client } = await makeMain(api);
    const answer = await translateOne(client, { ...hair, source: 'auto' });
    expect(answer).toMatchObject({ source: 'zh-Hans', translated: '頭髮很長，發現皇后在後面。' });
    const same = await client.send(translateText, { source: 'auto', target: 'zh-Hans', text: '头发很长，发现皇后' });
    expect(same).toMatchObject({ status: 422, body: { code: 'SAME_LANGUAGE' } });
  });

  it.each([
    ['an unknown language', { ...hair, target: 'xx' }, 422, 'VALIDATION_FAILED'],
    ['the same language twice', { ...hair, target: 'zh-Hans' }, 422, 'SAME_LANGUAGE'],
    ['a pair without an engine', { ...hair, target: 'ja' }, 422, 'PAIR_NOT_SUPPORTED'],
    ['an unavailable channel', { ...hair, channelId: 6 }, 422, 'CHANNEL_UNAVAILABLE'],
    ['an unknown channel', { ...hair, channelId: 99 }, 404, 'NOT_FOUND'],
    ['no text', { ...hair, text: '' }, 422, 'VALIDATION_FAILED'],
    ['a lone surrogate', { ...hair, text: 'a\ud800b' }, 422, 'VALIDATION_FAILED'],
    ['5,001 code points', { ...hair, text: '头'.repeat(5001) }, 422, 'VALIDATION_FAILED'],
    ['a field nobody knows', { ...hair, price: 0 }, 422, 'UNKNOWN_FIELD'],
    [
      'a text of signs in no told language',
      { ...hair, source: 'auto', text: ' 12.50 😀…' },
      422,
      'LANGUAGE_NOT_DETECTED',
    ],
  ])('rejects %s before anything is held', async (_, input, status, code) => {
    const { client, session } = await makeMain(api);
    expect(await client.send(translateText, input)).toMatchObject({ status, body: { success: false, code } });
    const { rows } = await api.db.query('SELECT * FROM ledger_hold WHERE user_id = $1', [session.userId]);
    expect(rows).toEqual([]);
    expect((await client.call(getUser, {})).memberAccount.usableCharNum).toBe(5000);
  });

  it.each([
    ['zh-Hans', 'zh-Hant', 'Hello my friend, how are you today?'],
    ['zh-Hant', 'zh-Hans', 'Привет мой друг'],
    ['zh-Hans', 'zh-Hant', 'こんにちは世界'],
    ['zh-Hans', 'zh-Hant', 'see https://例子.com/中文 for the details'],
  ])('is free when the text is not translated: %s → %s %s', async (source, target, text) => {
    const { client } = await makeMain(api);
    expect(await client.with({ 'Accept-Language': 'en' }).send(translateText, { source, target, text })).toMatchObject({
      status: 502,
      body: { code: 'NOT_TRANSLATED', msg: expect.stringMatching(/not charged.*source language.*another channel/) },
    });
    const { items, charged } = await translateMany(client, { source, target, text: [text, '头发很长'] });
    expect(items).toMatchObject([{ success: false, charged: 0, code: 'NOT_TRANSLATED' }, { success: true }]);
    expect(charged).toBe(4);
    expect((await client.call(getUser, {})).memberAccount.usableCharNum).toBe(5000 - 4);
    const lines = (await client.call(listTranslationLogs, {})).rows;
    expect(lines.map(({ status }) => status).sort()).toEqual(['failed', 'failed', 'ok']);
  });

  it.each([
    '你好',
    'iPhone 15 Pro',
    'SKU-12',
    'OK',
    '12.50',
    '😀',
    '请回复 thank you very much',
    '「ありがとう」是谢谢的意思',
  ])('may equal the text, and is charged: %j', async (text) => {
    const { client } = await makeMain(api);
    const answer = await translateOne(client, { source: 'zh-Hant', target: 'zh-Hans', text });
    expect(answer).toMatchObject({ translated: text, charged: [...text].length, warning: null });
  });

  it('accepts 5,000 code points of four bytes each', async () => {
    const { client } = await makeMain(api);
    expect(await client.call(translateText, { ...hair, text: '𠮷'.repeat(5000) })).toMatchObject({ charged: 5000 });
  });
});

describe('sixty requests against a balance for twenty', () => {
  it('gets twenty results, forty clear refusals, a balance of 0 and a clean audit', async () => {
    const { client, session } = await makeMain(api);
    await setChars(api, session.userId, 20 * HAIR_COST);
    const replies = await Promise.all(Array.from({ length: 60 }, () => client.send(translateText, hair)));
    expect(count(replies, (r) => r.status === 200)).toBe(20);
    expect(count(replies, (r) => r.status === 422 && !r.body.success && r.body.code === 'QUOTA_NOT_ENOUGH')).toBe(40);
    expect((await client.call(getUser, {})).memberAccount.usableCharNum).toBe(0);
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  });
});

describe('the idempotency key', () => {
  it('charges once for fifty simultaneous requests, and again later', async () => {
    const { client } = await makeMain(api);
    const keyed = client.with({ 'Idempotency-Key': 'one-key' });
    const replies = await Promise.all(Array.from({ length: 50 }, () => keyed.send(translateText, hair)));
    expect(new Set(replies.map((r) => JSON.stringify([r.status, r.body])))).toHaveProperty('size', 1);
    expect(replies[0]).toMatchObject({ status: 200, body: { data: { charged: HAIR_COST } } });
    expect((await keyed.call(translateText, hair)).charged).toBe(HAIR_COST);
    expect((await client.call(getUser, {})).memberAccount.usableCharNum).toBe(5000 - HAIR_COST);
  });

  it('rejects another body, is private to its member, and is released by refusals', async () => {
    const { client } = await makeMain(api);
    const keyed = client.with({ 'Idempotency-Key': 'k1' });
    expect(await keyed.send(translateText, { ...hair, target: 'ja' })).toMatchObject({ status: 422 });
    expect((await keyed.call(translateText, hair)).charged).toBe(HAIR_COST);
    expect(await keyed.send(translateText, { ...hair, text: '别的' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const other = await makeMain(api);
    expect((await other.client.with({ 'Idempotency-Key': 'k1' }).call(translateText, hair)).charged).toBe(HAIR_COST);
  });

  it('stores no text without a key, and none unencrypted', async () => {
    const { client, session } = await makeMain(api);
    await client.call(translateText, hair);
    await client.with({ 'Idempotency-Key': 'sealed' }).call(translateText, hair);
    const { rows } = await api.db.query<{ sealed_answer: string }>(
      'SELECT sealed_answer FROM idempotency_key WHERE user_id = $1',
      [session.userId],
    );
    expect(rows).toHaveLength(1);
    expect(Buffer.from(rows[0]?.sealed_answer ?? '', 'base64url').toString()).not.toContain('頭髮');
  });

  it('must be well formed', async () => {
    const { client } = await makeMain(api);
    expect(await client.with({ 'Idempotency-Key': 'no spaces' }).send(translateText, hair)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_FORMAT' }] },
    });
  });
});

describe('an expired package', () => {
  it('freezes the remaining balance', async () => {
    const { client, session } = await makeMain(api);
    await api.db.query("UPDATE member_account SET expire_at = now() - interval '1 second' WHERE user_id = $1", [
      session.userId,
    ]);
    expect(await client.send(translateText, hair)).toMatchObject({ status: 422, body: { code: 'PACKAGE_EXPIRED' } });
    // The line above bypassed the ledger, as an operator in psql would: the audit detects it.
    expect((await auditLedger(api.db, {})).difference).toMatchObject({ userId: session.userId });
    await api.db.query(
      `UPDATE member_account a SET expire_at = l.last_expire_at FROM account_log l
       WHERE l.user_id = a.user_id AND l.seq = a.entry_seq AND a.user_id = $1`,
      [session.userId],
    );
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  });
});

it('names the trial group in the language of the request', async () => {
  const { client } = await makeMain(api);
  const nameIn = async (language: string) =>
    (await client.with({ 'Accept-Language': language }).call(listAccountLogs, {})).rows[0]?.rechargeMemberGroupName;
  expect([await nameIn('zh-CN,zh'), await nameIn('en-US,en')]).toEqual(['免费试用', 'Free trial']);
});

describe('a sub-account', () => {
  it('is charged from its own balance and sees only its own log', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main, HAIR_COST + 3);
    expect((await sub.client.call(translateText, hair)).charged).toBe(HAIR_COST);
    expect(await sub.client.send(translateText, hair)).toMatchObject({
      status: 422,
      body: { code: 'QUOTA_NOT_ENOUGH' },
    });
    expect((await main.client.call(listTranslationLogs, {})).total).toBe(0);
    expect((await sub.client.call(listTranslationLogs, {})).total).toBe(1);
    expect((await main.client.call(getUser, {})).memberAccount.usableCharNum).toBe(5000 - HAIR_COST - 3);
  });
});

describe('supported translations', () => {
  it('include 215 languages, with auto first among the sources', async () => {
    const { sourceList, targetList } = await new TestClient(api.url).call(listLanguages, {});
    expect(sourceList).toHaveLength(216);
    expect(sourceList[0]).toMatchObject({ id: 0, langCode: 'auto' });
    expect(targetList).toHaveLength(215);
    expect(targetList.find((l) => l.langCode === 'zh-Hant')?.channels).toContain(1);
    expect(targetList.find((l) => l.langCode === 'ja')?.channels).not.toContain(1);
  });

  it('list unavailable channels with a reason in the requested language', async () => {
    const visitor = new TestClient(api.url, null, { 'Accept-Language': 'en-US,en' });
    const channels = await visitor.call(listChannels, {});
    expect(channels.map((c) => [c.id, c.available])).toEqual([
      [1, true],
      ...[2, 3, 4, 5, 6, 7, 8].map((id) => [id, false]),
    ]);
    expect(channels.find((c) => c.id === 6)?.reason).toMatch(/API key/);
    expect((await new TestClient(api.url).call(listChannels, {}))[5]?.reason).toMatch(/密钥/);
  });

  it('list the pairs that currently work', async () => {
    const pairs = await new TestClient(api.url).call(listTranslationPairs, {});
    expect(pairs).toContainEqual({ source: 'zh-Hans', target: 'zh-Hant', quality: 'translation', channelId: 1 });
    expect(pairs).toContainEqual({ source: 'zh-Hans', target: 'en', quality: 'varies', channelId: 1 });
  });
});

describe('the translation log', () => {
  it('pages, filters, and shows only the member’s own lines', async () => {
    const { client } = await makeMain(api);
    for (let i = 0; i < 13; i++) await client.call(translateText, hair);
    const first = await client.call(listTranslationLogs, {});
    expect([first.total, first.rows.length]).toEqual([13, 10]);
    const second = await client.call(listTranslationLogs, { pageNum: '2' });
    expect(second.rows).toHaveLength(3);
    expect(await client.call(listTranslationLogs, { pageNum: '9' })).toEqual({ rows: [], total: 13 });
    expect((await client.call(listTranslationLogs, { loginIp: '127.0.0.1', pageSize: '5' })).rows).toHaveLength(5);
    expect((await client.call(listTranslationLogs, { loginIp: '203.0.113.99' })).total).toBe(0);
    expect((await client.call(listTranslationLogs, { clientType: 'ios' })).total).toBe(0);
    expect((await client.call(listTranslationLogs, { createDateTimeEnd: '2020-01-01 00:00:00' })).total).toBe(0);
  });
});
