/** Google Cloud Translation's API v2: fields, forms, and errors in Google's words (docs/decisions/0072). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { ask, type DoorReply, form, json, keyHolder } from './support/doors.js';
import type { TestMember } from './support/test-members.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const GOOGLE = 2;

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let secret: string;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'doors-google');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '1000' });
  ({ main, secret } = await keyHolder(api, { channelId: GOOGLE }));
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const at = (path = '', query: Record<string, string> | readonly [string, string][] = {}): string =>
  `${api.url}/google/language/translate/v2${path}?${new URLSearchParams(query as Record<string, string>).toString()}`;
const left = async (): Promise<number> => (await main.client.call(getUser, {})).memberAccount.usableCharNum;
const translate = (fields: object, key = secret): Promise<DoorReply> => ask(at('', { key }), json(fields));

const HELLO = { q: 'Hello', target: 'fr', format: 'text' };
const BONJOUR = { translatedText: 'Bonjour', detectedSourceLanguage: 'en' };

describe('translate', () => {
  it.each([
    ['a text', {}, [BONJOUR]],
    ['texts', { q: ['Hello', 'Thank you'] }, [BONJOUR, { ...BONJOUR, translatedText: 'Merci' }]],
    ['source', { source: 'en' }, [{ translatedText: 'Bonjour' }]],
    ['model', { source: 'en', model: 'nmt' }, [{ translatedText: 'Bonjour', model: 'nmt' }]],
    [
      'another name of a language',
      { target: 'zh-CN', q: 'Merci' },
      [{ translatedText: '谢谢', detectedSourceLanguage: 'fr' }],
    ],
    ['names that nobody knows', { cid: 1, prettyPrint: 'true' }, [BONJOUR]],
  ])('takes %s', async (_, fields, translations) => {
    const { status, body } = await translate({ ...HELLO, ...fields });
    expect([status, body]).toEqual([200, { data: { translations } }]);
  });

  it('takes the parameters in the query, in a form, or in both', async () => {
    const expected = { data: { translations: [BONJOUR] } };
    expect((await ask(at('', { ...HELLO, key: secret }))).body).toEqual(expected);
    expect((await ask(at('', { ...HELLO, key: secret }), { method: 'POST' })).body).toEqual(expected);
    expect((await ask(at(), form({ ...HELLO, key: secret }))).body).toEqual(expected);
    const repeated = form({ q: ['Hello', 'Thank you'], target: 'fr', format: 'text' });
    expect((await ask(at('', { key: secret }), repeated)).body).toMatchObject({
      data: { translations: [{ translatedText: 'Bonjour' }, { translatedText: 'Merci' }] },
    });
  });

  it('takes a long GET as a POST', async () => {
    // As Google documents it for more than 2,000 characters of an address.
    const override = { 'X-HTTP-Method-Override': 'GET' };
    const expected = { data: { translations: [BONJOUR] } };
    expect((await ask(at(), form({ ...HELLO, key: secret }, override))).body).toEqual(expected);
    expect((await ask(at('', { key: secret }), json(HELLO, override))).body).toEqual(expected);
    expect(await ask(at('/languages'), form({ key: secret }, override))).toMatchObject({ status: 200 });
    expect(await ask(at('/detect'), form({ key: secret, q: 'Hello' }, override))).toMatchObject({ status: 200 });
  });

  it('takes the key in a header as well', async () => {
    expect(await ask(at(), json(HELLO, { 'X-goog-api-key': secret }))).toMatchObject({ status: 200 });
    expect(await ask(at(), json(HELLO, { Authorization: `Bearer ${secret}` }))).toMatchObject({ status: 200 });
  });

  it('is HTML unless it says text', async () => {
    const { body } = await translate({ q: '<b class="x">Hello</b>', target: 'fr', source: 'en' });
    expect(body).toEqual({ data: { translations: [{ translatedText: '<b class="x">Bonjour</b>' }] } });
  });

  it('takes 128 texts', async () => {
    const q = Array.from({ length: 128 }, (_, nth) => `Order ${nth}`);
    const { body } = await translate({ ...HELLO, source: 'en', q });
    const { translations } = (body as { data: { translations: { translatedText: string }[] } }).data;
    expect(translations.map(({ translatedText }) => /\d+/.exec(translatedText)?.[0])).toEqual(
      q.map((_, nth) => String(nth)),
    );
    expect(await translate({ ...HELLO, q: [...q, 'more'] })).toMatchObject({
      status: 400,
      body: { error: { message: 'Too many text segments' } },
    });
  });

  const error = (code: number, message: string, reason: string, status: string, domain = 'global') => ({
    error: { code, message, errors: [{ message, domain, reason }], status },
  });

  it.each([
    ['no text', { q: undefined }, error(400, 'Required Text', 'required', 'INVALID_ARGUMENT')],
    ['no target', { target: undefined }, error(400, 'Missing required field: target', 'required', 'INVALID_ARGUMENT')],
    ['an unknown target', { target: 'xx' }, error(400, 'Invalid Value', 'invalid', 'INVALID_ARGUMENT')],
    ['an unknown format', { format: 'md' }, error(400, 'Invalid Value', 'invalid', 'INVALID_ARGUMENT')],
    [
      'a pair without a channel',
      { target: 'sr-Latn' },
      error(400, 'Bad language pair', 'badRequest', 'INVALID_ARGUMENT'),
    ],
    [
      'a text that is too long',
      { q: 'a'.repeat(5_001) },
      error(400, 'Text too long', 'badRequest', 'INVALID_ARGUMENT'),
    ],
    [
      'a body that is too large',
      { q: 'a'.repeat(204_800) },
      error(400, 'Request payload size exceeds the limit: 204800 bytes.', 'badRequest', 'INVALID_ARGUMENT'),
    ],
  ])('refuses %s', async (_, fields, body) => {
    const before = await left();
    const reply = await translate({ ...HELLO, ...fields });
    expect([reply.status, reply.body]).toEqual([body.error.code, body]);
    expect(await left()).toBe(before);
  });

  it('refuses JSON that is none, other methods and other paths', async () => {
    const bad = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };
    expect(await ask(at('', { key: secret }), bad)).toMatchObject({ status: 400, body: { error: { code: 400 } } });
    expect(await ask(at('', { key: secret }), { method: 'DELETE' })).toMatchObject({
      status: 405,
      body: { error: { code: 405 } },
    });
    for (const path of ['/more', '/../v3'])
      expect(await ask(at(path))).toMatchObject({ status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } });
  });
});

describe('a key', () => {
  it('that is missing, wrong or not allowed says so as Google does', async () => {
    expect(await ask(at(), json(HELLO))).toMatchObject({
      status: 403,
      body: { error: { code: 403, status: 'PERMISSION_DENIED', errors: [{ reason: 'forbidden', domain: 'global' }] } },
    });
    expect(await translate(HELLO, 'yq_unknown')).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
            },
          ],
        },
      },
    });
    const { secret: other } = await makeKey(main, { scopes: ['usage'] });
    expect(await translate(HELLO, other)).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED' } },
    });
  });

  it('without quota is 403 dailyLimitExceeded, beyond its rate 429 with Retry-After, while the channel fails 503', async () => {
    const poor = await keyHolder(api, { chars: 4, channelId: GOOGLE });
    expect(await translate(HELLO, poor.secret)).toMatchObject({
      status: 403,
      body: {
        error: { message: 'Daily Limit Exceeded', errors: [{ domain: 'usageLimits', reason: 'dailyLimitExceeded' }] },
      },
    });
    const { secret: slow } = await makeKey(main, { requestsPerSecond: 1 });
    const all = await Promise.all(Array.from({ length: 6 }, () => ask(at('/languages', { key: slow }))));
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      error: { status: 'RESOURCE_EXHAUSTED', errors: [{ reason: 'rateLimitExceeded' }] },
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    await vendors.fail('google', { kind: 'error' });
    const failed = await translate({ ...HELLO, q: 'Good evening' });
    await vendors.mend('google');
    expect(failed).toMatchObject({ status: 503, body: { error: { status: 'UNAVAILABLE' } } });
  });
});

it('detects languages', async () => {
  const { body } = await ask(at('/detect', { key: secret }), json({ q: ['你好', '12.50'] }));
  expect(body).toEqual({
    data: {
      detections: [
        [{ language: 'zh-CN', confidence: 1, isReliable: false }],
        [{ language: 'und', confidence: 0, isReliable: false }],
      ],
    },
  });
  expect((await ask(at('/detect', { key: secret, q: 'こんにちは' }))).body).toMatchObject({
    data: { detections: [[{ language: 'ja' }]] },
  });
});

it('lists languages, with names in a language if it is named', async () => {
  const bare = (await ask(at('/languages', { key: secret }))).body as { data: { languages: object[] } };
  expect(bare.data.languages).toContainEqual({ language: 'iw' });
  const named = (await ask(at('/languages', { key: secret, target: 'zh-CN' }))).body as typeof bare;
  expect(named.data.languages).toContainEqual({ language: 'zh-TW', name: '繁体中文' });
  expect(await ask(at('/languages', { key: secret, target: 'xx' }))).toMatchObject({ status: 400 });
});
