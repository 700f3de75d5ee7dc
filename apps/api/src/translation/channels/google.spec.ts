import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asked, failureOf, kindOf } from '../../../test/support/vendor-accounts.js';
import { lastBody, vendorServer, type VendorServer } from '../../../test/support/vendor-server.js';
import { vectors } from '../../../test/support/vectors.js';
import { google } from './google.js';

type ErrorSample = { http: number; body: unknown };
const samples = vectors<{
  google_v2: {
    request: { url: string; body: { q: string[] } };
    response200: unknown;
    responseAutoDetect: unknown;
    errors: Record<'badKey' | 'unsupported' | 'rate' | 'daily', ErrorSample>;
  };
}>('mt-wire-samples').google_v2;

const answer = (...texts: string[]) => ({
  data: { translations: texts.map((translatedText) => ({ translatedText })) },
});
const error = (code: number, given: { message?: string; status?: string; reason?: string; detail?: string }) => ({
  error: {
    code,
    message: given.message ?? '',
    status: given.status,
    errors: given.reason === undefined ? undefined : [{ message: '', domain: 'global', reason: given.reason }],
    details: given.detail === undefined ? undefined : [{ '@type': 'x' }, { reason: given.detail }],
  },
});

describe('Google', () => {
  let server: VendorServer;
  beforeEach(async () => {
    server = await vendorServer('google', google.client);
  });
  afterEach(() => server.close());

  it('sends requests as documented, with the key in a header', async () => {
    server.says(samples.response200);
    const texts = samples.request.body.q;
    expect(await server.client.translate(asked({ texts }))).toEqual({
      texts: ['你好', '世界'],
      detected: [null, null],
    });
    const [{ method, url, headers } = { method: '', url: '', headers: {} }] = server.asked;
    expect([method, url]).toEqual(['POST', new URL(samples.request.url).pathname]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-goog-api-key': 'a-secret-key' });
    expect(lastBody(server)).toEqual(samples.request.body);
  });

  it('detects the source by its old code or its new one', async () => {
    server.says(samples.responseAutoDetect);
    const found = await server.client.translate(asked({ texts: ['Hello'], source: null }));
    expect(found).toEqual({ texts: ['你好'], detected: ['en'] });
    expect(lastBody(server)).toEqual({ q: ['Hello'], target: 'zh-CN', format: 'text' });
    for (const [code, langCode] of [
      ['iw', 'he'],
      ['he', 'he'],
      ['jw', 'jv'],
      ['jv', 'jv'],
      ['zh-CN', 'zh-Hans'],
      ['zh-TW', 'zh-Hant'],
      ['xx', null],
    ]) {
      server.says({ data: { translations: [{ translatedText: '好', detectedSourceLanguage: code }] } });
      const { detected } = await server.client.translate(asked({ texts: ['a'], source: null }));
      expect(detected).toEqual([langCode]);
    }
  });

  it('uses its own language codes', async () => {
    server.says(answer('a'));
    for (const [source, target, sent] of [
      ['zh-Hans', 'he', { source: 'zh-CN', target: 'iw' }],
      ['zh-Hant', 'jv', { source: 'zh-TW', target: 'jw' }],
      ['pt-BR', 'no', { source: 'pt', target: 'no' }],
    ] as const) {
      await server.client.translate(asked({ texts: ['a'], source, target }));
      expect(lastBody(server)).toMatchObject(sent);
    }
    expect(server.client.supports('sr-Latn', 'en')).toBe(false);
    expect(server.client.supports('en', 'en-GB')).toBe(false);
    expect(server.client.supports(null, 'zh-Hant')).toBe(true);
    expect((await failureOf(server.client.translate(asked({ texts: ['a'], target: 'sr-Latn' })))).kind).toBe(
      'unsupported',
    );
    expect(server.asked).toHaveLength(3);
    const { sources, targets, auto } = server.client.languages();
    expect([sources.has('he'), targets.has('jv'), targets.has('wo'), auto]).toEqual([true, true, false, true]);
  });

  it.each([
    ['auth', samples.errors.badKey.http, samples.errors.badKey.body],
    ['unsupported', samples.errors.unsupported.http, samples.errors.unsupported.body],
    ['rate', samples.errors.rate.http, samples.errors.rate.body],
    ['quota', samples.errors.daily.http, samples.errors.daily.body],
    ['auth', 400, error(400, { message: 'API key not valid. Please pass a valid API key.' })],
    ['auth', 400, error(400, { message: 'API key expired. Please renew the API key.', detail: 'API_KEY_INVALID' })],
    ['unsupported', 400, error(400, { message: 'Bad language pair: en|xx' })],
    ['too-long', 400, error(400, { message: 'Text is too long.', status: 'INVALID_ARGUMENT' })],
    ['too-long', 400, error(400, { message: 'Request payload size exceeds the limit: 204800 bytes.' })],
    ['too-long', 400, error(400, { message: 'Too many text segments', reason: 'invalid' })],
    ['bad-request', 400, error(400, { message: 'Required Text', reason: 'required' })],
    ['auth', 401, error(401, { status: 'UNAUTHENTICATED' })],
    ['quota', 403, error(403, { reason: 'dailyLimitExceeded' })],
    ['quota', 403, error(403, { message: 'Daily Limit Exceeded' })],
    ['quota', 403, error(403, { reason: 'quotaExceeded' })],
    ['rate', 403, error(403, { reason: 'rateLimitExceeded' })],
    ['rate', 403, error(403, { reason: 'userRateLimitExceeded' })],
    ['rate', 403, error(403, { message: 'User Rate Limit Exceeded' })],
    ['auth', 403, error(403, { detail: 'SERVICE_DISABLED', reason: 'accessNotConfigured' })],
    ['auth', 403, error(403, { detail: 'BILLING_DISABLED', reason: 'forbidden' })],
    ['auth', 403, error(403, { detail: 'API_KEY_SERVICE_BLOCKED' })],
    [
      'auth',
      403,
      error(403, { message: 'Daily Limit for Unauthenticated Use Exceeded', reason: 'dailyLimitExceededUnreg' }),
    ],
    ['auth', 403, 'Forbidden'],
    ['too-long', 413, {}],
    ['rate', 429, error(429, { status: 'RESOURCE_EXHAUSTED', detail: 'RATE_LIMIT_EXCEEDED' })],
    [
      'quota',
      429,
      error(429, { message: 'Quota exceeded for quota metric … and limit … per day', status: 'RESOURCE_EXHAUSTED' }),
    ],
    ['transient', 500, error(500, { reason: 'backendError' })],
    ['transient', 502, {}],
    ['transient', 503, error(503, { status: 'UNAVAILABLE' })],
    ['transient', 504, {}],
    ['bad-request', 404, {}],
    ['bad-answer', 200, { data: {} }],
    ['bad-answer', 200, answer('a', 'b')],
    ['bad-answer', 200, answer('')],
  ])('fails as %s: %i %j', async (kind, status, body) => {
    server.says(body, status);
    const call = server.client.translate(asked({ texts: ['a member’s words'] }));
    expect(await kindOf(call, ['a-secret-key', 'member', server.url])).toBe(kind);
  });

  it('returns the reason and how long to wait', async () => {
    server.says(samples.errors.rate.body, 403, { 'retry-after': '9' });
    expect(await failureOf(server.client.translate(asked({ texts: ['a'] })))).toMatchObject({
      message: 'HTTP 403, userRateLimitExceeded',
      retryAfterMs: 9_000,
    });
  });

  it('sends no body over 100 KB', async () => {
    const { charsPerRequest, textsPerRequest } = server.client.limits;
    server.says(answer(...Array.from({ length: textsPerRequest }, () => '好')));
    // The longest JSON escape of a character.
    const worst = '\u0001'.repeat(Math.floor(charsPerRequest / textsPerRequest));
    await server.client.translate(asked({ texts: Array.from({ length: textsPerRequest }, () => worst) }));
    expect(Buffer.byteLength(server.asked[0]?.body ?? '')).toBeLessThan(100_000);
  });
});
