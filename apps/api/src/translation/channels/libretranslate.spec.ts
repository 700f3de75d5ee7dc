import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accountAt, asked, failureOf, kindOf } from '../../../test/support/vendor-accounts.js';
import { lastBody, vendorServer, type VendorServer } from '../../../test/support/vendor-server.js';
import { vectors } from '../../../test/support/vectors.js';
import { libretranslate } from './libretranslate.js';

type ErrorSample = { http: number; body: unknown };
const samples = vectors<{
  libretranslate: {
    request: { url: string; body: Record<string, unknown> };
    response200: unknown;
    batch: { request: { q: string[]; target: string }; response200: unknown };
    errors: Record<'lang' | 'key' | 'rate', ErrorSample>;
  };
}>('mt-wire-samples').libretranslate;

const LANGUAGES = [
  { code: 'en', name: 'English', targets: ['en', 'zh-Hans', 'es', 'pt-BR'] },
  { code: 'zh-Hans', name: 'Chinese', targets: ['en'] },
  { code: 'es', name: 'Spanish', targets: ['en', 'es'] },
  { code: 'xx', name: 'Martian', targets: ['en'] },
  { code: 'pt-BR', name: 'Portuguese', targets: [] },
];

describe('LibreTranslate', () => {
  let server: VendorServer;
  const says = (json: unknown, status = 200, headers: Record<string, string> = {}) =>
    server.answers(({ url }) => (url === '/languages' ? { json: LANGUAGES } : { json, status, headers }));
  beforeEach(async () => {
    server = await vendorServer('libretranslate', libretranslate.client, { key: 'KEY' });
    says({ translatedText: '你好' });
  });
  afterEach(() => server.close());

  it('sends requests as documented, a single text as a string', async () => {
    says(samples.response200);
    const found = await server.client.translate(asked({ texts: ['Hello'], source: null }));
    expect(found).toEqual({ texts: ['你好'], detected: ['en'] });
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /languages', 'POST /translate']);
    expect(server.asked[1]?.headers).toMatchObject({ 'content-type': 'application/json', 'accept-language': 'en' });
    expect(lastBody(server)).toEqual(samples.request.body);
    await server.client.translate(asked({ texts: ['Hello'] }));
    expect(lastBody(server)).toMatchObject({ source: 'en', target: 'zh-Hans' });
  });

  it('sends several texts at once, and no key if none is configured', async () => {
    says(samples.batch.response200);
    const keyless = libretranslate.client(accountAt('libretranslate', { baseUrl: server.url, key: '' }));
    const { q, target } = samples.batch.request;
    const found = await keyless.translate(asked({ texts: q, source: null, target }));
    await keyless.close();
    expect(found).toEqual({ texts: ['Hola', 'Mundo'], detected: ['en', 'en'] });
    expect(lastBody(server)).toEqual({ ...samples.batch.request, format: 'text' });
  });

  it.each([
    ['unsupported', samples.errors.lang.http, samples.errors.lang.body],
    ['auth', samples.errors.key.http, samples.errors.key.body],
    ['rate', samples.errors.rate.http, samples.errors.rate.body],
    ['unsupported', 400, { error: 'Chinese (zh) is not available as a target language from Spanish (es)' }],
    ['too-long', 400, { error: 'Invalid request: request (6000) exceeds text limit (5000)' }],
    ['auth', 400, { error: 'Visit https://portal.example to get an API key' }],
    ['auth', 400, { error: 'Please contact the server operator to get an API key' }],
    ['bad-request', 400, { error: 'Invalid request: missing q parameter' }],
    ['auth', 403, { error: 'Too many request limits violations' }],
    ['transient', 500, { error: 'Cannot translate text: a member’s words' }],
    ['transient', 502, 'Bad Gateway'],
    ['bad-answer', 200, { translatedText: ['a'] }],
    ['bad-answer', 200, { translatedText: '' }],
    ['bad-answer', 200, {}],
  ])('fails as %s: %i %j', async (kind, status, body) => {
    says(body, status);
    const call = server.client.translate(asked({ texts: ['a member’s words'] }));
    expect(await kindOf(call, ['KEY', 'member', server.url])).toBe(kind);
  });

  it('fails as bad answer when the number of texts differs', async () => {
    for (const translatedText of [['a'], ['a', 'b', 'c'], 'a']) {
      says({ translatedText });
      const call = server.client.translate(asked({ texts: ['one', 'two'] }));
      expect(await kindOf(call, ['KEY', 'one'])).toBe('bad-answer');
    }
  });

  it('returns how long to wait', async () => {
    says(samples.errors.rate.body, 429, { 'retry-after': '60' });
    expect(await failureOf(server.client.translate(asked({ texts: ['a'] })))).toMatchObject({ retryAfterMs: 60_000 });
  });

  it('follows the languages of its server from the first response on', async () => {
    await server.client.translate(asked({ texts: ['a'] }));
    const { client } = server;
    expect([...client.languages().sources].sort()).toEqual(['en', 'es', 'zh-Hans']);
    expect([...client.languages().targets].sort()).toEqual(['en', 'es', 'pt-BR', 'zh-Hans']);
    expect(client.languages().auto).toBe(true);
    const pairs = ['en zh-Hans', 'es zh-Hans', 'es es', 'fr en'].map((pair) => pair.split(' ') as [string, string]);
    expect(pairs.map(([source, target]) => client.supports(source, target))).toEqual([true, false, false, false]);
    expect([client.supports(null, 'pt-BR'), client.supports(null, 'fr')]).toEqual([true, false]);
    const call = client.translate(asked({ texts: ['a'], source: 'es' }));
    expect((await failureOf(call)).kind).toBe('unsupported');
  });
});
