/** The site as the api delivers it: what each kind of answer lets a browser do, how it travels, how long it is kept. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { firstDocuments } from '../src/site/first-documents.js';
import { Site } from '../src/site/site.js';
import { startApi, type TestApi } from './support/api.js';
import { until } from './support/until.js';

const SCRIPT = 'console.log("译桥");\n'.repeat(200);
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><style>path{fill:red}</style></svg>';
const PAGE = '<!doctype html><html><head><title>译桥</title></head><body><div id="root"></div></body></html>';

/** The program that draws public pages, as small as it can be: what it is told stands in what it draws. */
const PROGRAM = `export const render = async ({ address, language, data, publicUrl }) =>
  '<!doctype html><html lang="' + language + '"><head></head><body>' + [address, publicUrl, data.plans.length].join(' ') + ' 译桥'.repeat(500);`;
const DRAWN = [
  '/home',
  '/price',
  '/login',
  '/term-and-condition',
  '/productDesc',
  '/productDesc/zzhgl',
  '/useDoc',
  '/contactUs',
];
const drawnPages = [...DRAWN, '/download', '/privacy', '/refund'].flatMap((address) =>
  ['zh', 'en'].map((language) => ({ address, language, listed: address !== '/login', file: 'pages/some.html' })),
);

let site: string;
let api: TestApi;
let gateway: string;

/** A site as the build leaves it: hashed assets with their packed forms beside them. */
async function buildSite(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-'));
  for (const name of ['dist/assets', 'dist/.vite', 'dist-server/pages'])
    await mkdir(path.join(folder, name), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'dist/index.html': PAGE,
    'dist/theme.js': SCRIPT,
    'dist/favicon.svg': DRAWING,
    'dist/.vite/manifest.json': '{}',
    'dist/assets/app-abc123.js': SCRIPT,
    'dist/assets/app-abc123.js.br': brotliCompressSync(SCRIPT),
    'dist/assets/app-abc123.js.gz': gzipSync(SCRIPT),
    'dist/assets/small-abc123.css': 'a{}',
    'dist-server/render.js': PROGRAM,
    'dist-server/pages.json': JSON.stringify({ publicUrl: 'https://site.invalid', data: {}, pages: drawnPages }),
    'dist-server/pages/some.html': PAGE,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

beforeAll(async () => {
  site = await buildSite();
  api = await startApi({ WEB_DIR: path.join(site, 'dist') });
  gateway = new URL(api.env['ALIPAY_GATEWAY_URL'] ?? '').origin;
  // Pages are drawn anew soon after the packages are there; this one last.
  await until(
    () => ask('/refund?lang=en'),
    ({ bytes }) => /localhost:0 [1-9]/.test(String(bytes)),
  );
});
afterAll(async () => {
  await api.stop();
  await rm(site, { recursive: true });
});

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };
type Asked = { method?: string; headers?: Record<string, string>; body?: string; open?: boolean };

/** A request without the manners of a client: nothing is unpacked or followed. `open`: its head alone, of an answer that does not end. */
const ask = (target: string, { method = 'GET', headers = {}, body, open = false }: Asked = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = http.request(api.url + target, { method, headers }, (response) => {
      const answer = { status: response.statusCode ?? 0, headers: response.headers };
      const chunks: Buffer[] = [];
      if (open) {
        resolve({ ...answer, bytes: Buffer.alloc(0) });
        request.destroy();
        return;
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ ...answer, bytes: Buffer.concat(chunks) }));
    });
    request.on('error', (error) => (open ? undefined : reject(error)));
    request.end(body);
  });

