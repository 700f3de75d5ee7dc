import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { VendorSandbox } from '../../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const key = (account = 'sandbox-deepl-spec') => ({ authorization: `DeepL-Auth-Key ${account}` });
const ask = (body: unknown, headers: Record<string, string> = key(), host = 'deepl') =>
  vendors.post(`/vendors/${host}/v2/translate`, body, headers);

describe('DeepL', () => {
  it('translates several texts in their order and names the source', async () => {
    const wanted = { text: ['Hello', 'Thank you 😀'], target_lang: 'ZH-HANS', show_billed_characters: true };
    expect(await ask({ ...wanted, source_lang: 'en' })).toMatchObject({
      status: 200,
      json: {
        translations: [
          { detected_source_language: 'EN', text: '你好', billed_characters: 5 },
          { detected_source_language: 'EN', billed_characters: 11 },
        ],
      },
    });
    const found = await ask({ text: ['Guten Tag', '多少錢'], target_lang: 'en-gb' });
    expect(found.json).toEqual({
      translations: [
        { detected_source_language: 'DE', text: 'Hello' },
        { detected_source_language: 'ZH', text: 'How much is it' },
      ],
    });
  });

  it('accepts a form as well', async () => {
    const body = new URLSearchParams([
      ['text', 'Hello'],
      ['text', 'Hello'],
      ['target_lang', 'JA'],
    ]);
    const heard = await vendors.send('/vendors/deepl/v2/translate', { method: 'POST', body, headers: key() });
    expect(heard.json?.['translations']).toHaveLength(2);
  });

  it.each([
    ['no key', {}],
    ['a wrong key', { authorization: 'DeepL-Auth-Key abc' }],
    ['another scheme', { authorization: 'Bearer sandbox-deepl-spec' }],
    ['the key of a free account', { authorization: 'DeepL-Auth-Key sandbox-deepl-spec:fx' }],
  ])('refuses %s', async (_what, headers) => {
    const heard = await ask({ text: ['Hello'], target_lang: 'JA' }, headers);
    expect([heard.status, heard.json]).toEqual([403, { message: 'Authorization failure' }]);
  });

  it('serves free accounts on their own host only', async () => {
    const body = { text: ['Hello'], target_lang: 'JA' };
    expect((await ask(body, key('sandbox-deepl-spec:fx'), 'deepl-free')).status).toBe(200);
    expect((await ask(body, key(), 'deepl-free')).status).toBe(403);
  });

  it('addresses readers formally or informally where the target has a choice', async () => {
    const said = async (formality: string, target_lang = 'FR') => {
      const { status, json } = await ask({ text: ['Hello'], source_lang: 'EN', target_lang, formality });
      return status === 200 ? (json?.['translations'] as { text: string }[])[0]?.text : json?.['message'];
    };
    expect([await said('more'), await said('prefer_less'), await said('default')]).toEqual([
      'Bonjour',
      'Salut',
      'Bonjour',
    ]);
    expect(await said('less', 'KO')).toBe("'formality' is not supported for given 'target_lang'.");
    expect(await said('prefer_less', 'KO')).toBe('안녕하세요');
    expect(await said('rude')).toBe("Value for 'formality' not supported.");
  });

  it.each([
    ['no text', { target_lang: 'JA' }, 400, "Bad request. Reason: Parameter 'text' not specified."],
    ['a text that is no list', { text: 'Hello', target_lang: 'JA' }, 400, /'text' not specified/],
    ['no target', { text: ['Hello'] }, 400, "Value for 'target_lang' not supported."],
    ['an unknown target', { text: ['Hello'], target_lang: 'XX' }, 400, "Value for 'target_lang' not supported."],
    [
      'a variant as source',
      { text: ['a'], target_lang: 'JA', source_lang: 'EN-US' },
      400,
      /'source_lang' not supported/,
    ],
    ['51 texts', { text: Array.from({ length: 51 }, () => 'a'), target_lang: 'JA' }, 400, /Too many texts/],
    ['too large a body', { text: ['a'.repeat(131_072)], target_lang: 'JA' }, 413, /Too Large/],
  ])('refuses %s', async (_what, body, status, message) => {
    const heard = await ask(body);
    expect([heard.status, heard.json]).toEqual([status, { message: expect.stringMatching(message) }]);
  });

  it('counts translated characters, and rejects calls over a free account’s quota', async () => {
    const account = vendors.account('deepl', ':fx');
    const usage = async () => (await vendors.send('/vendors/deepl-free/v2/usage', { headers: key(account) })).json;
    expect(await usage()).toEqual({ character_count: 0, character_limit: 500_000 });
    const body = { text: ['a'.repeat(100_000)], target_lang: 'JA' };
    for (let count = 0; count < 5; count += 1) expect((await ask(body, key(account), 'deepl-free')).status).toBe(200);
    expect(await usage()).toEqual({ character_count: 500_000, character_limit: 500_000 });
    const heard = await ask({ text: ['a'], target_lang: 'JA' }, key(account), 'deepl-free');
    expect([heard.status, heard.json]).toEqual([456, { message: 'Quota Exceeded' }]);
  });

  it('lists its languages', async () => {
    const { json } = await vendors.send('/vendors/deepl/v2/languages?type=target', { headers: key() });
    expect(json).toContainEqual({ language: 'JA', name: 'Japanese', supports_formality: true });
    expect(json).toContainEqual({ language: 'KO', name: 'Korean', supports_formality: false });
    expect((await vendors.send('/vendors/deepl/v2/languages')).status).toBe(403);
  });

  describe('glossaries', () => {
    const path = '/vendors/deepl/v2/glossaries';
    const mine = key('sandbox-deepl-glossaries');
    const made = { name: 'mine', source_lang: 'en', target_lang: 'zh', entries: 'Hello\t哈喽', entries_format: 'tsv' };
    const list = async (headers = mine) => (await vendors.send(path, { headers })).json?.['glossaries'];

    it('can be created, listed, used and deleted, separately per account', async () => {
      const { status, json } = await vendors.post(path, made, mine);
      expect([status, json]).toMatchObject([201, { name: 'mine', ready: true, entry_count: 1 }]);
      const id = String(json?.['glossary_id']);
      expect(await list()).toMatchObject([{ glossary_id: id, source_lang: 'en', target_lang: 'zh' }]);
      expect(await list(key())).toEqual([]);
      const body = { text: ['Hello'], target_lang: 'ZH-HANS', source_lang: 'EN', glossary_id: id };
      expect((await ask(body, mine)).json).toMatchObject({ translations: [{ text: '哈喽' }] });
      expect((await ask(body)).status).toBe(404);
      expect(await ask({ ...body, source_lang: undefined }, mine)).toMatchObject({ status: 400 });
      expect(await ask({ ...body, target_lang: 'JA' }, mine)).toMatchObject({ status: 400 });
      expect((await vendors.send(`${path}/${id}`, { method: 'DELETE', headers: mine })).status).toBe(204);
      expect((await vendors.send(`${path}/${id}`, { method: 'DELETE', headers: mine })).status).toBe(404);
      expect(await list()).toEqual([]);
    });

    it.each([
      ['a pair that it does not do', { target_lang: 'tlh' }],
      ['one language', { target_lang: 'en' }],
      ['a term twice', { entries: 'a\tb\na\tc' }],
      ['a term without translation', { entries: 'a' }],
      ['no name', { name: '' }],
      ['another format', { entries_format: 'xml' }],
    ])('refuses %s', async (_what, wrong) => {
      expect((await vendors.post(path, { ...made, ...wrong }, mine)).status).toBe(400);
    });
  });
});
