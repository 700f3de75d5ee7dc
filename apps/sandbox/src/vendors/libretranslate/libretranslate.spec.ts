import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { VendorSandbox } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;
const BASE = '/vendors/libretranslate';
const KEY = 'sandbox-libretranslate-spec';

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const ask = (over: object) =>
  vendors.post(`${BASE}/translate`, { q: 'Hello', source: 'en', target: 'zh-Hans', api_key: KEY, ...over });

describe('LibreTranslate', () => {
  it('returns a text for a text and a list for a list', async () => {
    expect((await ask({})).json).toEqual({ translatedText: '你好' });
    expect((await ask({ q: ['Hello', 'Thank you'] })).json).toEqual({ translatedText: ['你好', '谢谢'] });
    expect((await ask({ q: ['Hello'] })).json).toEqual({ translatedText: ['你好'] });
  });

  it('returns the detected language', async () => {
    expect((await ask({ q: 'Guten Tag', source: 'auto', target: 'en' })).json).toEqual({
      translatedText: 'Hello',
      detectedLanguage: { confidence: 95, language: 'de' },
    });
    expect((await ask({ q: ['多少錢', 'Hello'], source: 'auto', target: 'ja' })).json).toMatchObject({
      detectedLanguage: [{ language: 'zh-Hant' }, { language: 'en' }],
    });
  });

  it('accepts a form and the older codes', async () => {
    const body = new URLSearchParams({ q: '多少錢', source: 'zt', target: 'pb', api_key: KEY });
    expect((await vendors.send(`${BASE}/translate`, { method: 'POST', body })).json).toEqual({
      translatedText: 'Quanto custa',
    });
  });

  it('returns HTML on request', async () => {
    const heard = await ask({ q: '没关系', source: 'zh-Hans', target: 'fr', format: 'html' });
    expect(heard.json).toEqual({ translatedText: 'Ce n&#39;est pas grave' });
  });

  it.each([
    ['no key', { api_key: undefined }, 400, /API key/],
    ['a wrong key', { api_key: 'abc' }, 403, /^Invalid API key$/],
    ['no text', { q: undefined }, 400, /missing q/],
    ['no source', { source: undefined }, 400, /missing source/],
    ['an unknown source', { source: 'xx' }, 400, /^xx is not supported$/],
    ['an unknown target', { target: 'auto' }, 400, /^auto is not supported$/],
    ['another format', { format: 'md' }, 400, /^md format is not supported$/],
    ['5,001 characters', { q: 'a'.repeat(5001) }, 400, /request \(5001\) exceeds text limit \(5000\)/],
    ['51 texts', { q: Array.from({ length: 51 }, () => 'a') }, 400, /exceeds batch limit/],
  ])('refuses %s', async (_what, over, status, error) => {
    const heard = await ask(over);
    expect([heard.status, heard.json]).toEqual([status, { error: expect.stringMatching(error) }]);
  });

  it('detects with a key', async () => {
    const { json } = await vendors.post(`${BASE}/detect`, { q: 'こんにちは', api_key: KEY });
    expect(json).toEqual([{ confidence: 100, language: 'ja' }]);
  });

  it('serves its languages and health without a key', async () => {
    const { json } = await vendors.send(`${BASE}/languages`);
    const rows = json as unknown as { code: string; name: string; targets: string[] }[];
    expect(rows).toContainEqual(expect.objectContaining({ code: 'ja', name: 'Japanese' }));
    expect(rows[0]?.targets).toEqual(rows.map(({ code }) => code));
    expect((await vendors.send(`${BASE}/health`)).json).toEqual({ status: 'ok' });
    expect((await vendors.send(`${BASE}/frontend/settings`)).json).toMatchObject({ charLimit: 5000, apiKeys: true });
  });
});
