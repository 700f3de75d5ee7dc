import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { VendorSandbox, type Json } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const PATH = '/vendors/google/language/translate/v2';
const KEY = { 'x-goog-api-key': 'sandbox-google-spec' };

const ask = (body: unknown, headers: Record<string, string> = KEY, path = PATH) => vendors.post(path, body, headers);
const said = (json: Json | undefined) =>
  (json?.['data'] as { translations: { translatedText: string; detectedSourceLanguage?: string }[] }).translations;
const reason = (json: Json | undefined) => (json?.['error'] as { errors: { reason: string }[] }).errors[0]?.reason;

describe('Google', () => {
  it('translates several texts in order, and returns no source if one was given', async () => {
    const { status, json } = await ask({ q: ['Hello', 'Thank you'], source: 'en', target: 'zh-CN', format: 'text' });
    expect([status, json]).toEqual([
      200,
      { data: { translations: [{ translatedText: '你好' }, { translatedText: '谢谢' }] } },
    ]);
  });

  it('detects the source of each text in its own codes', async () => {
    const { json } = await ask({ q: ['多少錢', '你好吗', 'שלום לך'], target: 'en', format: 'text' });
    expect(said(json).map((one) => one.detectedSourceLanguage)).toEqual(['zh-TW', 'zh-CN', 'iw']);
  });

  it('accepts the key in the address too', async () => {
    const { status } = await ask({ q: 'Hello', target: 'fr' }, {}, `${PATH}?key=sandbox-google-spec`);
    expect(status).toBe(200);
  });

  it('returns HTML unless text is requested', async () => {
    const wanted = { q: 'Don\'t <b>pay</b> "now" &amp; wait', source: 'en' };
    const [html, text] = await Promise.all([
      ask({ ...wanted, target: 'fr' }),
      ask({ ...wanted, target: 'fr', format: 'text' }),
    ]);
    expect(said(html.json)[0]?.translatedText).toBe(
      '[sandbox] Don&#39;t <b>pay</b> &quot;now&quot; &amp; wait [sandbox]',
    );
    expect(said(text.json)[0]?.translatedText).toBe('[sandbox] Don\'t <b>pay</b> "now" &amp; wait [sandbox]');
    const apostrophe = await ask({ q: '没关系', source: 'zh-CN', target: 'fr' });
    expect(said(apostrophe.json)[0]?.translatedText).toBe('Ce n&#39;est pas grave');
  });

  it.each([
    ['no key', {}, 403, 'forbidden'],
    ['a wrong key', { 'x-goog-api-key': 'AIza' }, 400, 'badRequest'],
    ['the key of another vendor', { 'x-goog-api-key': 'sandbox-deepl-1' }, 400, 'badRequest'],
  ])('refuses %s', async (_what, headers, status, word) => {
    const heard = await ask({ q: 'Hello', target: 'fr' }, headers);
    expect([heard.status, reason(heard.json)]).toEqual([status, word]);
  });

  it.each([
    ['no text', { target: 'fr' }, 400, 'required'],
    ['a text that is none', { q: [1], target: 'fr' }, 400, 'required'],
    ['no target', { q: 'Hello' }, 400, 'invalid'],
    ['an unknown target', { q: 'Hello', target: 'xx' }, 400, 'invalid'],
    ['an unknown source', { q: 'Hello', source: 'en-XX', target: 'fr' }, 400, 'invalid'],
    ['another format', { q: 'Hello', target: 'fr', format: 'plain' }, 400, 'invalid'],
    ['a language into itself', { q: 'Hello', source: 'he', target: 'iw' }, 400, 'badRequest'],
    ['129 texts', { q: Array.from({ length: 129 }, () => 'a'), target: 'fr' }, 400, 'invalid'],
    ['too long a text', { q: 'a'.repeat(30_001), target: 'fr' }, 400, 'invalid'],
    ['too large a body', { q: 'a'.repeat(102_400), target: 'fr' }, 413, 'uploadTooLarge'],
  ])('refuses %s', async (_what, body, status, word) => {
    const heard = await ask(body);
    expect([heard.status, reason(heard.json)]).toEqual([status, word]);
  });

  it('accepts 128 texts and the newer language codes', async () => {
    expect(said((await ask({ q: Array.from({ length: 128 }, () => 'a'), target: 'he' })).json)).toHaveLength(128);
  });

  it('rejects invalid JSON', async () => {
    const heard = await vendors.send(PATH, { method: 'POST', headers: KEY, body: '{"q":' });
    expect([heard.status, reason(heard.json)]).toEqual([400, 'parseError']);
  });

  it('detects languages, and lists them with names on request', async () => {
    const { json } = await ask({ q: ['Guten Tag', 'こんにちは'] }, KEY, `${PATH}/detect`);
    expect(json).toMatchObject({ data: { detections: [[{ language: 'de' }], [{ language: 'ja' }]] } });
    const plain = await vendors.send(`${PATH}/languages`, { headers: KEY });
    const codes = (plain.json as { data: { languages: Json[] } }).data.languages;
    expect(codes).toHaveLength(192);
    expect(codes).toContainEqual({ language: 'zh-TW' });
    const named = await vendors.send(`${PATH}/languages?target=zh-CN`, { headers: KEY });
    expect((named.json as { data: { languages: Json[] } }).data.languages).toContainEqual({
      language: 'ja',
      name: '日语',
    });
    expect((await vendors.send(`${PATH}/languages`)).status).toBe(403);
  });
});
