/** The checks that bundle.spec.ts makes of every prerendered page, in both languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOK_EVENTS } from '@yiqiao/domain/webhooks';
import { isPrerenderedFor } from '../paths.js';

type Page = { address: string; language: 'zh' | 'en'; listed: boolean; html: string };
/** `idle`: the scripts that every page loads when the browser is idle. */
type Folders = { client: string; server: string; idle: readonly string[] };
type Renderer = { render: (request: Record<string, unknown>) => Promise<string> };

const SITE = 'https://yiqiao.example';
/** Compressed script of the first page, messages included (docs/performance.md). */
const MAX_SCRIPT = 100_000;
const MAX_SCRIPT_WITH_IDLE = 106_000;

const PLANS = [
  {
    id: 3,
    name: '专业版',
    enName: 'Professional',
    tier: 'professional',
    translationBillingMode: 'char',
    num: 5_000_000,
  },
  {
    id: 7,
    name: '标准<包月>',
    enName: 'Standard "Monthly"',
    tier: 'standard',
    translationBillingMode: 'time',
    num: 43_200,
  },
].map((plan) => ({
  ...plan,
  salePrice: 19_800,
  createChildUser: true,
  tranChannelId: null,
  referenceChannelId: 2,
  voiceNum: 1,
  imageNum: 1,
}));
const both = (text: string) => ({ zh: `${text}中`, en: text });
const DATA = {
  siteInfo: { brand: both('Bridge'), company: both('"We" <b>'), copyright: both('©'), record: null, logo: '' },
  plans: PLANS,
  prices: [
    { id: 2, price: 40 },
    { id: 6, price: 80 },
  ],
  trial: { charNum: 6_000, voiceNum: 21, imageNum: 22 },
  downloads: '[]',
  service: [],
};

const all = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, found]) => found ?? '');
const one = (html: string, pattern: RegExp): string => {
  const found = all(html, pattern);
  if (found.length !== 1) throw new Error(`${pattern.source}: ${found.length}`);
  return found[0] ?? '';
};

