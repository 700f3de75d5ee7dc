/** Protected pieces must survive a translation, over HTTP with good and faulty vendors of the sandbox. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getUser } from '@yiqiao/contracts/user';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, setChars, setPrices } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { translateOne } from './support/translate.js';
import { type VendorEnvironment, vendorEnvironment } from './support/vendor-environment.js';

const IDS = { google: 2, microsoft: 3, tencent: 4, youdao: 5, deepl: 6, chatgpt: 7, libretranslate: 8 } as const;
const CODES = Object.keys(IDS) as VendorCode[];

/** All protected kinds; \r\n, blank lines and surrounding white space count too. */
const KEPT = [
  'https://example.com/a?b=1&c={id}',
  'li.lei@example.com',
  '@李雷',
  '1,234.56',
  '2026-11-21',
  '10:30',
  '$12.50',
  '¥99',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '{name}',
  '{{count}}',
  '%1$s',
  '%d',
  '<b class="x">',
  '</b>',
  '&nbsp;',
  '{0}',
];
const LONG = `  你好 @李雷 👨‍👩‍👧‍👦，\r\n请看 https://example.com/a?b=1&c={id} 。\n\n<b class="x">价格</b>&nbsp;$12.50 或 ¥99，共 1,234.56 。\n{name} 和 {{count}} 以及 %1$s、%d、{0} 👍🏽\n联系 li.lei@example.com ，2026-11-21 10:30 前。\n`;

let vendors: VendorEnvironment;
let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  vendors = await vendorEnvironment(CODES, 'survival');
  api = await startApi(vendors.env);
  await setPrices(api);
  main = await makeMain(api);
  await setChars(api, main.session.userId, 1_000_000);
});
afterEach(() => Promise.all(CODES.map((code) => vendors.mend(code))));
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const translate = (code: VendorCode, text: string, target = 'en') =>
  translateOne(main.client, { source: 'zh-Hans', target, text, channelId: IDS[code] });
const usable = async () => (await main.client.call(getUser, {})).memberAccount.usableCharNum;
const breaksOf = (text: string) => text.match(/\r\n|\n/g);

describe('protected pieces', () => {
  it.each(CODES)('survive through %s', async (code) => {
    for (const target of ['en', 'ar']) {
      const { translated, warning } = await translate(code, LONG, target);
      for (const piece of KEPT) expect(translated.split(piece)).toHaveLength(LONG.split(piece).length);
      expect(breaksOf(translated)).toEqual(breaksOf(LONG));
      expect(translated.startsWith('  ') && translated.endsWith('\n')).toBe(true);
      expect(warning).toBeNull();
      // The vendor never received them.
      const sent = (await vendors.calls(code))[0]?.sent.join('\n') ?? '';
      expect(sent).toMatch(/\{\d+\}/);
      for (const piece of KEPT.slice(0, -1)) expect(sent).not.toContain(piece);
    }
  });

  it.each(CODES)('are not merged with translated words by %s', async (code) => {
    const links = [
      'https://a.b/c',
      't.me/user_name1',
      'localhost:8080/x',
      'mysite.shop',
      'li.lei@example.com',
      '@小明',
    ];
    const { translated, warning } = await translate(code, `${links.map((link) => `你好${link}`).join('谢谢，')}，谢谢`);
    for (const link of links) {
      const [before, after, ...more] = translated.split(link);
      expect(before).not.toMatch(/[\p{L}\p{N}]$/u);
      expect(after).not.toMatch(/^[\p{L}\p{N}]/u);
      expect(more).toEqual([]);
    }
    expect(warning).toBeNull();
  });

  it('survive when the text is split into many requests', async () => {
    const text = Array.from({ length: 90 }, (_, n) => `第 ${n + 1000} 行：请联系 a${n}@example.com ，谢谢。`).join(
      '\n',
    );
    const asked = (await vendors.calls('tencent')).length;
    const { translated, warning } = await translate('tencent', text);
    for (let n = 0; n < 90; n += 1) {
      expect(translated).toContain(String(n + 1000));
      expect(translated).toContain(`a${n}@example.com`);
    }
    expect(breaksOf(translated)).toHaveLength(89);
    expect(warning).toBeNull();
    expect((await vendors.calls('tencent')).length).toBeGreaterThan(asked + 1);
  });

  it('are requested once more, line by line and free, when line breaks are lost', async () => {
    const text = '你好\n谢谢\n多少钱';
    await vendors.fail('google', { kind: 'lines', times: 1 });
    const before = await usable();
    const { translated, warning, charged } = await translate('google', text);
    expect(translated.split('\n')).toHaveLength(3);
    expect(warning).toBeNull();
    expect(charged).toBe(18);
    expect(await usable()).toBe(before - charged);
  });

  it('come with a warning when lost at the second attempt too, charged once', async () => {
    await vendors.fail('google', { kind: 'lose' });
    const before = await usable();
    const text = '你好 {name}，请看 https://example.com 。';
    const { translated, warning, charged } = await translate('google', text);
    expect(translated).not.toContain('{name}');
    expect(warning).toContain('未能原样保留');
    expect(warning).toContain('{name}');
    expect(charged).toBe(Array.from(text).length * 2);
    expect(await usable()).toBe(before - charged);
  });

  it('need no vendor when there is nothing else', async () => {
    const asked = (await vendors.calls('google')).length;
    const text = ' https://example.com 12:30 {name}\n👍🏽 ';
    expect((await translate('google', text)).translated).toBe(text);
    expect(await vendors.calls('google')).toHaveLength(asked);
  });
});
