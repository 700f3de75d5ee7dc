/** HTML and XML: only the text is translated and charged, all tags come back (docs/decisions/0074). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { saveTerm } from '@yiqiao/contracts/glossary';
import { translateText } from '@yiqiao/contracts/translation';
import { changeFailover } from '@yiqiao/contracts/user';
import { Markup } from '../src/translation/markup/markup.js';
import { startApi, type TestApi } from './support/api.js';
import { countOpenHolds, makeMainWith, setPrices } from './support/family.js';
import { linesOf, memoryMembers, usable } from './support/memory-members.js';
import { translateMany, translateOne } from './support/translate.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';

const [OFFLINE, GOOGLE, TENCENT, DEEPL, LIBRETRANSLATE, CHATGPT] = [1, 2, 4, 6, 8, 7] as const;
const CODES = ['google', 'tencent', 'deepl', 'libretranslate', 'chatgpt'] as const;

let vendors: VendorEnvironment;
let api: TestApi;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'markup');
  api = await startApi({ ...vendors.env, LIMIT_TRANSLATION_PER_SECOND: '50' });
  await setPrices(api);
});
afterEach(() => Promise.all(CODES.map((code) => vendors.mend(code))));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const french = { source: 'en', target: 'fr', format: 'html' } as const;
const memberWith = (chars: number, channelId?: number) => makeMainWith(api, chars, channelId);
const { memberOn } = memoryMembers(() => api);
const sentTo = async (code: (typeof CODES)[number]) => (await vendors.calls(code)).map(({ sent }) => sent);
const tagsOf = (text: string) => text.match(/<[^>]*>/g);

const PAGE = `<!DOCTYPE html>
<html lang="en"><head><title>Hello</title><style>p > b { color: red }</style></head>
<body class='shop "a"' onclick="if (a < b && c) go()"><!-- Hello <b> -->
  <h1 title="Hello">Good morning</h1>
  <p>Thank you <a href="/x?a=1&b=2">very much</a> and <b><i>goodbye</i></b>&nbsp;!<br>Free shipping</p>
  <pre>Hello</pre><code>Hello</code> <span translate="no">Hello</span>
  <script>document.write("<p>Hello</p>");</script>
</body></html>`;
/** The sentences of PAGE. */
const PAGE_COST = ['Hello', 'Good morning', 'Thank you very much and goodbye\u00a0!', 'Free shipping'].join('').length;