const DATA = "default-src 'none'; frame-ancestors 'none'";
const page = (ancestors: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
  `form-action 'self'; frame-src 'self'; frame-ancestors ${ancestors}; base-uri 'none'; object-src 'none'; manifest-src 'self'`;
const consolePage = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; ` +
  `connect-src 'self'; form-action 'self' ${gateway}; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; ` +
  `object-src 'none'; manifest-src 'self'; media-src 'self' data: blob:`;

const nonceIn = ({ bytes }: Answer): string =>
  /<meta property="csp-nonce" nonce="([^"]+)" \/>/.exec(String(bytes))?.[1] ?? '';

type Kind = [what: string, status: number, target: string, asked: Asked];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const api404 = `${BASE_PATH}/nothing`;
const PAGES: Kind[] = [
  ['the front page', 200, '/', {}],
  ['a public page', 200, '/home', {}],
  ['a page that is asked about', 200, '/price', { method: 'HEAD' }],
  ['an unknown page', 200, '/nowhere', {}],
  ['the way out', 200, '/UserCenterExit', {}],
  ['the form to log in', 200, '/login?type=1', {}],
];
const CONSOLE_PAGES: Kind[] = [
  ['a page of the console', 200, '/UserCenterIndex', {}],
  ['one in other letters', 200, '/usercenterindex', {}],
  ['one by its old address', 200, '/userCenter/UserCenterIndex', {}],
  ['the workspace', 200, '/UserWorkSpace', {}],
];
const DATA_ANSWERS: Kind[] = [
  ['what the API answers', 200, `${BASE_PATH}/tranChannel/list`, {}],
  ['a refusal', 401, `${BASE_PATH}/user/get`, {}],
  ['a call that is not there', 404, api404, {}],
  ['an address that cannot be read', 404, `${BASE_PATH}/%zz`, {}],
  ['a wrong method', 405, `${BASE_PATH}/login/login`, {}],
  [
    'a body that is too large',
    413,
    `${BASE_PATH}/login/login`,
    { method: 'POST', headers: JSON_TYPE, body: `"${'a'.repeat(300_000)}"` },
  ],
  [
    'a body of another kind',
    415,
    `${BASE_PATH}/login/login`,
    { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'a' },
  ],
  ['a stream', 200, `${BASE_PATH}/notice/openSse/web-e2e-0001`, { open: true }],
  ['an asset', 200, '/assets/app-abc123.js', {}],
  ['an asset that is gone', 404, '/assets/app-old.js', {}],
  ['a file beside them', 200, '/theme.js', {}],
  ['a code that nobody has', 404, '/qr/000000000000000000000000-80x80.png', {}],
  ['what robots ask', 200, '/robots.txt', {}],
  ['the map of the site', 200, '/sitemap.xml', {}],
  ['health', 200, '/health', {}],
];

describe('every answer', () => {
  it.each([...PAGES, ...CONSOLE_PAGES, ...DATA_ANSWERS])('%s (%i)', async (_, status, target, asked) => {
    const { headers, ...answer } = await ask(target, asked);
    expect(answer.status).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringMatching(/camera=\(\), .*microphone=\((self)?\), .*payment=\(\)/),
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it.each(PAGES)('%s may run what is ours, and no style of its own', async (_, __, target, asked) => {
    const { headers } = await ask(target, asked);
    expect(headers['content-security-policy']).toBe(page("'none'"));
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Cookie, Accept-Encoding' });
    expect(headers['permissions-policy']).toContain('microphone=()');
  });

  it.each(CONSOLE_PAGES)('%s hands a nonce of its own to what makes styles', async (_, __, target) => {
    const answers = [await ask(target), await ask(target)];
    const nonces = answers.map(nonceIn);
    expect(new Set(nonces).size).toBe(2);
    answers.forEach(({ headers }, n) => {
      expect(headers['content-security-policy']).toBe(consolePage(nonces[n] ?? ''));
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['permissions-policy']).toContain('microphone=(self)');
    });
    expect(nonces[0]).toMatch(/^[\w-]{22}$/);
  });

  it.each(DATA_ANSWERS)('%s does nothing in a browser', async (_, __, target, asked) => {
    expect((await ask(target, asked)).headers['content-security-policy']).toBe(DATA);
  });

  it('a code of the customer service is a picture, and kept', async () => {
    const { app } = api;
    await app.get(Site).seed(firstDocuments({ production: false }));
    // Whoever asked a moment ago may still be answered that there is none.
    const code = await until(
      async () => {
        const list = await ask(`${BASE_PATH}/customer-service/list?height=80&width=80`);
        return /"qrCode":"[^"]*?(\/qr\/[^"]+)"/.exec(String(list.bytes))?.[1] ?? '';
      },
      (found) => found !== '',
    );
    const { status, headers } = await ask(code);
    expect([status, headers['content-type'], headers['content-security-policy']]).toEqual([200, 'image/png', DATA]);
    expect(headers).toMatchObject({ 'cache-control': expect.stringContaining('immutable'), 'x-frame-options': 'DENY' });
  });

  it('a failure of ours says nothing, and does nothing in a browser', async () => {
    await api.db.query('ALTER TABLE data_config RENAME TO data_config_away');
    try {
      const { status, headers, bytes } = await ask(`${BASE_PATH}/dataCus/get?id=USDT_PAY_INFO`);
      expect([status, headers['content-security-policy'], headers['x-frame-options']]).toEqual([500, DATA, 'DENY']);
      expect(String(bytes)).not.toMatch(/data_config|relation/);
    } finally {
      await api.db.query('ALTER TABLE data_config_away RENAME TO data_config');
    }
  });

  it('only the agreement may be framed, and only by ourselves', async () => {
    for (const target of ['/term-and-condition', '/term-and-condition/', '/Term-And-Condition?lang=en']) {
      const { headers } = await ask(target);
      expect(headers['content-security-policy']).toBe(page("'self'"));
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    }
    for (const target of ['/term-and-conditions', '/term-and-condition/x'])
      expect((await ask(target)).headers['x-frame-options']).toBe('DENY');
  });

  it('a drawing keeps the style that stands in it', async () => {
    const { headers } = await ask('/favicon.svg');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
  });
});

describe('how it travels', () => {
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
  ])('an asset, for who takes "%s"', async (encoding, as) => {
    const answer = await ask('/assets/app-abc123.js', accepting(encoding));
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      vary: expect.stringMatching(/^accept-encoding$/i),
    });
    expect(answer.headers['content-encoding']).toBe(as);
    expect(unpacked(answer)).toBe(SCRIPT);
  });

  it('an asset without packed forms is packed on its way, and the packed ones have no address', async () => {
    expect(unpacked(await ask('/assets/small-abc123.css', accepting('br')))).toBe('a{}');
    expect(unpacked(await ask('/assets/small-abc123.css'))).toBe('a{}');
    expect((await ask('/assets/app-abc123.js.br')).status).toBe(404);
    expect((await ask('/.vite/manifest.json')).headers['content-type']).toContain('text/html');
  });

  it('a file without a hash in its name is asked for each time', async () => {
    const { headers } = await ask('/theme.js', accepting('br'));
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    const again = await ask('/theme.js', { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['deflate', undefined],
  ])('an answer of the API, for who takes "%s"', async (encoding, as) => {
    const answer = await ask(`${BASE_PATH}/translationLanguages/list`, accepting(encoding));
    expect(answer.headers['content-encoding']).toBe(as);
    expect(JSON.parse(unpacked(answer))).toMatchObject({ success: true });
  });

  it('the page is not to be had by its file’s name with other rights', async () => {
    expect((await ask('/index.html')).headers['content-security-policy']).toBe(page("'none'"));
  });
});

describe('a public page', () => {
  const drawn = async (target: string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(target, { headers });

  it('is drawn with what there is, in the language of the address, else of the cookie, else in Chinese', async () => {
    for (const [target, cookie, language] of [
      ['/home', '', 'zh'],
      ['/home', 'theme=dark; language=en', 'en'],
      ['/home?lang=zh', 'language=en', 'zh'],
      ['/home?lang=en', '', 'en'],
      ['/productDesc/zzhgl?lang=en', '', 'en'],
    ] as const) {
      const { headers, bytes } = await drawn(target, { Cookie: cookie });
      expect(String(bytes)).toContain(`<html lang="${language}">`);
      expect(String(bytes)).toMatch(new RegExp(`>${target.split('?')[0]} http://localhost:0 [1-9]`));
      expect(headers['content-language']).toBe(language === 'zh' ? 'zh-CN' : 'en');
    }
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('travels packed for who takes "%s", and says the same', async (encoding, as, unpack) => {
    const plain = await drawn('/price');
    const { headers, bytes } = await drawn('/price', { 'Accept-Encoding': encoding });
    expect([headers['content-encoding'], headers.etag]).toEqual([as, plain.headers.etag]);
    expect(unpack(bytes).equals(plain.bytes)).toBe(true);
  });

  it('is not sent again to who has it, yet says how it may be used', async () => {
    const { headers } = await drawn('/price');
    const tag = headers.etag ?? '';
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`]) {
      const again = await drawn('/price', { 'If-None-Match': known });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag]);
      expect(again.headers['content-security-policy']).toBe(page("'none'"));
    }
    expect((await drawn('/price', { 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await drawn('/price', { 'If-None-Match': tag, Cookie: 'language=en' })).status).toBe(200);
  });
});

describe('search engines', () => {
  it('are told what nobody searches for', async () => {
    const lines = String((await ask('/robots.txt')).bytes).split('\n');
    for (const path of [`${BASE_PATH}/`, '/User', '/user', '/login', '/PaySuccess'])
      expect(lines).toContain(`Disallow: ${path}`);
    expect(lines.at(-2)).toMatch(/^Sitemap: http.*\/sitemap\.xml$/);
  });

  it('find every public page in both languages', async () => {
    const map = String((await ask('/sitemap.xml')).bytes);
    const listed = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url ?? ''));
    for (const path of ['/home', '/price', '/useDoc', '/contactUs', '/download', '/productDesc', '/privacy', '/refund'])
      expect(listed.filter(({ pathname }) => pathname === path).map(({ search }) => search)).toEqual(['', '?lang=en']);
    // Sections of the tutorial have addresses of their own; the form to log in is nobody's search result.
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

describe('no address leads away', () => {
  const AWAY = ['//evil.example', 'https://evil.example', '/\\evil.example', '/%2F%2Fevil.example', '/%5Cevil.example'];
  const NAMES = ['redirect', 'next', 'returnUrl', 'url', 'to', 'inviteCode', 'payInfo', 't'];

  it('no page answers by sending the browser on, whatever it is asked', async () => {
    const targets = [...PAGES, ...CONSOLE_PAGES].flatMap(([, , target]) =>
      NAMES.map((name) => `${target}${target.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(AWAY[0] ?? '')}`),
    );
    const odd = [
      '//evil.example',
      '//evil.example/%2e%2e',
      '/%2F%2Fevil.example/',
      '/assets//evil.example',
      '/home//evil.example',
    ];
    for (const target of [...targets, ...odd]) {
      const { status, headers } = await ask(target);
      expect([target, headers.location, headers['refresh']]).toEqual([target, undefined, undefined]);
      expect([target, Math.floor(status / 100)]).not.toEqual([target, 3]);
    }
  });

  it('no call answers by sending the browser on', async () => {
    for (const { method, path } of endpoints.filter(({ stream }) => !stream))
      for (const away of AWAY) {
        const query = `?returnUrl=${encodeURIComponent(away)}`;
        const { status, headers } = await ask(`${BASE_PATH}${path}${query}`, {
          method,
          headers: { Referer: away, 'X-Forwarded-Host': 'evil.example' },
        });
        expect([path, headers.location, status >= 300 && status < 400]).toEqual([path, undefined, false]);
      }
  });
});