export function checkPrerenderedPages(folders: () => Folders): void {
  let pages: Page[] = [];
  let render: Renderer['render'];
  beforeAll(async () => {
    const { server } = folders();
    const list = JSON.parse(readFileSync(join(server, 'pages.json'), 'utf8')) as { pages: (Page & { file: string })[] };
    pages = list.pages.map((page) => ({ ...page, html: readFileSync(join(server, page.file), 'utf8') }));
    ({ render } = (await import(pathToFileURL(join(server, 'render.js')).href)) as Renderer);
  });
  const each = (look: (page: Page) => unknown): [string, unknown][] =>
    pages.map((page) => [`${page.address} ${page.language}`, look(page)]);
  const odd = (isRight: (page: Page) => boolean): string[] =>
    pages.filter((page) => !isRight(page)).map(({ address, language }) => `${address} ${language}`);

  it('load their styles first: scripts and fonts come later on a slow connection', () => {
    const waits = (html: string): string[] =>
      all(html, /(<(?:script type="module"|link rel="(?:modulepreload|preload)")[^>]*>)/g);
    expect(each(({ html }) => waits(html).filter((tag) => !tag.includes(' fetchpriority="low"')))).toEqual(
      each(() => []),
    );
    expect(odd(({ html }) => waits(html).length >= 4)).toEqual([]);
    expect(odd(({ html }) => !/<link rel="stylesheet"[^>]*fetchpriority/.test(html))).toEqual([]);
  });

  it('are there in both languages: every public page, every section of the tutorial, both forms of login', () => {
    const addresses = new Set(pages.map(({ address }) => address));
    expect(pages).toHaveLength(addresses.size * 2);
    for (const address of [
      '/home',
      '/price',
      '/login',
      '/login?type=2',
      '/productDesc',
      '/productDesc/zzhgl',
      '/refund',
    ])
      expect([address, addresses.has(address)]).toEqual([address, true]);
    expect(addresses.size).toBeGreaterThan(33);
  });

  it('have no script and no style in them: files of this site, and data that nobody runs', () => {
    const scripts = (html: string) => all(html, /<script([^>]*)>/g).map((attributes) => attributes.trim());
    const isOurs = (attributes: string): boolean =>
      /^(?:type="module" crossorigin fetchpriority="low" )?src="\/[^"]+"$/.test(attributes) ||
      attributes === 'type="application/ld+json"';
    expect(odd(({ html }) => scripts(html).length > 2 && scripts(html).every(isOurs))).toEqual([]);
    expect(odd(({ html }) => !/<style|\sstyle=|\son[a-z]+=|javascript:/i.test(html))).toEqual([]);
  });

  it('say in which language they are, and what they are, for people and for those who search', () => {
    expect(
      odd(({ html, language }) => html.includes(`<html lang="${language === 'en' ? 'en-US' : 'zh-CN'}">`)),
    ).toEqual([]);
    expect(odd(({ html }) => /\S · \S/.test(one(html, /<title>([^<]*)<\/title>/g)))).toEqual([]);
    const description = ({ html }: Page): string => one(html, /<meta name="description" content="([^"]*)"/g);
    expect(odd((page) => description(page).length > 6 && !description(page).includes('{{'))).toEqual([]);
    expect(odd(({ html }) => all(html, /<h1[^>]*>(.*?)<\/h1>/gs).length === 1)).toEqual([]);
    const titles = pages.filter(({ listed }) => listed).map(({ html }) => one(html, /<title>([^<]*)<\/title>/g));
    expect(titles.length - new Set(titles).size).toBeLessThanOrEqual(1);
  });

  it('have one address in each language, unless they are for one person or one moment', () => {
    for (const { address, language, listed, html } of pages) {
      const site = 'https://site.invalid';
      const own = `${site}${address}${language === 'en' ? '?lang=en' : ''}`;
      expect([address, all(html, /<link rel="canonical" href="([^"]*)"/g)]).toEqual([address, listed ? [own] : []]);
      const alternates = [...html.matchAll(/rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(
        ([, ...said]) => said,
      );
      const [zh, en] = [`${site}${address}`, `${site}${address}?lang=en`];
      expect(alternates).toEqual(
        listed
          ? [
              ['zh-CN', zh],
              ['en', en],
              ['x-default', zh],
            ]
          : [],
      );
      expect([address, html.includes('<meta name="robots" content="noindex">')]).toEqual([address, !listed]);
      expect(one(html, /property="og:image" content="([^"]*)"/g)).toBe(`${site}/share.png`);
    }
  });

  it('can be read without a script', () => {
    const words = ({ html }: Page): number => html.replace(/^[^]*<body>/, '').replaceAll(/<[^>]*>/g, '').length;
    expect(odd((page) => words(page) > 60)).toEqual([]);
    expect(odd(({ html, address }) => !html.includes('<noscript>') || address === '')).toEqual([]);
  });

  it('describe webhooks for developers, in text that their scripts leave for later', () => {
    const described = pages.filter(({ address }) => address === '/developers');
    expect(described).toHaveLength(2);
    for (const { html } of described) {
      for (const name of Object.keys(WEBHOOK_EVENTS))
        expect([name, html.includes(`>${name}</h3>`)]).toEqual([name, true]);
      for (const text of ['timingSafeEqual', 'hmac.compare_digest', 'hash_equals', 'apiKeyPrefix'])
        expect([text, html.includes(text)]).toEqual([text, true]);
      expect(all(html, /(?:src|href)="(\/assets\/blocks[^"]*)"/g)).toEqual([]);
    }
  });

  it('name only files that were built', () => {
    const { client } = folders();
    const files = new Set(pages.flatMap(({ html }) => all(html, /(?:src|href)="(\/assets\/[^"]+)"/g)));
    expect(files.size).toBeGreaterThan(40);
    expect([...files].filter((file) => readFileSync(join(client, file)).length === 0)).toEqual([]);
  });

  const scriptBytes = ({ html }: Page, more: readonly string[]): number =>
    [...new Set([...all(html, /(?:src|href)="\/([^"]+\.js)"/g), ...more])]
      .map((file) => gzipSync(readFileSync(join(folders().client, file))).length)
      .reduce((sum, bytes) => sum + bytes, 0);

  it(`bring at most ${MAX_SCRIPT / 1000} kB of compressed script, their texts included`, () => {
    const weights = each((page) => scriptBytes(page, [])) as [string, number][];
    expect(weights.filter(([, bytes]) => bytes > MAX_SCRIPT)).toEqual([]);
    expect(weights.filter(([, bytes]) => bytes < 80_000)).toEqual([]); // else something was not counted
  });

  it(`bring at most ${MAX_SCRIPT_WITH_IDLE / 1000} kB with what every page loads when the browser is idle`, () => {
    const { idle } = folders();
    const weights = each((page) => scriptBytes(page, idle)) as [string, number][];
    expect(weights.filter(([, bytes]) => bytes > MAX_SCRIPT_WITH_IDLE)).toEqual([]);
  });

  it('fetch their own faces with them, and no Chinese one in English', () => {
    const fonts = ({ html }: Page): string[] => all(html, /as="font"[^>]* href="\/assets\/([^"]+?)-[\w-]{8}\.woff2"/g);
    expect(odd((page) => fonts(page).length > 0 && fonts(page).length < 5)).toEqual([]);
    expect(odd((page) => page.language === 'zh' || !fonts(page).some((name) => name.includes('-sc-')))).toEqual([]);
    expect(fonts(pages.find(({ address }) => address === '/home') ?? pages[0]!)).toContain('yq-display-sc-site');
  });

  describe('rendered again with data', () => {
    const renderWithData = (address: string, language: string) =>
      render({ address, language, data: DATA, publicUrl: SITE });

    it('show the sentence to try unless it is switched off', async () => {
      const home = (data: object) => render({ address: '/home', language: 'en', data, publicUrl: SITE });
      expect(await home(DATA)).toContain('home-try');
      const without = await home({ ...DATA, noTry: true });
      expect(without).not.toContain('home-try');
      expect(without).toContain('home-hero');
    });

    it.each(['zh', 'en'] as const)('show the packages, also to those who search (%s)', async (language) => {
      const html = await renderWithData('/price', language);
      const offers = all(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs).map(
        (text) => JSON.parse(text) as { name: string; offers: Record<string, string> },
      );
      const name = language === 'zh' ? 'Bridge中 · 标准<包月>' : 'Bridge · Standard "Monthly"';
      expect(offers.map((offer) => offer.name)).toContain(name);
      expect(offers[0]?.offers).toMatchObject({ price: '198.00', priceCurrency: 'CNY' });
      expect(html.match(/type="radio"/g)).toHaveLength(2);
      expect(html).toContain(language === 'zh' ? '按谷歌翻译单价' : 'at Google’s price');
      expect(html).toContain(
        language === 'zh' ? '6,000 字符、语音 21 次、图片 22 张' : '6,000 characters, 21 voice and 22 images',
      );
      expect(html).toContain(language === 'zh' ? '2,500,000 字符' : '2,500,000 characters');
      expect(html).not.toMatch(/标准<包月>(?!.*<\/script>)/);
    });

    it('carry what they show and no more, and speak for whoever owns the site', async () => {
      const dataIn = (html: string): unknown =>
        JSON.parse(
          one(html, /name="site-data" content="([^"]*)"/g)
            .replaceAll('&quot;', '"')
            .replaceAll('&lt;', '<')
            .replaceAll('&gt;', '>')
            .replaceAll('&amp;', '&'),
        );
      const { siteInfo, service, plans, prices, trial, downloads } = DATA;
      const everywhere = { siteInfo, service, trial, origin: SITE };
      expect(dataIn(await renderWithData('/home', 'en'))).toEqual(everywhere);
      expect(dataIn(await renderWithData('/price', 'en'))).toEqual({ ...everywhere, plans, prices });
      expect(dataIn(await renderWithData('/download', 'en'))).toEqual({ ...everywhere, downloads });
      const home = await renderWithData('/home', 'zh');
      expect(one(home, /<title>([^<]*)<\/title>/g)).toContain('Bridge中');
      expect(home).toContain('&quot;We&quot; &lt;b&gt;');
    });

    it('speak two languages side by side', async () => {
      const [zh = '', en = ''] = await Promise.all([renderWithData('/useDoc', 'zh'), renderWithData('/useDoc', 'en')]);
      expect([/<h1[^>]*>\p{Script=Han}/u.test(zh), /<h1[^>]*>[A-Z]/.test(en)]).toEqual([true, true]);
    });

    it('are refused for an address that is no page', async () => {
      await expect(renderWithData('/nowhere', 'zh')).rejects.toThrow('no page at /nowhere');
    });
  });

  it('are taken over where they stand, and nowhere else', () => {
    const at = (href: string) => new URL(href, SITE);
    expect(isPrerenderedFor('/home', at('/HOME/?inviteCode=ABCD#x'))).toBe(true);
    expect(isPrerenderedFor('/login?type=2', at('/login?inviteCode=ABCD&type=2'))).toBe(true);
    expect(isPrerenderedFor('/login?type=2', at('/login?type=1'))).toBe(false);
    expect(isPrerenderedFor('/home', at('/productDesc/x'))).toBe(false);
  });
}