describe('HTML', () => {
  it('is charged by its text alone, held and settled alike', async () => {
    const main = await memberWith(PAGE_COST, GOOGLE);
    const answer = await translateOne(main.client, { ...french, text: PAGE });
    expect(answer).toMatchObject({ charged: PAGE_COST, source: 'en', channelId: GOOGLE, warning: null });
    expect(tagsOf(answer.translated)?.sort()).toEqual(tagsOf(PAGE)?.sort());
    for (const kept of [
      '<pre>Hello</pre><code>Hello</code> <span translate="no">Hello</span>',
      '<!-- Hello <b> -->',
      'write("<p>Hello</p>")',
    ])
      expect(answer.translated).toContain(kept);
    expect(answer.translated).toMatch(/<title>(Bonjour|Salut)<\/title>/);
    expect(answer.translated).toContain('&nbsp;');
    expect(await usable(main)).toBe(0);
    expect(await countOpenHolds(api, main)).toBe(0);
    expect(await linesOf(main)).toMatchObject([{ status: 'ok', charged: PAGE_COST, wordCount: PAGE_COST }]);
    expect(await main.client.send(translateText, { ...french, text: '<p>Yes</p>' })).toMatchObject({
      body: { code: 'QUOTA_NOT_ENOUGH' },
    });
  });

  it('is sent as whole sentences without a tag, to every channel', async () => {
    const main = await memberWith(10_000);
    const text = '<p title="x">I <b>really</b> like it &amp; you</p>';
    for (const [code, channelId] of Object.entries({
      google: GOOGLE,
      tencent: TENCENT,
      deepl: DEEPL,
      libretranslate: LIBRETRANSLATE,
      chatgpt: CHATGPT,
    })) {
      const { translated, warning } = await translateOne(main.client, { ...french, text, channelId });
      expect([code, tagsOf(translated), warning]).toEqual([code, ['<p title="x">', '<b>', '</b>', '</p>'], null]);
      expect(translated).toMatch(/<b>really<\/b>.*&amp;/);
      expect(JSON.stringify((await sentTo(code as 'google'))[0])).not.toMatch(/<|p title/);
    }
    expect((await sentTo('google'))[0]).toEqual(['I {0}really{1} like it & you']);
  });

  it('is translated offline too: scripts, sentences of the phrasebook, and a gloss for free', async () => {
    const main = await memberWith(100);
    const hant = { source: 'zh-Hans', target: 'zh-Hant', format: 'html' as const };
    const answer = await translateOne(main.client, { ...hant, text: '<p>头发<b>很长</b></p><p class="头发">发现</p>' });
    expect(answer).toMatchObject({ translated: '<p>頭髮<b>很長</b></p><p class="头发">發現</p>', charged: 6 });
    const english = { source: 'zh-Hans', target: 'en', format: 'html' as const };
    expect(await translateOne(main.client, { ...english, text: '<p><b>谢谢您！</b></p>' })).toMatchObject({
      translated: '<p><b>Thank you!</b></p>',
      charged: 4,
      quality: 'translation',
    });
    const gloss = await translateOne(main.client, { ...english, text: '<p>头发<b>很长</b></p>' });
    expect(gloss).toMatchObject({ quality: 'gloss', charged: 0 });
    expect(tagsOf(gloss.translated)).toEqual(['<p>', '<b>', '</b>', '</p>']);
    expect(await usable(main)).toBe(90);
  });

  it('keeps its tags when a channel loses them: the text between is translated again, for one price', async () => {
    const main = await memberWith(1_000, GOOGLE);
    await vendors.fail('google', { kind: 'lose' });
    const text = '<p>I <b id="1">really</b> like <i>it <u>so</u></i> much</p>';
    const answer = await translateOne(main.client, { ...french, text });
    expect(tagsOf(answer.translated)).toEqual(tagsOf(text));
    expect(answer).toMatchObject({ warning: null, charged: 'I really like it so much'.length });
    expect((await sentTo('google'))[0]).toEqual(['I', 'really', 'like', 'it', 'so', 'much']);
    expect(await usable(main)).toBe(1_000 - 24);
  });

  it('has its entities decoded for the channel and written again', async () => {
    const main = await memberWith(1_000, GOOGLE);
    const text = '<p>Tom &amp; Ann &lt;3 &eacute;t&#233; &amp;lt; &nope; a < b</p>';
    const { translated, charged } = await translateOne(main.client, { ...french, text });
    expect((await sentTo('google'))[0]).toEqual([expect.stringMatching(/^Tom & Ann <.* été /)]);
    expect(translated).toContain('Tom &amp; Ann &lt;3 été &amp;lt; &nope; a &lt; b');
    expect(charged).toBe('Tom & Ann <3 été &lt;  a < b'.length);
  });

  it.each([
    ['unclosed', '<p>Hello <b>Thank you'],
    ['crossed', '<b>Hello <i>Thank you</b> Goodbye</i>'],
    ['cut off', '<p>Hello</p><a href="x'],
    ['a comment without end', '<p>Hello</p><!-- Thank you'],
    ['stray ends', '</p></b>Hello</i></>'],
    ['700 levels', `${'<b>'.repeat(700)}Hello${'</b>'.repeat(700)}`],
    ['only openings', `${'<i>'.repeat(1_600)}Hello`],
  ])('that is malformed (%s) keeps every byte of it', async (_, text) => {
    const main = await memberWith(1_000, GOOGLE);
    const { translated } = await translateOne(main.client, { ...french, text });
    expect(tagsOf(translated)).toEqual(tagsOf(text));
    expect(translated).not.toMatch(/Hello|Thank you<|Goodbye<\/i>/);
    expect(translated.length).toBeGreaterThanOrEqual(text.length - 40);
  });

  it('without text is refused like a blank text, and free and unchanged in a list', async () => {
    const main = await memberWith(100, GOOGLE);
    const blank = ['<p>&nbsp;</p>', '<script>Hello</script>', '<p translate="no">Hello</p>', '<br>', '<td>12.50</td>'];
    for (const text of blank)
      expect(await main.client.send(translateText, { ...french, text })).toMatchObject({
        status: 422,
        body: { code: 'TEXT_EMPTY' },
      });
    expect(await translateMany(main.client, { ...french, text: [...blank, '<b>Hello</b>'] })).toMatchObject({
      items: [
        ...blank.map((translated) => ({ success: true, translated, charged: 0, source: 'en' })),
        { success: true, charged: 5 },
      ],
      charged: 5,
    });
    expect(await usable(main)).toBe(95);
  });

  it('has the language of its words, not of its markup', async () => {
    const main = await memberWith(1_000, TENCENT);
    const text = [
      '<p class="thank you very much">こんにちは、いくらですか？</p>',
      '<p title="你好">Thank you very much</p>',
      '<b>Bonjour, combien ça coûte ?</b>',
    ];
    expect(await translateMany(main.client, { ...french, source: 'auto', text })).toMatchObject({
      items: [{ source: 'ja' }, { success: true, source: 'en' }, { code: 'SAME_LANGUAGE', source: 'fr' }],
    });
  });

  it('is a list of several texts with one entry for all, each with its own outcome', async () => {
    const main = await memberWith(1_000);
    const text = ['<p>头发<b>很长</b></p>', '头发 < 5', '<img alt="头发">'];
    const answer = await translateMany(main.client, { source: 'zh-Hans', target: 'zh-Hant', format: 'html', text });
    expect(answer).toMatchObject({
      items: [
        { translated: '<p>頭髮<b>很長</b></p>', charged: 4 },
        { translated: '頭髮 &lt; 5', charged: 6 },
        { translated: '<img alt="头发">', charged: 0 },
      ],
      charged: 10,
    });
  });

  it('of more than 50 sentences is sent in fewer texts', async () => {
    const main = await memberWith(5_000, GOOGLE);
    const list = Array.from({ length: 100 }, (_, n) => `<li>Your order <b>${n + 100}</b> has been shipped</li>`);
    const text = `<ul>${list.join('')}</ul>`;
    const before = (await sentTo('google')).length;
    const { translated, warning } = await translateOne(main.client, { ...french, text });
    const sent = (await sentTo('google')).slice(0, (await sentTo('google')).length - before).flat();
    // Equal texts are sent once.
    expect(sent.length).toBeLessThan(50);
    expect(sent).toContain('Your order {0} has been shipped\nYour order {1} has been shipped');
    expect(tagsOf(translated)).toEqual(tagsOf(text));
    expect(translated.match(/<b>\d{3}<\/b>/g)).toEqual(text.match(/<b>\d{3}<\/b>/g));
    expect(translated).not.toContain('order');
    expect(warning).toBeNull();
  });

  it('uses another channel if the own one fails', async () => {
    const main = await memberWith(1_000, GOOGLE);
    await main.client.call(changeFailover, { channelFailover: 1 });
    await vendors.fail('google', { kind: 'error', status: 500 });
    const answer = await translateOne(main.client, { ...french, text: '<p>Hello <b>zorblax</b></p>' });
    expect(answer.channelId).not.toBe(GOOGLE);
    expect(tagsOf(answer.translated)).toEqual(['<p>', '<b>', '</b>', '</p>']);
  });
});

