/** LibreTranslate, DeepLX and Immersive Translate, and what all doors have in common (docs/decisions/0072). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateApiKey } from '@yiqiao/contracts/api-keys';
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { ask, form, json, keyHolder } from './support/doors.js';
import { spawnApi } from './support/process.js';
import type { TestMember } from './support/test-members.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

const GOOGLE = 2;

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let secret: string;
let token: string;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'doors-others');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '1000' });
  ({ main, secret, token } = await keyHolder(api, { channelId: GOOGLE }));
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const left = async (): Promise<number> => (await main.client.call(getUser, {})).memberAccount.usableCharNum;
const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });

describe('LibreTranslate', () => {
  const at = (path: string): string => `${api.url}/libre${path}`;
  const HELLO = { q: 'Hello', source: 'en', target: 'fr' };
  const translate = (fields: object) => ask(at('/translate'), json({ ...HELLO, api_key: secret, ...fields }));

  it.each([
    ['a text', {}, { translatedText: 'Bonjour' }],
    ['texts', { q: ['Hello', 'Thank you'] }, { translatedText: ['Bonjour', 'Merci'] }],
    ['format', { format: 'text' }, { translatedText: 'Bonjour' }],
    ['alternatives', { alternatives: 3 }, { translatedText: 'Bonjour', alternatives: [] }],
    [
      'alternatives of texts',
      { q: ['Hello', 'Thank you'], alternatives: 1 },
      { translatedText: ['Bonjour', 'Merci'], alternatives: [[], []] },
    ],
    ['no alternatives', { alternatives: 0 }, { translatedText: 'Bonjour' }],
    ['texts of HTML', { q: ['<b>Hello</b>'], format: 'html' }, { translatedText: ['<b>Bonjour</b>'] }],
    ['apiKey', { api_key: undefined, apiKey: 'SECRET' }, { translatedText: 'Bonjour' }],
    ['an older name of a language', { q: 'Merci', source: 'fr', target: 'zt' }, { translatedText: '謝謝' }],
    ['auto', { source: 'auto' }, { translatedText: 'Bonjour', detectedLanguage: { confidence: 90, language: 'en' } }],
    [
      'texts and auto',
      { q: ['Hello', 'Danke'], source: 'auto' },
      {
        translatedText: ['Bonjour', 'Merci'],
        detectedLanguage: [
          { confidence: 90, language: 'en' },
          { confidence: 90, language: 'de' },
        ],
      },
    ],
  ])('takes %s', async (_, fields, expected) => {
    const sent = 'apiKey' in fields ? { ...fields, apiKey: secret } : fields;
    const { status, body } = await translate(sent);
    expect([status, body]).toEqual([200, expected]);
  });

  it('takes the form of a page, and says that it is there', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...HELLO, api_key: secret, format: 'text' })) body.append(name, value);
    body.append('file', new Blob(['x']), 'x.txt');
    expect((await ask(at('/translate'), { method: 'POST', body })).body).toEqual({ translatedText: 'Bonjour' });
    const broken = { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x\r\n' };
    expect(await ask(at('/translate'), broken)).toMatchObject({ status: 400, body: { error: 'Invalid JSON format' } });
    expect(await ask(at('/health'))).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('takes a form, and HTML', async () => {
    expect((await ask(at('/translate'), form({ ...HELLO, api_key: secret }))).body).toEqual({
      translatedText: 'Bonjour',
    });
    expect((await translate({ q: '<i id="1">Hello</i>', format: 'html' })).body).toEqual({
      translatedText: '<i id="1">Bonjour</i>',
    });
  });

  it.each([
    ['no text', { q: '' }, 400, 'Invalid request: missing q parameter'],
    ['no source', { source: undefined }, 400, 'Invalid request: missing source parameter'],
    ['no target', { target: undefined }, 400, 'Invalid request: missing target parameter'],
    ['an unknown language', { target: 'xx' }, 400, 'xx is not supported'],
    ['an unknown format', { format: 'md' }, 400, 'md format is not supported'],
    ['a pair without a channel', { target: 'sr-Latn' }, 400, 'This language pair is not supported'],
    ['a text that is too long', { q: 'a'.repeat(5_001) }, 400, 'Invalid request: request exceeds text limit (5000)'],
    ['no key', { api_key: undefined }, 400, 'Please contact the server operator to get an API key'],
    ['an unknown key', { api_key: 'yq_unknown' }, 403, 'Invalid API key'],
  ])('refuses %s', async (_, fields, status, error) => {
    const reply = await translate(fields);
    expect([reply.status, reply.body]).toEqual([status, { error }]);
  });

  it('without quota is 403, beyond its rate 429', async () => {
    const poor = await keyHolder(api, { chars: 4, channelId: GOOGLE });
    expect(await translate({ api_key: poor.secret })).toMatchObject({
      status: 403,
      body: { error: 'The balance is not enough.' },
    });
    const { secret: slow } = await makeKey(main, { requestsPerSecond: 1 });
    const sent = json({ q: 'Hello', api_key: slow });
    const all = await Promise.all(Array.from({ length: 6 }, () => ask(at('/detect'), sent)));
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({ error: expect.stringContaining('Slowdown') });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('detects, and lists languages and settings without a key', async () => {
    const detect = async (q: string) => (await ask(at('/detect'), json({ q, api_key: secret }))).body;
    expect(await detect('你好')).toEqual([{ confidence: 100, language: 'zh-Hans' }]);
    expect(await detect('12.50')).toEqual([{ confidence: 0, language: 'en' }]);
    expect(await ask(at('/detect'), json({ q: 'Hello' }))).toMatchObject({ status: 400 });
    const languages = (await ask(at('/languages'))).body as { code: string; name: string; targets: string[] }[];
    const english = languages.find(({ code }) => code === 'en');
    expect(english).toMatchObject({ name: 'English', targets: expect.arrayContaining(['fr', 'zh-Hans', 'nb']) });
    expect(english?.targets).not.toContain('en');
    expect((await ask(at('/frontend/settings'))).body).toMatchObject({
      apiKeys: true,
      keyRequired: true,
      charLimit: 5_000,
    });
  });
});

describe('DeepLX', () => {
  const at = (path = '/translate'): string => `${api.url}/deeplx${path}`;
  const HELLO = { text: 'Hello', source_lang: 'auto', target_lang: 'FR' };
  const BONJOUR = {
    code: 200,
    id: expect.any(Number),
    data: 'Bonjour',
    alternatives: [],
    source_lang: 'EN',
    target_lang: 'FR',
    method: 'Pro',
  };

  it('takes the key in a header, a token in the query or the path', async () => {
    for (const scheme of ['Bearer', 'DeepL-Auth-Key'])
      expect((await ask(at(), json(HELLO, { Authorization: `${scheme} ${secret}` }))).body).toEqual(BONJOUR);
    expect((await ask(at(`/translate?token=${token}`), json({ ...HELLO, source_lang: 'EN' }))).body).toEqual(BONJOUR);
    expect((await ask(at(`/${token}/translate`), json({ text: 'Hello', target_lang: 'fr' }))).body).toEqual(BONJOUR);
    // A key does not belong into an address, though it is valid.
    for (const path of [`/translate?token=${secret}`, `/${secret}/translate`])
      expect(await ask(at(path), json(HELLO))).toMatchObject({ status: 401, body: { code: 401 } });
  });

  it('keeps tags', async () => {
    const sent = json({ ...HELLO, text: '<b>Hello</b>', source_lang: 'EN', tag_handling: 'html' }, bearer(secret));
    expect((await ask(at(), sent)).body).toMatchObject({ data: '<b>Bonjour</b>' });
  });

  it.each([
    ['no text', { text: '' }, 404, 'No text to translate'],
    ['a text that is none', { text: 1 }, 400, 'Invalid request payload'],
    ['no target', { target_lang: '' }, 400, 'target_lang is required'],
    ['an unknown target', { target_lang: 'XX' }, 400, 'unsupported target_lang "XX"'],
    [
      'tags of another kind',
      { tag_handling: 'md' },
      400,
      "Invalid tag_handling value. Allowed values are 'html' and 'xml'.",
    ],
    ['a text that is too long', { text: 'a'.repeat(5_001) }, 413, 'Request Entity Too Large'],
  ])('refuses %s', async (_, fields, code, message) => {
    const reply = await ask(at(), json({ ...HELLO, ...fields }, bearer(secret)));
    expect([reply.status, reply.body]).toEqual([code, { code, message }]);
  });

  it('without a key is 401, without quota 456, elsewhere 404', async () => {
    expect((await ask(at(), json(HELLO))).body).toEqual({ code: 401, message: 'Invalid access token' });
    const poor = await keyHolder(api, { chars: 4, channelId: GOOGLE });
    const sent = json(HELLO, bearer(poor.secret));
    expect((await ask(at(), sent)).body).toEqual({ code: 456, message: 'Quota Exceeded: The balance is not enough.' });
    expect(await ask(at('/v1/translate/x'), sent)).toMatchObject({
      status: 404,
      body: { code: 404, message: 'Path not found' },
    });
  });
});

describe('Immersive Translate', () => {
  const at = (path = `/${token}`): string => `${api.url}/immersive${path}`;
  const PAGE = { source_lang: 'auto', target_lang: 'zh-CN', text_list: ['Thank you', '谢谢'] };

  it('translates the texts of a page by the token of its address', async () => {
    const { status, body } = await ask(at(), json(PAGE));
    expect([status, body]).toEqual([
      200,
      {
        translations: [
          { detected_source_lang: 'en', text: '谢谢' },
          { detected_source_lang: 'zh-CN', text: '谢谢' },
        ],
      },
    ]);
    expect((await ask(at(''), json(PAGE, bearer(secret)))).status).toBe(200);
    expect((await ask(at(), json({ ...PAGE, text_list: [] }))).body).toEqual({ translations: [] });
  });

  it('keeps the placeholders of the extension', async () => {
    const text_list = ['<b0></b0> Thank you <b1></b1>', '{0} Thank you {1}'];
    const { body } = await ask(at(), json({ ...PAGE, source_lang: 'en', text_list }));
    const { translations } = body as { translations: { text: string }[] };
    expect(translations[0]?.text).toMatch(/<b0><\/b0>.*<b1><\/b1>/);
    expect(translations[1]?.text).toMatch(/\{0\}.*\{1\}/);
  });

  it.each<[string, { path?: string; [field: string]: unknown }, number]>([
    ['an unknown token', { path: '/yqu_unknown' }, 401],
    ['a key in the address', { path: 'SECRET' }, 401],
    ['no token', { path: '' }, 401],
    ['no texts', { text_list: undefined }, 400],
    ['no target', { target_lang: undefined }, 400],
    ['an unknown target', { target_lang: 'xx' }, 400],
    ['a text that is too long', { text_list: ['a'.repeat(5_001)] }, 413],
  ])('refuses %s', async (_, { path, ...fields }, status) => {
    const address = path === 'SECRET' ? `/${secret}` : path;
    const reply = await ask(at(address), json({ ...PAGE, ...fields }));
    expect([reply.status, reply.body]).toEqual([status, { error: expect.any(String) }]);
  });

  it('may do nothing else by its token', async () => {
    for (const path of ['/deepl/v2/usage', '/deepl/v2/glossaries'])
      expect(await ask(`${api.url}${path}`, { headers: bearer(token) })).toMatchObject({ status: 403 });
  });
});

describe('every door', () => {
  const HOST = 'https://shop.example';
  /** A call of each that works with a key in the header. */
  const calls: readonly (readonly [name: keyof typeof DOOR_PATHS, path: string, body: object])[] = [
    ['deepl', '/v2/translate', { text: ['Hello'], target_lang: 'FR' }],
    ['google', '/language/translate/v2', { q: 'Hello', target: 'fr', format: 'text' }],
    ['libretranslate', '/translate', { q: 'Hello', source: 'en', target: 'fr' }],
    ['deeplx', '/translate', { text: 'Hello', target_lang: 'FR' }],
    ['immersive', '', { source_lang: 'en', target_lang: 'fr', text_list: ['Hello'] }],
  ];
  const url = (name: keyof typeof DOOR_PATHS, path: string): string => `${api.url}${DOOR_PATHS[name]}${path}`;

  it.each(calls)('%s may be called from any page and extension, without credentials', async (name, path, body) => {
    const preflight = await fetch(url(name, path), {
      method: 'OPTIONS',
      headers: {
        Origin: HOST,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    for (const key of [secret, 'yq_unknown']) {
      const { headers } = await ask(url(name, path), json(body, { ...bearer(key), Origin: HOST }));
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('alone: nothing else may be called from other pages', async () => {
    for (const path of ['/client-user/user/get', '/v1/languages', '/health', '/home']) {
      const { headers } = await ask(`${api.url}${path}`, { headers: { Origin: HOST } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each(calls)('%s answers for unknown paths itself, whatever the method', async (name) => {
    for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE']) {
      const reply = await ask(url(name, '/not/there/at/all'), { method });
      expect([method, reply.status]).toEqual([method, 404]);
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
      // Not the envelope of our own API.
      expect(reply.text).not.toContain('success');
      expect(reply.text === '').toBe(method === 'HEAD');
    }
  });

  it.each(calls)('%s takes a key only from the addresses that it allows', async (name, path, body) => {
    const { apiKey, secret: bound } = await makeKey(main, { allowedIps: ['192.0.2.1'] });
    const refused = await ask(url(name, path), json(body, bearer(bound)));
    expect(refused.status).toBe(403);
    await main.client.call(updateApiKey, { id: apiKey.id, name: 'x', scopes: ['text'], allowedIps: ['127.0.0.0/8'] });
    expect((await ask(url(name, path), json(body, bearer(bound)))).status).toBe(200);
  });

  it.each(calls)('%s charges every text once, and retries nothing', async (name, path, body) => {
    const before = await left();
    const { secret: fresh } = await makeKey(main);
    for (let times = 0; times < 3; times++)
      expect((await ask(url(name, path), json(body, bearer(fresh)))).status).toBe(200);
    expect(await left()).toBe(before - 5);
  });

  it('leaves no key or token in a log, whatever the address', async () => {
    const child = await spawnApi(api.env, { LOG_LEVEL: 'debug' });
    try {
      const part = (key: string): string => key.slice(-24);
      const hello = json({ q: 'Hello', text: 'Hello', target: 'fr', target_lang: 'FR', text_list: ['Hello'] });
      const addresses = [
        `/google/language/translate/v2?key=${secret}`,
        `/google/language/translate/v2/nothing?key=${secret}`,
        `/deeplx/translate?token=${token}`,
        `/deeplx/${token}/translate`,
        `/deeplx/${token}/nothing`,
        `/immersive/${token}`,
        `/immersive/${token}/more`,
        `/immersive/${token}/%zz`,
        `/Immersive/${token}`,
        `/nothing/${token}`,
        `/immersive/${secret}`,
      ];
      for (const address of addresses) await ask(`${child.url}${address}`, hello);
      await ask(`${child.url}/libre/translate`, json({ q: 'Hello', source: 'en', target: 'fr', api_key: secret }));
      await ask(`${child.url}/deepl/v2/translate`, json({ text: ['Hello'], target_lang: 'FR', auth_key: secret }));
      await ask(`${child.url}/deepl/v2/usage`, { headers: bearer(secret) });
      const log = await waitUntil(
        () => Promise.resolve(child.log()),
        (text) => text.includes('"path":"/deepl/v2/usage"'),
      );
      expect(log).toContain('"path":"/immersive/:token"');
      for (const key of [secret, token]) expect(log).not.toContain(part(key));
    } finally {
      await child.stop();
    }
  });
});
