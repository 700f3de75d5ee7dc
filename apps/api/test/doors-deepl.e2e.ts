/** DeepL's API v2 as its OpenAPI describes it: every field that we take, and every error (docs/decisions/0072). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateApiKey } from '@yiqiao/contracts/api-keys';
import { listTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { translate as nativeTranslate } from '@yiqiao/contracts/native-api';
import { changeTranslationCache, getUser } from '@yiqiao/contracts/user';
import { CHANNELS } from '@yiqiao/domain/channels';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { ask, type DoorReply, form, json, keyHolder } from './support/doors.js';
import { makeMainWith, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const GOOGLE = 2;

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;
let secret: string;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google', 'deepl', 'chatgpt'], 'doors-deepl');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '1000' });
  ({ main, secret } = await keyHolder(api, { channelId: GOOGLE }));
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const auth = (key = secret): Record<string, string> => ({ Authorization: `DeepL-Auth-Key ${key}` });
const at = (path: string): string => `${api.url}/deepl/v2${path}`;
const get = (path: string, key = secret): Promise<DoorReply> => ask(at(path), { headers: auth(key) });
const translate = (fields: object, key = secret): Promise<DoorReply> => ask(at('/translate'), json(fields, auth(key)));
const left = async (): Promise<number> => (await main.client.call(getUser, {})).memberAccount.usableCharNum;

const HELLO = { text: ['Hello'], target_lang: 'FR' };
const BONJOUR = { detected_source_language: 'EN', text: 'Bonjour' };

describe('translate', () => {
  it.each([
    ['one text', { text: 'Hello' }],
    ['texts', { text: ['Hello'] }],
    ['source_lang', { source_lang: 'EN' }],
    ['source_lang in lower case', { source_lang: 'en' }],
    ['target_lang in lower case', { target_lang: 'fr' }],
    ['context', { context: 'A greeting.' }],
    ['split_sentences', { split_sentences: '0' }],
    ['split_sentences', { split_sentences: 'nonewlines' }],
    ['preserve_formatting', { preserve_formatting: true }],
    ['preserve_formatting', { preserve_formatting: '1' }],
    ['formality', { formality: 'default' }],
    ['formality, where the channel has none', { formality: 'prefer_less' }],
    ['outline_detection', { tag_handling: 'xml', outline_detection: false }],
    ['splitting_tags', { tag_handling: 'xml', splitting_tags: ['par', 'title'] }],
    ['non_splitting_tags', { tag_handling: 'xml', non_splitting_tags: 'b,i' }],
    ['ignore_tags', { tag_handling: 'xml', ignore_tags: ['x'] }],
    ['tag_handling_version', { tag_handling: 'html', tag_handling_version: 'v2' }],
    ['output_format_version', { output_format_version: 2 }],
    ['formality in upper case', { formality: 'PREFER_MORE' }],
    ['a name that nobody knows', { custom_instructions: ['Be nice'], whatever: 1 }],
    ['null for nothing', { source_lang: null, formality: null, glossary_id: null }],
  ])('takes %s', async (_, fields) => {
    const { status, body } = await translate({ ...HELLO, ...fields });
    expect([status, body]).toEqual([200, { translations: [BONJOUR] }]);
  });

  it('says what it charged and which model it used, if asked', async () => {
    const before = await left();
    const fields = {
      ...HELLO,
      text: ['Hello', 'Thank you'],
      show_billed_characters: true,
      model_type: 'latency_optimized',
    };
    expect((await translate(fields)).body).toEqual({
      translations: [
        { ...BONJOUR, billed_characters: 5, model_type_used: 'latency_optimized' },
        { ...BONJOUR, text: 'Merci', billed_characters: 9, model_type_used: 'latency_optimized' },
      ],
    });
    expect(await left()).toBe(before - 14);
  });

  it.each([
    ['quality_optimized', 'quality_optimized'],
    ['prefer_quality_optimized', 'quality_optimized'],
    ['latency_optimized', 'latency_optimized'],
  ])('names the model of %s', async (model_type, model_type_used) => {
    expect((await translate({ ...HELLO, model_type })).body).toEqual({
      translations: [{ ...BONJOUR, model_type_used }],
    });
  });

  it('takes a body of 128 KiB, and none of a byte more', async () => {
    const sized = (bytes: number): RequestInit => {
      const body = JSON.stringify({ ...HELLO, context: '' });
      const filled = body.replace('"context":""', `"context":"${'a'.repeat(bytes - body.length)}"`);
      return { method: 'POST', headers: { ...auth(), 'Content-Type': 'application/json' }, body: filled };
    };
    expect(await ask(at('/translate'), sized(131_072))).toMatchObject({ status: 200 });
    expect(await ask(at('/translate'), sized(131_073))).toMatchObject({ status: 413 });
  });

  it('takes forms, with a text or several', async () => {
    const sent = form({ text: ['Hello', 'Thank you'], target_lang: 'FR', show_billed_characters: '1' }, auth());
    expect((await ask(at('/translate'), sent)).body).toMatchObject({
      translations: [
        { text: 'Bonjour', billed_characters: 5 },
        { text: 'Merci', billed_characters: 9 },
      ],
    });
    const one = await ask(at('/translate'), form({ text: 'Hello', target_lang: 'FR', auth_key: secret }));
    expect(one.body).toEqual({ translations: [BONJOUR] });
  });

  it.each([
    ['ZH', '谢谢'],
    ['ZH-HANS', '谢谢'],
    ['ZH-HANT', '謝謝'],
    ['EN', 'Thank you'],
    ['EN-US', 'Thank you'],
    ['EN-GB', 'Thank you'],
    ['PT-BR', 'Obrigado'],
    ['PT-PT', 'Obrigado'],
  ])('translates into %s', async (target_lang, said) => {
    const { status, body } = await translate({ text: ['Merci'], source_lang: 'FR', target_lang });
    expect([status, body]).toEqual([200, { translations: [{ detected_source_language: 'FR', text: said }] }]);
  });

  it('returns what needs no translation as it is, for nothing', async () => {
    const before = await left();
    const text = ['Bonjour, combien ça coûte ?', '12.50', '', '   '];
    const { body } = await translate({ text, target_lang: 'FR' });
    expect(body).toMatchObject({ translations: text.map((each) => ({ text: each })) });
    const variant = await translate({ text: ['Hello'], source_lang: 'EN', target_lang: 'EN-GB' });
    expect(variant.body).toMatchObject({ translations: [{ text: 'Hello' }] });
    expect(await left()).toBe(before);
  });

  it('keeps tags and their attributes; elements of ignore_tags are neither translated nor charged', async () => {
    const html = await translate({
      text: ['<a href="/x">Hello</a>'],
      source_lang: 'EN',
      target_lang: 'FR',
      tag_handling: 'html',
    });
    expect(html.body).toMatchObject({ translations: [{ text: '<a href="/x">Bonjour</a>' }] });
    const before = await left();
    const xml = await translate({
      text: ['<p>Hello</p><x id="1">Hello</x>'],
      source_lang: 'EN',
      target_lang: 'FR',
      tag_handling: 'xml',
      ignore_tags: 'x',
    });
    expect(xml.body).toMatchObject({ translations: [{ text: '<p>Bonjour</p><x id="1">Hello</x>' }] });
    expect(await left()).toBe(before - 5);
    const inHtml = await translate({
      text: ['<p>Hello</p><X>Hello</X>'],
      source_lang: 'EN',
      target_lang: 'FR',
      tag_handling: 'html',
      ignore_tags: 'x',
    });
    expect(inHtml.body).toMatchObject({ translations: [{ text: '<p>Bonjour</p><X>Hello</X>' }] });
  });

  it('translates more texts and characters than one command takes, in their order', async () => {
    const text = Array.from({ length: 120 }, (_, nth) => `Order ${nth + 1} ${'x'.repeat(60)}`);
    const before = await left();
    const { status, body } = await translate({ text, source_lang: 'EN', target_lang: 'FR' });
    const { translations } = body as { translations: { text: string }[] };
    expect(status).toBe(200);
    expect(translations.map(({ text: each }) => / (\d+) /.exec(each)?.[1])).toEqual(
      text.map((_, nth) => String(nth + 1)),
    );
    expect(await left()).toBe(before - text.join('').length);
  });

  it('charges a repetition nothing', async () => {
    const fields = { text: ['Good morning'], source_lang: 'EN', target_lang: 'FR' };
    const before = await left();
    const first = await translate(fields);
    expect(await translate(fields)).toMatchObject({ status: 200, body: first.body });
    expect(await left()).toBe(before - 12);
  });

  it.each([
    ['no text', { text: undefined }, 400, "Bad request. Reason: Parameter 'text' not specified."],
    ['texts that are none', { text: [1] }, 400, "Bad request. Reason: Parameter 'text' not specified."],
    ['a lone surrogate', { text: ['\ud800'] }, 400, "Invalid Unicode in parameter 'text'."],
    ['too many texts', { text: Array<string>(1_001).fill('a') }, 400, 'Bad request. Reason: Too many texts.'],
    ['no target', { target_lang: undefined }, 400, "Bad request. Reason: Parameter 'target_lang' not specified."],
    ['an unknown target', { target_lang: 'XX' }, 400, "Value for 'target_lang' not supported."],
    ['an inherited name as target', { target_lang: 'constructor' }, 400, "Value for 'target_lang' not supported."],
    ['an unknown source', { source_lang: 'Klingonish' }, 400, "Value for 'source_lang' not supported."],
    ['a pair without a channel', { target_lang: 'SR-LATN' }, 400, "Value for 'target_lang' not supported."],
    ['an unknown formality', { formality: 'rude' }, 400, "Value for 'formality' not supported."],
    [
      'a formality that the channel lacks',
      { formality: 'more' },
      400,
      "'formality' is not supported for given 'target_lang'.",
    ],
    ['an unknown tag_handling', { tag_handling: 'md' }, 400, "Value for 'tag_handling' not supported."],
    ['an unknown split_sentences', { split_sentences: '2' }, 400, "Value for 'split_sentences' not supported."],
    ['an unknown flag', { preserve_formatting: 'yes' }, 400, "Value for 'preserve_formatting' not supported."],
    ['an unknown model', { model_type: 'best' }, 400, "Value for 'model_type' not supported."],
    ['an unknown glossary', { glossary_id: 'x', source_lang: 'EN' }, 404, 'Glossary not found'],
    [
      'a glossary without a source',
      { glossary_id: 'x' },
      400,
      'Use of a glossary requires the source_lang parameter to be specified',
    ],
    ['a text that is too long', { text: ['a'.repeat(5_001)] }, 413, 'Request Entity Too Large'],
    ['a body that is too large', { text: ['a'.repeat(131_072)] }, 413, 'Request Entity Too Large'],
  ])('refuses %s', async (_, fields, status, message) => {
    const before = await left();
    const reply = await translate({ ...HELLO, ...fields });
    expect([reply.status, reply.body]).toMatchObject([status, { message }]);
    expect(await left()).toBe(before);
  });

  it.each([
    ['JSON that is none', '{"text":', 400],
    ['a list', '[]', 400],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
  ])('refuses %s', async (_, sent, status) => {
    const body = typeof sent === 'string' ? sent : new Uint8Array(sent);
    const headers = { ...auth(), 'Content-Type': 'application/json' };
    const reply = await ask(at('/translate'), { method: 'POST', headers, body });
    expect([reply.status, reply.body]).toMatchObject([status, { message: 'Bad request' }]);
  });

  it('refuses other content types with 415, other methods with 405, other paths with 404', async () => {
    const text = await ask(at('/translate'), { method: 'POST', headers: auth(), body: 'text=Hello&target_lang=FR' });
    expect([text.status, text.body]).toMatchObject([415, { message: 'Unsupported Media Type' }]);
    const put = await ask(at('/translate'), { ...json(HELLO, auth()), method: 'PUT' });
    expect([put.status, put.headers.get('allow'), put.body]).toMatchObject([
      405,
      'POST, OPTIONS',
      { message: expect.any(String) },
    ]);
    for (const path of ['/document', '/', '/translate/', '/write/rephrase'])
      expect(await get(path)).toMatchObject({ status: 404, body: { message: 'Not found' } });
  });
});

describe('formality', () => {
  it.each([CHANNELS.deepl.id, CHANNELS.chatgpt.id])(
    'chooses the form of address through channel %i',
    async (channelId) => {
      const { main: member, secret: key } = await keyHolder(api, { channelId });
      const charNum = async () => (await member.client.call(getUser, {})).memberAccount.usableCharNum;
      const said = async (formality: string) => {
        const { body } = await translate({ ...HELLO, source_lang: 'EN', formality }, key);
        return (body as { translations: { text: string }[] }).translations[0]?.text;
      };
      const before = await charNum();
      expect([await said('more'), await said('less')]).toEqual(['Bonjour', 'Salut']);
      expect([await said('prefer_more'), await said('prefer_less')]).toEqual(['Bonjour', 'Salut']);
      expect(await charNum()).toBe(before - 20);
      // Repetitions: each has an answer of its own.
      expect([await said('less'), await said('more')]).toEqual(['Salut', 'Bonjour']);
      expect(await charNum()).toBe(before - 20);
      const form = { ...HELLO, source_lang: 'EN', tag_handling: 'html', text: ['<b>Hello</b>'], formality: 'less' };
      expect((await translate(form, key)).body).toMatchObject({ translations: [{ text: '<b>Salut</b>' }] });
      const targets = (await get('/languages?type=target', key)).body as object[];
      expect(targets).toContainEqual({ language: 'FR', name: 'French', supports_formality: true });
      const { client } = await makeKey(member);
      const native = { text: 'Hello', source: 'en', target: 'fr', formality: 'less' } as const;
      expect(await client.call(nativeTranslate, native)).toMatchObject({ items: [{ translated: 'Salut' }] });
    },
  );

  it('that a target lacks is refused, and ignored where it is a preference', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: CHANNELS.deepl.id });
    const korean = { text: ['Hello'], source_lang: 'EN', target_lang: 'KO' };
    for (const formality of ['more', 'less'])
      expect(await translate({ ...korean, formality }, key)).toMatchObject({
        status: 400,
        body: { message: "'formality' is not supported for given 'target_lang'." },
      });
    const { body } = await translate({ ...korean, formality: 'prefer_more' }, key);
    expect(body).toMatchObject({ translations: [{ text: '안녕하세요' }] });
    const targets = (await get('/languages?type=target', key)).body as object[];
    expect(targets).toContainEqual({ language: 'KO', name: 'Korean', supports_formality: false });
    const { client } = await makeKey(member);
    const native = { text: 'Hello', source: 'en', target: 'ko', formality: 'more' } as const;
    expect(await client.send(nativeTranslate, native)).toMatchObject({
      status: 422,
      body: { code: 'FORMALITY_NOT_SUPPORTED', data: { channelId: CHANNELS.deepl.id, target: 'ko' } },
    });
  });

  it('has translations of its own in the memory', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: CHANNELS.deepl.id });
    await member.client.call(changeTranslationCache, { translationCache: 1 });
    const texts: unknown[] = [];
    for (const formality of ['default', 'less', 'prefer_more'])
      texts.push((await translate({ ...HELLO, source_lang: 'EN', formality }, key)).body);
    expect(texts).toMatchObject(['Bonjour', 'Salut', 'Bonjour'].map((text) => ({ translations: [{ text }] })));
  });
});

describe('a key', () => {
  it.each([
    ['none', undefined],
    ['an unknown one', 'yq_unknown'],
    ['a well-formed one that does not exist', `yq_${'2'.repeat(40)}`],
  ])('%s is 403', async (_, key) => {
    const headers = key === undefined ? {} : auth(key);
    expect(await ask(at('/translate'), json(HELLO, headers))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('Authorization failure') },
    });
  });

  it('needs the scope of each call', async () => {
    const { secret: reader } = await makeKey(main, { scopes: ['glossary.read'] });
    for (const path of ['/usage', '/languages']) expect(await get(path, reader)).toMatchObject({ status: 403 });
    expect(await translate(HELLO, reader)).toMatchObject({ status: 403 });
    expect(await get('/glossaries', reader)).toMatchObject({ status: 200 });
    const made = { name: 'x', source_lang: 'en', target_lang: 'de', entries: 'a\tb', entries_format: 'tsv' };
    expect(await ask(at('/glossaries'), json(made, auth(reader)))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('glossary.write') },
    });
  });

  it('without quota, or beyond its cap, is 456', async () => {
    const poor = await keyHolder(api, { chars: 4, channelId: GOOGLE });
    expect(await translate(HELLO, poor.secret)).toMatchObject({ status: 456, body: { message: 'Quota Exceeded' } });
    const { secret: capped } = await makeKey(main, { dayCap: 7 });
    expect(await translate(HELLO, capped)).toMatchObject({ status: 200 });
    expect(await translate({ ...HELLO, text: ['Thank you'] }, capped)).toMatchObject({
      status: 456,
      body: { message: 'Quota Exceeded', detail: expect.stringContaining('2 left') },
    });
  });

  it('beyond its rate is 429 with Retry-After', async () => {
    const { secret: slow } = await makeKey(main, { scopes: ['usage'], requestsPerSecond: 1 });
    const all = await Promise.all(Array.from({ length: 8 }, () => get('/usage', slow)));
    const refused = all.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(body).toMatchObject({ message: 'Too many requests' });
    }
  });

  it('while the channel fails is 503, for nothing', async () => {
    const before = await left();
    await vendors.fail('google', { kind: 'error' });
    const text = ['Good evening'];
    expect(await translate({ ...HELLO, text })).toMatchObject({ status: 503, body: { message: expect.any(String) } });
    await vendors.mend('google');
    expect(await left()).toBe(before);
  });
});

describe('usage', () => {
  it('is the account’s without a cap, the key’s own with one', async () => {
    const { main: member, secret: key } = await keyHolder(api, { chars: 1_000, channelId: GOOGLE });
    expect((await get('/usage', key)).body).toEqual({ character_count: 0, character_limit: 1_000 });
    await translate(HELLO, key);
    expect((await get('/usage', key)).body).toEqual({ character_count: 5, character_limit: 1_000 });
    const { apiKey, secret: capped } = await makeKey(member, { monthCap: 100, scopes: ['text', 'usage'] });
    await translate({ ...HELLO, text: ['Thank you'] }, capped);
    expect((await get('/usage', capped)).body).toEqual({ character_count: 9, character_limit: 100 });
    const settings = { name: apiKey.name, scopes: apiKey.scopes, monthCap: 5_000 };
    await member.client.call(updateApiKey, { id: apiKey.id, ...settings });
    // Never more than the account still has.
    expect((await get('/usage', capped)).body).toEqual({ character_count: 9, character_limit: 9 + 986 });
  });
});

describe('languages', () => {
  it('are those of the key’s channel, in DeepL’s codes', async () => {
    const sources = (await get('/languages')).body as { language: string; name: string }[];
    const codes = sources.map(({ language }) => language);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(['EN', 'ZH', 'PT', 'NB']));
    expect(codes.filter((code) => code.includes('-') && code.length === 5)).toEqual([]);
    const targets = (await get('/languages?type=target')).body as object[];
    expect(targets).toContainEqual({ language: 'ZH-HANT', name: 'Chinese (Traditional)', supports_formality: false });
    expect(await get('/languages?type=both')).toMatchObject({ status: 400 });
  });
});

describe('a glossary', () => {
  const create = (fields: object, key = secret): Promise<DoorReply> => ask(at('/glossaries'), json(fields, auth(key)));
  const shop = { name: 'shop', source_lang: 'en', target_lang: 'es', entries_format: 'tsv' };
  const termsOf = async (member: TestMember) =>
    (await member.client.call(listTerms, {})).rows.map(({ term, translation }) => `${term}=${translation}`).sort();

  it('is the terms of a pair in the glossary of the family', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: GOOGLE });
    const made = await create({ ...shop, entries: 'parcel\tpaquete\ninvoice\tfactura' }, key);
    const info = made.body as { glossary_id: string; creation_time: string };
    expect(made.status).toBe(201);
    expect(info).toEqual({
      glossary_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      ready: true,
      name: 'shop',
      source_lang: 'en',
      target_lang: 'es',
      creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      entry_count: 2,
    });
    expect(await termsOf(member)).toEqual(['invoice=factura', 'parcel=paquete']);
    const { glossary_id: id } = info;
    expect((await get('/glossaries', key)).body).toMatchObject({ glossaries: [{ glossary_id: id, entry_count: 2 }] });
    const entries = await get(`/glossaries/${id}/entries`, key);
    expect(entries.headers.get('content-type')).toBe('text/tab-separated-values; charset=utf-8');
    expect(entries.text).toBe('parcel\tpaquete\ninvoice\tfactura');
    const used = await translate({ text: ['invoice'], source_lang: 'EN', target_lang: 'ES', glossary_id: id }, key);
    expect(used.body).toMatchObject({ translations: [{ text: expect.stringContaining('factura') }] });
    const gone = await ask(at(`/glossaries/${id}`), { method: 'DELETE', headers: auth(key) });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await get(`/glossaries/${id}`, key)).toMatchObject({ status: 404, body: { message: 'Glossary not found' } });
    expect(await termsOf(member)).toEqual([]);
  });

  it('made anew before the old one is deleted loses only what the old one alone had; the family’s own terms stay', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: GOOGLE });
    await member.client.call(saveTerm, { source: 'en', target: 'es', term: 'Yiqiao', translation: 'Yiqiao' });
    const old = (await create({ ...shop, entries: 'parcel\tpaquete\ninvoice\tfactura' }, key)).body as {
      glossary_id: string;
    };
    const entries = 'invoice\tfactura\nbox\tcaja';
    const now = (await create({ ...shop, entries }, key)).body as { glossary_id: string };
    expect(now.glossary_id).not.toBe(old.glossary_id);
    const remove = (id: string) => ask(at(`/glossaries/${id}`), { method: 'DELETE', headers: auth(key) });
    expect(await remove(old.glossary_id)).toMatchObject({ status: 204 });
    expect(await termsOf(member)).toEqual(['Yiqiao=Yiqiao', 'box=caja', 'invoice=factura']);
    expect(await remove(old.glossary_id)).toMatchObject({ status: 404 });
    expect(await remove(now.glossary_id)).toMatchObject({ status: 204 });
    expect(await termsOf(member)).toEqual(['Yiqiao=Yiqiao']);
  });

  it('takes CSV, and forms', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: GOOGLE });
    const entries = 'parcel,paquete,en,es\n"box, large",caja grande';
    expect(await ask(at('/glossaries'), form({ ...shop, entries_format: 'csv', entries }, auth(key)))).toMatchObject({
      status: 201,
      body: { entry_count: 2 },
    });
    expect(await termsOf(member)).toEqual(['box, large=caja grande', 'parcel=paquete']);
  });

  it.each([
    ['no name', { name: '' }, 'Missing or invalid argument: name'],
    ['no entries', { entries: undefined }, 'Missing or invalid argument: entries'],
    ['an unknown language', { target_lang: 'xx' }, "Value for 'target_lang' not supported."],
    ['one language', { target_lang: 'en' }, 'Unsupported glossary source and target language pair'],
    ['another format', { entries_format: 'xlsx' }, 'Unsupported entry format specified'],
    ['a line without a tab', { entries: 'a\tb\nc' }, 'Invalid glossary entries provided'],
    ['a key twice', { entries: 'a\tb\na\tc' }, 'Invalid glossary entries provided'],
    ['a key without letters', { entries: '!\tb' }, 'Invalid glossary entries provided'],
    ['CSV that is none', { entries: '"a,b', entries_format: 'csv' }, 'Invalid glossary entries provided'],
  ])('refuses %s', async (_, fields, message) => {
    const reply = await create({ ...shop, entries: 'a\tb', ...fields });
    expect([reply.status, reply.body]).toMatchObject([400, { message }]);
  });

  it('is full with 456', async () => {
    const entries = Array.from({ length: 5_001 }, (_, nth) => `word${nth}\tx`).join('\n');
    expect(await create({ ...shop, entries })).toMatchObject({ status: 456 });
  });

  it('is no other family’s, and a sub-account only reads', async () => {
    const { main: member, secret: key } = await keyHolder(api, { channelId: GOOGLE });
    const { glossary_id: id } = (await create({ ...shop, entries: 'box\tcaja' }, key)).body as { glossary_id: string };
    const remove = { method: 'DELETE', headers: auth(secret) };
    expect(await get(`/glossaries/${id}`)).toMatchObject({ status: 404 });
    expect(await get(`/glossaries/${id}/entries`)).toMatchObject({ status: 404 });
    expect(await ask(at(`/glossaries/${id}`), remove)).toMatchObject({ status: 404 });
    expect(await translate({ ...HELLO, source_lang: 'EN', glossary_id: id })).toMatchObject({ status: 404 });
    const sub = await makeSub(api, member, 10);
    const { secret: reader } = await makeKey(sub, { scopes: ['glossary.read'] });
    expect(await get(`/glossaries/${id}/entries`, reader)).toMatchObject({ status: 200, text: 'box\tcaja' });
    const stranger = await makeMainWith(api, 0);
    const { secret: other } = await makeKey(stranger, { scopes: ['glossary.read'] });
    expect((await get('/glossaries', other)).body).toEqual({ glossaries: [] });
  });
});
