/** The security headers of each kind of response. */
import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { defaultDocuments } from '@yiqiao/contracts/default-documents';
import { Site } from '../src/site/site.js';
import { formTargets } from '../src/web/content-policy.js';
import { type Answer, type Asked, GATE, pagePolicy, servedSite } from './support/served-site.js';
import { waitUntil } from './support/wait-until.js';

const site = servedSite();
const { ask } = site;

const DATA = "default-src 'none'; frame-ancestors 'none'";
/** Pages of the console post forms only to the gateway. */
const gateway = (): string => new URL(site.api.env['ALIPAY_GATEWAY_URL'] ?? '').origin;
const consolePage = (nonce: string): string =>
  `default-src 'none'; script-src 'self' 'sha256-${hash('sha256', GATE, 'base64')}'; style-src 'self' 'nonce-${nonce}'; ` +
  `img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self' ${gateway()}; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; ` +
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
  ['a page that is posted to', 405, '/price', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['a page of the console that is posted to', 405, '/UserCenterIndex', { method: 'POST' }],
  ['an asset that is taken away', 405, '/assets/app-abc123.js', { method: 'DELETE' }],
  ['an asset that is gone, and is put there', 404, '/assets/app-old.js', { method: 'PUT' }],
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
  ['liveness', 200, '/livez', {}],
  ['readiness', 200, '/readyz', {}],
  ['health, while no worker runs', 503, '/health', {}],
  ['metrics, which nobody serves here', 404, '/metrics', {}],
  ['a probe by a name that is not served', 404, '/healthz', {}],
  ['a name below a probe', 404, '/readyz/database', {}],
  ['a name below a probe, in capitals', 404, '/Health/x', {}],
  ['a name below a probe that is posted to', 404, '/livez/x', { method: 'POST' }],
];

describe('every response', () => {
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

  it.each(PAGES)('%s allows our own scripts, and no inline styles', async (_, __, target, asked) => {
    const { headers } = await ask(target, asked);
    expect(headers['content-security-policy']).toBe(pagePolicy("'none'"));
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Cookie, Accept-Encoding' });
    expect(headers['permissions-policy']).toContain('microphone=()');
  });

  it.each(CONSOLE_PAGES)('%s has a fresh nonce for libraries that insert styles', async (_, __, target) => {
    const answers = [await ask(target), await ask(target)];
    const nonces = answers.map(nonceIn);
    expect(new Set(nonces).size).toBe(2);
    answers.forEach(({ headers }, n) => {
      expect(headers['content-security-policy']).toBe(consolePage(nonces[n] ?? ''));
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['permissions-policy']).toContain('microphone=(self)');
    });
    expect(nonces[0]).toMatch(/^[\w-]{22}$/);
    expect(String(answers[0]?.bytes)).toContain(`<style nonce="${nonces[0] ?? ''}">`);
  });

  it.each(DATA_ANSWERS)('%s is inert in a browser', async (_, __, target, asked) => {
    expect((await ask(target, asked)).headers['content-security-policy']).toBe(DATA);
  });

  it('a customer service code is a cacheable picture', async () => {
    const { app } = site.api;
    await app.get(Site).seed(defaultDocuments({ production: false }));
    // A client that asked a moment ago may still get a cached absence.
    const code = await waitUntil(
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

  it('an internal error reveals nothing, and is inert in a browser', async () => {
    await site.api.db.query('ALTER TABLE data_config RENAME TO data_config_away');
    try {
      const { status, headers, bytes } = await ask(`${BASE_PATH}/dataCus/get?id=USDT_PAY_INFO`);
      expect([status, headers['content-security-policy'], headers['x-frame-options']]).toEqual([500, DATA, 'DENY']);
      expect(String(bytes)).not.toMatch(/data_config|relation/);
    } finally {
      await site.api.db.query('ALTER TABLE data_config_away RENAME TO data_config');
    }
  });

  it('only the agreement may be framed, and only by ourselves', async () => {
    for (const target of ['/term-and-condition', '/term-and-condition/', '/Term-And-Condition?lang=en']) {
      const { headers } = await ask(target);
      expect(headers['content-security-policy']).toBe(pagePolicy("'self'"));
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    }
    for (const target of ['/term-and-conditions', '/term-and-condition/x'])
      expect((await ask(target)).headers['x-frame-options']).toBe('DENY');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'a read-only address returns 404 or 405 to %s',
    async (method) => {
      const readable = [
        '/',
        '/home',
        '/nowhere',
        '/UserCenterIndex',
        '/sitemap.xml',
        '/robots.txt',
        '/health',
        '/theme.js',
      ];
      for (const target of [...readable, '/price?lang=en', '/assets/app-abc123.js', '/:odd(', '/*']) {
        const { status, headers, bytes } = await ask(target, { method });
        expect([target, status, headers['allow']]).toEqual([target, 405, 'GET, HEAD']);
        expect(JSON.parse(String(bytes))).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED', status: 405 });
      }
      for (const target of ['/assets/app-old.js', api404, BASE_PATH, '/operator-api', '/operator-api/sign-in']) {
        const { status, headers } = await ask(target, { method });
        expect([target, status, headers['allow']]).toEqual([target, 404, undefined]);
      }
    },
  );

  it('an SVG keeps its inline style', async () => {
    const { headers } = await ask('/favicon.svg');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
  });
});

describe('redirects', () => {
  const AWAY = ['//evil.example', 'https://evil.example', '/\\evil.example', '/%2F%2Fevil.example', '/%5Cevil.example'];
  const NAMES = ['redirect', 'next', 'returnUrl', 'url', 'to', 'inviteCode', 'payInfo', 't'];

  it('never come from a page, whatever the request is', async () => {
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

  it('never come from an API call', async () => {
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

describe('the form-action policy of our pages', () => {
  const targets = (gatewayUrl: string, appId?: string): string[] =>
    formTargets({ env: { ALIPAY_APP_ID: appId, ALIPAY_GATEWAY_URL: gatewayUrl } } as Parameters<typeof formTargets>[0]);

  it('allows no other host without Alipay, and otherwise the hosts that the real gateway redirects to', () => {
    expect(targets('https://openapi.alipay.com/gateway.do')).toEqual([]);
    expect(targets('http://localhost:8081/gateway.do', '2021')).toEqual(['http://localhost:8081']);
    expect(targets('https://openapi.alipay.com/gateway.do', '2021')).toEqual([
      'https://openapi.alipay.com',
      'https://*.alipay.com',
    ]);
    expect(targets('https://notalipay.com/gateway.do', '2021')).toEqual(['https://notalipay.com']);
  });
});
