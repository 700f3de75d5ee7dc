/** The site as the api serves it: compression, caching, language, addresses. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { type Answer, type Asked, pagePolicy, SCRIPT, servedSite } from './support/served-site.js';

const { ask } = servedSite();

describe('compression and caching', () => {
  const accepting = (encoding: string): Asked => ({ headers: { 'Accept-Encoding': encoding } });
  const unpacked = ({ headers, bytes }: Answer): string => {
    const how = { br: brotliDecompressSync, gzip: gunzipSync }[headers['content-encoding'] ?? ''];
    return String(how ? how(bytes) : bytes);
  };

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('of an asset for a client that accepts "%s"', async (encoding, as) => {
    const answer = await ask('/assets/app-abc123.js', accepting(encoding));
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      vary: expect.stringMatching(/^accept-encoding$/i),
    });
    expect(answer.headers['content-encoding']).toBe(as);
    expect(unpacked(answer)).toBe(SCRIPT);
  });

  it('of an asset without precompressed files, which is compressed on the fly; such files have no address', async () => {
    expect(unpacked(await ask('/assets/small-abc123.css', accepting('br')))).toBe('a{}');
    expect(unpacked(await ask('/assets/small-abc123.css'))).toBe('a{}');
    expect((await ask('/assets/app-abc123.js.br')).status).toBe(404);
    expect((await ask('/.vite/manifest.json')).headers['content-type']).toContain('text/html');
  });

  it('of a file without a hash in its name, which is revalidated each time', async () => {
    const { headers } = await ask('/theme.js', accepting('br'));
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    const again = await ask('/theme.js', { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['deflate', undefined],
  ])('of an API response for a client that accepts "%s"', async (encoding, as) => {
    const answer = await ask(`${BASE_PATH}/translationLanguages/list`, accepting(encoding));
    expect(answer.headers['content-encoding']).toBe(as);
    expect(JSON.parse(unpacked(answer))).toMatchObject({ success: true });
  });

  it('of the page, which has the same policy under its file’s name', async () => {
    expect((await ask('/index.html')).headers['content-security-policy']).toBe(pagePolicy("'none'"));
  });
});

describe('a public page', () => {
  const fetchPage = async (target: string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(target, { headers });

  it('is rendered with current data, in the language of the address, the cookie, or Chinese, in this order', async () => {
    for (const [target, cookie, language] of [
      ['/home', '', 'zh'],
      ['/home', 'theme=dark; language=en', 'en'],
      ['/home?lang=zh', 'language=en', 'zh'],
      ['/home?lang=en', '', 'en'],
      ['/productDesc/zzhgl?lang=en', '', 'en'],
    ] as const) {
      const { headers, bytes } = await fetchPage(target, { Cookie: cookie });
      expect(String(bytes)).toContain(`<html lang="${language}">`);
      expect(String(bytes)).toMatch(new RegExp(`>${target.split('?')[0]} http://localhost:0 [1-9]`));
      expect(headers['content-language']).toBe(language === 'zh' ? 'zh-CN' : 'en');
    }
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('has the same content compressed for a client that accepts "%s"', async (encoding, as, unpack) => {
    const plain = await fetchPage('/price');
    const { headers, bytes } = await fetchPage('/price', { 'Accept-Encoding': encoding });
    expect([headers['content-encoding'], headers.etag]).toEqual([as, plain.headers.etag]);
    expect(unpack(bytes).equals(plain.bytes)).toBe(true);
  });

  it('is not sent again to a client that has it, but still has its policy', async () => {
    const { headers } = await fetchPage('/price');
    const tag = headers.etag ?? '';
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`]) {
      const again = await fetchPage('/price', { 'If-None-Match': known });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag]);
      expect(again.headers['content-security-policy']).toBe(pagePolicy("'none'"));
    }
    expect((await fetchPage('/price', { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await fetchPage('/price', { 'If-None-Match': tag, Cookie: 'language=en' })).status).toBe(200);
  });
});

describe('search engines', () => {
  it('are told which pages to skip', async () => {
    const lines = String((await ask('/robots.txt')).bytes).split('\n');
    for (const path of [`${BASE_PATH}/`, '/deepl/', '/immersive/', '/User', '/user', '/login', '/PaySuccess'])
      expect(lines).toContain(`Disallow: ${path}`);
    expect(lines.at(-2)).toMatch(/^Sitemap: http.*\/sitemap\.xml$/);
  });

  it('find every public page in both languages', async () => {
    const map = String((await ask('/sitemap.xml')).bytes);
    const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url ?? ''));
    for (const path of ['/home', '/price', '/useDoc', '/contactUs', '/download', '/productDesc', '/privacy', '/refund'])
      expect(listed.filter(({ pathname }) => pathname === path).map(({ search }) => search)).toEqual(['', '?lang=en']);
    // Sections of the tutorial have their own addresses; the log-in form is not indexed.
    expect(listed.map(({ pathname }) => pathname)).toContain('/productDesc/zzhgl');
    const [home = ''] = /<url><loc>[^<]*\/home<.*?<\/url>/.exec(map) ?? [];
    for (const [language, address] of [
      ['zh-CN', '/home'],
      ['en', '/home?lang=en'],
      ['x-default', '/home'],
    ])
      expect(home).toMatch(new RegExp(`hreflang="${language}" href="http[^"]*${address?.replace('?', '\\?')}"`));
    expect(listed.some(({ pathname }) => /login|PaySuccess|User/.test(pathname))).toBe(false);
  });
});
