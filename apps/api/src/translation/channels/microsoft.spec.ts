import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accountAt, asked, failureOf, kindOf } from '../../../test/support/vendor-accounts.js';
import { lastBody, vendorServer, type VendorServer } from '../../../test/support/vendor-server.js';
import { vectors } from '../../../test/support/vectors.js';
import { microsoft } from './microsoft.js';

type ErrorSample = { http: number; body: unknown };
const samples = vectors<{
  microsoft_v3: {
    request: { url: string; headers: Record<string, string>; body: { Text: string }[] };
    response200: { headers: Record<string, string>; body: unknown };
    errors: Record<'auth' | 'quota' | 'rate' | 'lang', ErrorSample>;
  };
}>('mt-wire-samples').microsoft_v3;

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const error = (code: number) => ({ error: { code, message: 'words' } });
const answer = (...texts: string[]) => texts.map((text) => ({ translations: [{ text, to: 'zh-Hans' }] }));
const query = (url = '') => Object.fromEntries(new URL(url, 'http://x').searchParams);

describe('Microsoft', () => {
  let server: VendorServer;
  beforeEach(async () => {
    server = await vendorServer('microsoft', microsoft.client, { key: 'KEY', region: 'eastasia' });
  });
  afterEach(() => server.close());

  it('sends requests as documented', async () => {
    server.says(samples.response200.body, 200, samples.response200.headers);
    expect(await server.client.translate(asked({ texts: ['Hello'] }))).toEqual({ texts: ['你好'], detected: [null] });
    const [{ method, url, headers } = { method: '', url: '', headers: {} as Record<string, string> }] = server.asked;
    const { pathname, searchParams } = new URL(samples.request.url);
    expect([method, new URL(url, server.url).pathname]).toEqual(['POST', pathname]);
    expect(query(url)).toEqual({ ...Object.fromEntries(searchParams), textType: 'plain' });
    const { 'X-ClientTraceId': _, ...exact } = samples.request.headers;
    for (const [name, value] of Object.entries(exact)) expect(headers[name.toLowerCase()]).toBe(value);
    expect(headers['x-clienttraceid']).toMatch(UUID);
    expect(lastBody(server)).toEqual(samples.request.body);
  });

  it('sends a new trace id each time, and no region for a global resource', async () => {
    server.says(answer('好'));
    const global = microsoft.client(accountAt('microsoft', { baseUrl: `${server.url}/translator/text/v3.0` }));
    await global.translate(asked({ texts: ['a'] }));
    await global.translate(asked({ texts: ['a'] }));
    await global.close();
    const [first, second] = server.asked.map(({ headers }) => headers['x-clienttraceid']);
    expect(first).not.toBe(second);
    expect(server.asked[0]?.headers).not.toHaveProperty('ocp-apim-subscription-region');
    expect(server.asked[0]?.url).toMatch(/^\/translator\/text\/v3\.0\/translate\?api-version=3\.0&/);
  });

  it('detects the source of each text', async () => {
    const found = (language: string) => ({
      detectedLanguage: { language, score: 1 },
      translations: [{ text: '好', to: 'x' }],
    });
    server.says([found('en'), found('zh-Hant'), found('ku'), found('nb'), found('xx')]);
    const texts = ['1', '2', '3', '4', '5'];
    const { detected } = await server.client.translate(asked({ texts, source: null }));
    expect(detected).toEqual(['en', 'zh-Hant', 'ckb', 'no', null]);
    expect(query(server.asked[0]?.url)).not.toHaveProperty('from');
  });

  it('uses its own codes, in which ku means another language', async () => {
    server.says(answer('a'));
    for (const [source, target, from, to] of [
      ['zh-Hans', 'zh-Hant', 'zh-Hans', 'zh-Hant'],
      ['kmr', 'ckb', 'kmr', 'ku'],
      ['no', 'sr-Latn', 'nb', 'sr-Latn'],
      ['pt-BR', 'pt-PT', 'pt', 'pt-pt'],
      ['lg', 'mn', 'lug', 'mn-Cyrl'],
    ] as const) {
      await server.client.translate(asked({ texts: ['a'], source, target }));
      expect(query(server.asked.at(-1)?.url)).toMatchObject({ from, to });
    }
    expect(server.client.supports('jv', 'en')).toBe(false);
    expect((await failureOf(server.client.translate(asked({ texts: ['a'], target: 'jv' })))).kind).toBe('unsupported');
    expect(server.client.languages().auto).toBe(true);
  });

  it.each([
    ['auth', samples.errors.auth.http, samples.errors.auth.body],
    ['quota', samples.errors.quota.http, samples.errors.quota.body],
    ['rate', samples.errors.rate.http, samples.errors.rate.body],
    ['unsupported', samples.errors.lang.http, samples.errors.lang.body],
    ['auth', 401, error(401015)],
    ['auth', 403, error(403000)],
    ['auth', 403, {}],
    ['rate', 429, error(429000)],
    ['rate', 429, error(429002)],
    ['unsupported', 400, error(400019)],
    ['unsupported', 400, error(400023)],
    ['unsupported', 400, error(400035)],
    ['too-long', 400, error(400050)],
    ['too-long', 400, error(400077)],
    ['too-long', 400, error(400072)],
    ['bad-request', 400, error(400074)],
    ['bad-request', 405, error(405000)],
    ['bad-request', 415, error(415000)],
    ['transient', 408, error(408001)],
    ['transient', 408, error(408002)],
    ['transient', 500, error(500000)],
    ['transient', 503, error(503000)],
    ['transient', 502, 'Bad Gateway'],
    ['bad-answer', 200, {}],
    ['bad-answer', 200, [{ translations: [] }]],
    ['bad-answer', 200, answer('a', 'b')],
    ['bad-answer', 200, answer(' ')],
  ])('fails as %s: %i %j', async (kind, status, body) => {
    server.says(body, status);
    const call = server.client.translate(asked({ texts: ['a member’s words'] }));
    expect(await kindOf(call, ['KEY', 'member', server.url])).toBe(kind);
  });

  it('returns the code and how long to wait', async () => {
    server.says(samples.errors.rate.body, 429, { 'retry-after': '30' });
    expect(await failureOf(server.client.translate(asked({ texts: ['a'] })))).toMatchObject({
      message: 'HTTP 429, 429001',
      retryAfterMs: 30_000,
    });
  });

  it('respects its limits', () => {
    expect(server.client.limits).toMatchObject({ textsPerRequest: 1_000, requestMs: 10_000 });
    expect(server.client.limits.charsPerRequest * 2).toBeLessThanOrEqual(50_000);
  });
});
