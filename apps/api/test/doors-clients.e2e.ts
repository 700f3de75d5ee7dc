/** Clients of other products as they are on npm: another address and another key, nothing else (docs/decisions/0072). */
import { Translate as GoogleClient } from '@google-cloud/translate/build/src/v2/index.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getUser } from '@yiqiao/contracts/user';
import * as deepl from 'deepl-node';
import { translate as libretranslate } from 'libretranslate';
import { Translate } from 'translate';
import { startApi, type TestApi } from './support/api.js';
import { keyHolder } from './support/doors.js';
import { setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const GOOGLE = 2;

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let secret: string;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'doors-clients');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '1000' });
  ({ main, secret } = await keyHolder(api, { channelId: GOOGLE }));
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const left = async (): Promise<number> => (await main.client.call(getUser, {})).memberAccount.usableCharNum;

// Its SDKs for Python and .NET take an address without a path.
describe.each(['', '/deepl'])('deepl-node at “%s”', (path) => {
  // An equal request of the same key costs nothing for a minute, wherever it comes in.
  beforeAll(async () => void ({ main, secret } = await keyHolder(api, { channelId: GOOGLE })));

  const client = (key = secret) => new deepl.Translator(key, { serverUrl: `${api.url}${path}` });

  it('translates a text and an array, and names language and price', async () => {
    const before = await left();
    const one = await client().translateText('Hello', null, 'fr');
    expect(one).toMatchObject({ text: 'Bonjour', detectedSourceLang: 'en', billedCharacters: 5 });
    const many = await client().translateText(['Hello', 'Thank you'], 'en', 'pt-BR', { formality: 'prefer_less' });
    expect(many.map(({ detectedSourceLang }) => detectedSourceLang)).toEqual(['en', 'en']);
    expect(many.map(({ billedCharacters }) => billedCharacters)).toEqual([5, 9]);
    expect(await left()).toBe(before - 19);
  });

  it('keeps the tags of HTML', async () => {
    const { text } = await client().translateText('<p class="a">Hello</p>', 'en', 'fr', { tagHandling: 'html' });
    expect(text).toBe('<p class="a">Bonjour</p>');
  });

  it('reads usage and languages', async () => {
    const usage = await client().getUsage();
    expect(usage.character?.limit).toBe(100_000);
    expect(usage.character?.count).toBe(100_000 - (await left()));
    expect(usage.anyLimitReached()).toBe(false);
    const sources = await client().getSourceLanguages();
    expect(sources).toContainEqual({ code: 'zh', name: 'Chinese (Simplified)' });
    const targets = await client().getTargetLanguages();
    expect(targets.map(({ code }) => code)).toEqual(expect.arrayContaining(['de', 'en-US', 'pt-BR', 'zh-HANS']));
  });

  it('makes, lists, reads, uses and deletes a glossary', async () => {
    const entries = new deepl.GlossaryEntries({ entries: { parcel: 'Paket', invoice: 'Rechnung' } });
    const made = await client().createGlossary('shop', 'en', 'de', entries);
    expect(made).toMatchObject({ name: 'shop', ready: true, sourceLang: 'en', targetLang: 'de', entryCount: 2 });
    expect((await client().listGlossaries()).map(({ glossaryId }) => glossaryId)).toEqual([made.glossaryId]);
    expect(await client().getGlossary(made.glossaryId)).toMatchObject({ entryCount: 2 });
    const kept = await client().getGlossaryEntries(made);
    expect(kept.entries()).toEqual(entries.entries());
    const { text } = await client().translateText('The invoice please', 'en', 'de', { glossary: made });
    expect(text).toContain('Rechnung');
    await client().deleteGlossary(made);
    await expect(client().getGlossary(made.glossaryId)).rejects.toThrow(deepl.GlossaryNotFoundError);
    expect(await client().getGlossaryLanguagePairs()).toContainEqual({ sourceLang: 'en', targetLang: 'de' });
  });

  it('throws its own errors', async () => {
    await expect(client('yq_unknown').getUsage()).rejects.toThrow(deepl.AuthorizationError);
    const poor = await keyHolder(api, { chars: 3, channelId: GOOGLE });
    await expect(client(poor.secret).translateText('Hello', 'en', 'fr')).rejects.toThrow(deepl.QuotaExceededError);
    await setChars(api, poor.main.session.userId, 5);
    expect(await client(poor.secret).translateText('Hello', 'en', 'fr')).toMatchObject({ text: 'Bonjour' });
  });
});

describe('@google-cloud/translate, v2', () => {
  const client = (key = secret): GoogleClient => {
    process.env['GOOGLE_CLOUD_TRANSLATE_ENDPOINT'] = `${api.url}/google/language/translate/v2`;
    return new GoogleClient({ key });
  };

  it('translates a text, an array and HTML', async () => {
    expect((await client().translate('Hello', 'fr'))[0]).toBe('Bonjour');
    expect((await client().translate(['Hello', 'Thank you'], { from: 'en', to: 'fr' }))[0]).toEqual([
      'Bonjour',
      'Merci',
    ]);
    expect((await client().translate('<b>Hello</b>', 'fr'))[0]).toBe('<b>Bonjour</b>');
  });

  it('detects', async () => {
    expect((await client().detect('你好'))[0]).toEqual({ language: 'zh-CN', confidence: 1, input: '你好' });
    expect((await client().detect(['Hello', 'こんにちは']))[0]).toMatchObject([{ language: 'en' }, { language: 'ja' }]);
  });

  it('lists the languages with their names', async () => {
    expect((await client().getLanguages())[0]).toContainEqual({ code: 'de', name: 'German' });
    expect((await client().getLanguages('zh'))[0]).toContainEqual({ code: 'de', name: '德语' });
  });

  it('throws its own error', async () => {
    await expect(client('yq_unknown').translate('Hello', 'fr')).rejects.toMatchObject({
      message: expect.stringContaining('API key not valid'),
      errors: [{ reason: 'badRequest' }],
    });
  });
});

it('libretranslate translates, with the source given or detected', async () => {
  const asked = { query: 'Hello', target: 'fr', apiurl: `${api.url}/libre`, apiKey: secret, format: 'text' };
  expect(await libretranslate({ ...asked, source: 'en' })).toBe('Bonjour');
  expect(await libretranslate({ ...asked, source: 'auto' })).toBe('Bonjour');
});

it('translate (engine libre) translates, and throws the error of the body', async () => {
  // Its types lack `url`, which its documentation has.
  const client = (key: string) =>
    Object.assign(Translate({ engine: 'libre', key, from: 'en' }), { url: `${api.url}/libre/translate` });
  expect(await client(secret)('Hello', 'fr')).toBe('Bonjour');
  await expect(client('yq_unknown')('Thank you', 'fr')).rejects.toThrow('Invalid API key');
});
