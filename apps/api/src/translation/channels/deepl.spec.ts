import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asked, failureOf, kindOf } from '../../../test/support/vendor-accounts.js';
import { lastBody, vendorServer, type VendorServer } from '../../../test/support/vendor-server.js';
import { vectors } from '../../../test/support/vectors.js';
import { deepl, deeplHost } from './deepl.js';

type ErrorSample = { http: number; body: unknown };
const samples = vectors<{
  deepl: {
    request: { url: string; headers: Record<string, string>; body: Record<string, unknown> };
    response200: unknown;
    errors: Record<'auth' | 'quota' | 'rate' | 'lang', ErrorSample>;
  };
}>('mt-wire-samples').deepl;

const answer = (...texts: string[]) => ({
  translations: texts.map((text) => ({ text, detected_source_language: 'EN' })),
});

describe('DeepL', () => {
  let server: VendorServer;
  beforeEach(async () => {
    server = await vendorServer('deepl', deepl.client, { key: 'KEY:fx' });
  });
  afterEach(() => server.close());

  it('sends requests as documented', async () => {
    server.says(samples.response200);
    expect(await server.client.translate(asked({ texts: ['Hello'] }))).toEqual({ texts: ['你好'], detected: [null] });
    const [{ method, url, headers } = { method: '', url: '', headers: {} }] = server.asked;
    expect([method, url]).toEqual(['POST', new URL(samples.request.url).pathname]);
    expect(headers).toMatchObject(samples.request.headers);
    // The billed characters are not used.
    const { show_billed_characters: _, ...body } = samples.request.body;
    expect(lastBody(server)).toEqual(body);
  });

  it('asks for a formality where the target has one', async () => {
    server.says(answer('a'));
    const sent = async (target: string, register: 'formal' | 'informal') => {
      await server.client.translate({ ...asked({ texts: ['a'], source: 'en', target }), register });
      return (lastBody(server) as { formality?: string }).formality;
    };
    expect([await sent('de', 'formal'), await sent('pt-BR', 'informal')]).toEqual(['prefer_more', 'prefer_less']);
    expect(await sent('ko', 'formal')).toBeUndefined();
    expect(['de', 'pt-BR', 'ko', 'en'].map((each) => server.client.hasRegisters?.(each))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('uses the host of the key’s plan', () => {
    expect(deeplHost('279a2e9d-83b3-c416-7e2d-f721593e42a0:fx')).toBe('https://api-free.deepl.com');
    expect(deeplHost('279a2e9d-83b3-c416-7e2d-f721593e42a0')).toBe('https://api.deepl.com');
    expect(new URL(samples.request.url).origin).toBe(deeplHost('KEY:fx'));
  });

  it('detects the source and parses its upper-case code', async () => {
    const found = (code: string) => ({ text: '好', detected_source_language: code });
    server.says({ translations: [found('EN'), found('ZH'), found('NB'), found('PT'), found('XX'), { text: '好' }] });
    const { detected } = await server.client.translate(asked({ texts: [...'123456'], source: null }));
    expect(detected).toEqual(['en', 'zh-Hans', 'no', 'pt-BR', null, null]);
    expect(lastBody(server)).toEqual({ text: [...'123456'], target_lang: 'ZH-HANS' });
  });

  it('sends the base language as source and the variant as target', async () => {
    server.says(answer('a'));
    for (const [source, target, from, to] of [
      ['zh-Hant', 'en', 'ZH', 'EN-US'],
      ['en-GB', 'zh-Hant', 'EN', 'ZH-HANT'],
      ['es-419', 'pt-PT', 'ES', 'PT-PT'],
      ['pt-BR', 'en-GB', 'PT', 'EN-GB'],
      ['no', 'es-419', 'NB', 'ES-419'],
      ['fil', 'sr-Cyrl', 'TL', 'SR'],
    ] as const) {
      await server.client.translate(asked({ texts: ['a'], source, target }));
      expect(lastBody(server)).toMatchObject({ source_lang: from, target_lang: to });
    }
  });

  it('refuses pairs of variants of one language and unknown languages', async () => {
    const { client } = server;
    for (const [source, target] of [
      ['zh-Hans', 'zh-Hant'],
      ['en', 'en-GB'],
      ['pt-BR', 'pt-PT'],
      ['sr-Latn', 'en'],
      ['en', 'mww'],
    ] as const) {
      expect(client.supports(source, target)).toBe(false);
      expect((await failureOf(client.translate(asked({ texts: ['a'], source, target })))).kind).toBe('unsupported');
    }
    expect(server.asked).toHaveLength(0);
    expect([client.supports('zh-Hans', 'yue'), client.supports(null, 'zh-Hant')]).toEqual([true, true]);
    expect(client.languages().auto).toBe(true);
  });

  it.each([
    ['auth', samples.errors.auth.http, samples.errors.auth.body],
    ['quota', samples.errors.quota.http, samples.errors.quota.body],
    ['rate', samples.errors.rate.http, samples.errors.rate.body],
    ['unsupported', samples.errors.lang.http, samples.errors.lang.body],
    ['unsupported', 400, { message: "Value for 'source_lang' not supported." }],
    ['bad-request', 400, { message: "Parameter 'text' not specified." }],
    ['bad-request', 404, { message: 'Not found' }],
    ['too-long', 413, {}],
    ['too-long', 414, {}],
    ['rate', 529, { message: 'Too many requests' }],
    ['transient', 500, {}],
    ['transient', 503, { message: 'Resource unavailable' }],
    ['transient', 504, 'Gateway'],
    ['bad-answer', 200, { message: 'nothing' }],
    ['bad-answer', 200, answer('a', 'b')],
    ['bad-answer', 200, answer('')],
  ])('fails as %s: %i %j', async (kind, status, body) => {
    server.says(body, status);
    const call = server.client.translate(asked({ texts: ['a member’s words'] }));
    expect(await kindOf(call, ['KEY', 'member', server.url])).toBe(kind);
  });

  it('returns how long to wait', async () => {
    server.says(samples.errors.rate.body, 429, { 'retry-after': '2' });
    expect(await failureOf(server.client.translate(asked({ texts: ['a'] })))).toMatchObject({ retryAfterMs: 2_000 });
  });

  it('sends no body over 128 KiB', async () => {
    const { charsPerRequest, textsPerRequest } = server.client.limits;
    server.says(answer(...Array.from({ length: textsPerRequest }, () => '好')));
    const worst = '\u0001'.repeat(charsPerRequest / textsPerRequest);
    await server.client.translate(asked({ texts: Array.from({ length: textsPerRequest }, () => worst) }));
    expect(Buffer.byteLength(server.asked[0]?.body ?? '')).toBeLessThan(128 * 1024);
  });
});