describe('terms of the glossary in HTML', () => {
  it('are found across tags, which go around their translation', async () => {
    const main = await memberWith(10_000);
    await main.client.call(saveTerm, {
      source: 'en',
      target: 'fr',
      term: 'zorblax button',
      translation: 'bouton zorblique',
    });
    await main.client.call(saveTerm, { source: 'zh-Hans', target: 'zh-Hant', term: '软件', translation: '軟件包' });
    for (const channelId of [GOOGLE, DEEPL, CHATGPT]) {
      const answer = await translateOne(main.client, {
        ...french,
        text: '<p>press the <b>zorblax</b> button</p>',
        channelId,
      });
      expect(answer).toMatchObject({ translated: expect.stringContaining('<b>bouton zorblique</b>'), warning: null });
    }
    const hant = { source: 'zh-Hans', target: 'zh-Hant', format: 'html' as const };
    const { translated } = await translateOne(main.client, {
      ...hant,
      text: '<p>这个<i>软</i>件很好</p>',
      channelId: OFFLINE,
    });
    expect(translated).toBe('<p>這個<i>軟件包</i>很好</p>');
  });
});

describe('the translation memory', () => {
  it('keeps HTML, XML and plain text apart', async () => {
    const main = await memberOn(GOOGLE, 1_000);
    const text = 'Hello <b>Ann & Tom</b>';
    const ask = (format?: 'text' | 'html' | 'xml') => translateOne(main.client, { ...french, text, format });
    const html = await ask('html');
    expect(html).toMatchObject({ charged: 15, translated: expect.stringContaining('&amp;') });
    expect(await ask('html')).toEqual({ ...html, charged: 0, cached: true });
    const plain = await ask('text');
    expect(plain).toMatchObject({ charged: text.length, translated: expect.stringContaining(' & ') });
    expect(await ask()).toEqual({ ...plain, charged: 0, cached: true });
    expect(await ask('xml')).not.toHaveProperty('cached');
  });
});

describe('XML', () => {
  it('has inline tags in sentences only, and CDATA sections', async () => {
    const main = await memberWith(1_000);
    const xml =
      '<?xml version="1.0"?><s><t k="头发">头发<g id="1"/>很长</t><t><![CDATA[头发 & <b>]]></t><code>发现</code></s>';
    const ask = { source: 'zh-Hans', target: 'zh-Hant', format: 'xml' as const, text: xml };
    expect(await translateOne(main.client, ask)).toMatchObject({
      translated: xml
        .replace('>头发<', '>頭髮<')
        .replace('很长', '很長')
        .replace('[头发', '[頭髮')
        .replace('发现', '發現'),
      charged: 4 + '头发 & <b>'.length + 2,
    });
  });
});

it('refuses an unknown format, and another format under the same key', async () => {
  const main = await memberWith(1_000);
  expect(await main.client.send(translateText, { ...french, text: 'Hello', format: 'rtf' as 'html' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'format', code: 'WRONG_VALUE' }] },
  });
  const keyed = main.client.with({ 'Idempotency-Key': 'markup' });
  const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '<b>头发</b>' };
  await translateOne(keyed, { ...ask, format: 'html' });
  expect(await keyed.send(translateText, ask)).toMatchObject({ body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

it('holds what the sentences have, whatever stands around them', async () => {
  expect((await Markup.read(PAGE, 'html'))?.codePoints).toBe(PAGE_COST);
});
