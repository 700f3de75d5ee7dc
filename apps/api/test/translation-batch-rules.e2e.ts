/** Validation of a batch, and its idempotency key (decisions §1, §7). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { countOpenHolds, makeMain, makeMainWith, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateMany } from './support/translate.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const GOOGLE = 2;

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'batch-rules');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '30' });
  await setPrices(api);
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const memberWith = (chars: number, channelId?: number) => makeMainWith(api, chars, channelId);
const accountOf = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount;
const openHolds = (member: TestMember) => countOpenHolds(api, member);

const french = { source: 'en', target: 'fr' };

describe('batch validation', () => {
  const many = (n: number): string[] => Array.from({ length: n }, () => '头');
  it.each([
    ['no text at all', [], [['text', 'TEXT_REQUIRED']]],
    ['51 texts', many(51), [['text', 'TEXTS_MAX']]],
    ['60,000 empty ones', Array.from({ length: 60_000 }, () => ''), [['text', 'TEXTS_MAX']]],
    [
      'an empty one among them',
      ['头', '', '发', ''],
      [
        ['text.1', 'TEXT_REQUIRED'],
        ['text.3', 'TEXT_REQUIRED'],
      ],
    ],
    ['a number', ['头', 5], [['text.1', 'WRONG_TYPE']]],
    ['nothing', ['头', null], [['text.1', 'WRONG_TYPE']]],
    ['a list', [['头']], [['text.0', 'WRONG_TYPE']]],
    ['half a character', ['头', 'a\ud800'], [['text.1', 'UNSAFE_TEXT']]],
    ['5,001 code points together', ['头'.repeat(2_500), '𠮷'.repeat(2_501)], [['text', 'TEXT_MAX']]],
    [
      '5,001 in one',
      ['头', '头'.repeat(5_001)],
      [
        ['text.1', 'TEXT_MAX'],
        ['text', 'TEXT_MAX'],
      ],
    ],
  ])('rejects %s', async (_, text, expected) => {
    const main = await makeMain(api);
    const { status, body } = await main.client.send(translateText, { source: 'zh-Hans', target: 'zh-Hant', text });
    if (body.success) throw new Error('it was taken');
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(body.errors?.map((error) => [error.path, error.code])).toEqual(expected);
    expect(await openHolds(main)).toBe(0);
  });

  it.each([
    ['none', undefined, 'TEXT_REQUIRED'],
    ['an empty one', '', 'TEXT_REQUIRED'],
    ['null', null, 'WRONG_TYPE'],
    ['a number', 5, 'WRONG_TYPE'],
    ['what looks like a list', { 0: '头', length: 1 }, 'WRONG_TYPE'],
    ['half a character', 'a\ud800', 'UNSAFE_TEXT'],
    ['5,001 code points', '头'.repeat(5_001), 'TEXT_MAX'],
  ])('reports the same errors for a single text: %s', async (_, text, code) => {
    const { client } = await makeMain(api);
    expect(await client.send(translateText, { source: 'zh-Hans', target: 'zh-Hant', text })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'text', code }] },
    });
  });
});

describe('the idempotency key of a batch', () => {
  it('charges once for twenty simultaneous requests, and again later', async () => {
    const main = await memberWith(1_000, GOOGLE);
    const keyed = main.client.with({ 'Idempotency-Key': 'batch' });
    const ask = { ...french, text: ['Hello', 'Thank you'] };
    const replies = await Promise.all(Array.from({ length: 20 }, () => keyed.send(translateText, ask)));
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await translateMany(keyed, ask)).toMatchObject({ charged: 14 });
    expect((await accountOf(main)).usableCharNum).toBe(986);
    expect(await keyed.send(translateText, { ...ask, text: 'Hello' })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});
