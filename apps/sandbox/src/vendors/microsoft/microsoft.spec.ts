import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askMicrosoft, VendorSandbox, type Json } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;
const ACCOUNT = 'sandbox-microsoft-spec';

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const ask = (query: string, body: unknown, headers: Record<string, string> = {}) =>
  askMicrosoft(vendors, { account: ACCOUNT, query, body, headers });
const texts = (count: number, text = 'a') => Array.from({ length: count }, () => ({ Text: text }));
const codeOf = (json: Json | undefined) => (json?.['error'] as { code: number } | undefined)?.code;

describe('Microsoft', () => {
  it('translates every text into every target and returns what it metered', async () => {
    const heard = await ask('from=en&to=zh-Hans&to=ja', [{ Text: 'Hello' }, { text: 'Thank you 😀' }]);
    expect([heard.status, heard.json]).toEqual([
      200,
      [
        {
          translations: [
            { text: '您好', to: 'zh-Hans' },
            { text: 'こんにちは', to: 'ja' },
          ],
        },
        {
          translations: [
            { text: '谢谢你 😀', to: 'zh-Hans' },
            { text: 'ありがとう 😀', to: 'ja' },
          ],
        },
      ],
    ]);
    expect(heard.headers.get('x-metered-usage')).toBe('32');
    expect(heard.headers.get('x-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('detects the source if none is given', async () => {
    const { json } = await ask('to=en', [{ Text: 'Guten Tag' }]);
    expect(json).toEqual([
      { detectedLanguage: { language: 'de', score: 0.95 }, translations: [{ text: 'Hi', to: 'en' }] },
    ]);
  });

  it('returns HTML only on request', async () => {
    const body = [{ Text: '没关系' }];
    const [plain, html] = await Promise.all([ask('to=fr', body), ask('to=fr&textType=html', body)]);
    expect(plain.text).toContain("Ce n'est pas grave");
    expect(html.text).toContain('Ce n&#39;est pas grave');
  });

  it('identifies global resources by their own accounts', async () => {
    const key = { 'ocp-apim-subscription-key': 'sandbox-microsoft-global-1' };
    const path = '/vendors/microsoft/translate?api-version=3.0&to=fr';
    expect((await vendors.post(path, [{ Text: 'Hello' }], key)).status).toBe(200);
    const heard = await vendors.post(path, [{ Text: 'Hello' }], { ...key, 'ocp-apim-subscription-region': 'eastasia' });
    expect([heard.status, codeOf(heard.json)]).toEqual([401, 401000]);
  });

  it.each([
    ['a wrong key', { 'ocp-apim-subscription-key': 'abc' }, 401000],
    ['another region', { 'ocp-apim-subscription-region': 'westus' }, 401000],
    ['no region', { 'ocp-apim-subscription-region': '' }, 401000],
    ['another type', { 'content-type': 'text/plain' }, 415000],
  ])('refuses %s', async (_what, headers, code) => {
    const heard = await ask('to=fr', [{ Text: 'Hello' }], headers);
    expect([heard.status, codeOf(heard.json)]).toEqual([Math.floor(code / 1000), code]);
  });

  it.each([
    ['no target', 'from=en', texts(1), 400036],
    ['an unknown target', 'to=fr&to=xx', texts(1), 400036],
    ['an unknown source', 'from=xx&to=fr', texts(1), 400035],
    ['an object', 'to=fr', { Text: 'a' }, 400074],
    ['no element', 'to=fr', [], 400000],
    ['an element without text', 'to=fr', [{ Txt: 'a' }], 400000],
    ['1,001 elements', 'to=fr', texts(1001), 400072],
    ['50,001 characters', 'to=fr', texts(1, 'a'.repeat(50_001)), 400050],
    ['25,001 characters for two targets', 'to=fr&to=de', texts(1, 'a'.repeat(25_001)), 400077],
    ['another version', 'api-version=4.0&to=fr', texts(1), 400021],
  ])('refuses %s', async (_what, query, body, code) => {
    const heard = query.startsWith('api-version')
      ? await vendors.post(`/vendors/microsoft/translate?${query}`, body, {
          'ocp-apim-subscription-key': ACCOUNT,
          'ocp-apim-subscription-region': 'eastasia',
        })
      : await ask(query, body);
    expect([heard.status, codeOf(heard.json)]).toEqual([400, code]);
  });

  it('accepts a thousand elements', async () => {
    expect((await ask('to=fr', texts(1000))).json).toHaveLength(1000);
  });

  it('detects with a key, and lists its languages without one', async () => {
    const found = await vendors.post('/vendors/microsoft/detect?api-version=3.0', [{ Text: 'こんにちは' }], {
      'ocp-apim-subscription-key': ACCOUNT,
      'ocp-apim-subscription-region': 'eastasia',
    });
    expect(found.json).toMatchObject([{ language: 'ja', score: 1 }]);
    const { json } = await vendors.send('/vendors/microsoft/languages?api-version=3.0&scope=translation');
    const { translation } = json as { translation: Record<string, Json> };
    expect(Object.keys(translation)).toHaveLength(135);
    expect(translation['ar']).toEqual({ name: 'Arabic', nativeName: 'العربية', dir: 'rtl' });
  });
});
