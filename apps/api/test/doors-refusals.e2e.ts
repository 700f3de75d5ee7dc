/** What a door refuses before a route of it is reached, and what browsers ask it: in its dialect, open to every page (docs/decisions/0072). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { startApi, type TestApi } from './support/api.js';
import { ask, form, json, keyHolder } from './support/doors.js';
import { holdSlots } from './support/half-request.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;
let secret: string;
let token: string;

beforeAll(async () => {
  // Two commands at once, one of them for an address alone.
  api = await startApi({ LIMIT_REQUESTS_IN_FLIGHT: '2', LIMIT_TRANSLATION_PER_SECOND: '1000' });
  ({ secret, token } = await keyHolder(api));
});
afterAll(() => api.stop());

type Name = keyof typeof DOOR_PATHS;

/** A call of each with what a key and a token are in it, and its words for an error of this status. */
const HAIR = '头发';
const doors: readonly (readonly [name: Name, path: string, body: object, error: (status: number) => unknown])[] = [
  [
    'deepl',
    '/v2/translate',
    { text: [HAIR], source_lang: 'ZH', target_lang: 'ZH-HANT' },
    () => ({ message: expect.any(String) }),
  ],
  [
    'deeplRoot',
    '/translate',
    { text: [HAIR], source_lang: 'ZH', target_lang: 'ZH-HANT' },
    () => ({ message: expect.any(String) }),
  ],
  [
    'google',
    '/language/translate/v2',
    { q: HAIR, source: 'zh-CN', target: 'zh-TW', format: 'text' },
    (code) => ({
      error: {
        code,
        message: expect.any(String),
        errors: [{ domain: expect.any(String) }],
        status: expect.any(String),
      },
    }),
  ],
  ['libretranslate', '/translate', { q: HAIR, source: 'zh', target: 'zt' }, () => ({ error: expect.any(String) })],
  [
    'deeplx',
    '/translate',
    { text: HAIR, source_lang: 'ZH', target_lang: 'ZH-HANT' },
    (code) => ({ code, message: expect.any(String) }),
  ],
  [
    'immersive',
    '',
    { source_lang: 'zh-CN', target_lang: 'zh-TW', text_list: [HAIR] },
    () => ({ error: expect.any(String) }),
  ],
];
const url = (name: Name, path: string): string => `${api.url}${DOOR_PATHS[name]}${path}`;

/** Of pages, of extensions in every browser, and of files and sandboxed frames. */
const ORIGINS = [
  'https://shop.example',
  'chrome-extension://bpoadfkcbjbfhfodiogcnhhhpibjhbnh',
  'moz-extension://0b2b8a1e-3f0c-4b62-9c58-6e6a5d0a9c11',
  'safari-web-extension://0B2B8A1E-3F0C-4B62-9C58-6E6A5D0A9C11',
  'null',
];

function expectOpen(headers: Headers): void {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
}

const BEYOND_ANY_LIMIT = 205_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Refused = { status: number; google?: number; path?: string; init: RequestInit };
const cases: readonly (readonly [what: string, refused: Refused])[] = [
  ['JSON that is none', { status: 400, init: { method: 'POST', headers: JSON_TYPE, body: '{"text":' } }],
  ['a body that is too large', { status: 413, google: 400, init: json({ q: 'a'.repeat(BEYOND_ANY_LIMIT) }) }],
  [
    'another content type',
    { status: 415, init: { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'a' } },
  ],
  [
    'a content type that is none',
    { status: 415, init: { method: 'POST', headers: { 'Content-Type': ';' }, body: 'a' } },
  ],
  ['a compressed body', { status: 415, init: json({}, { 'Content-Encoding': 'gzip' }) }],
  ['an unknown path', { status: 404, path: '/not/there', init: json({}) }],
  ['a path that cannot be decoded', { status: 404, path: '/%zz', init: json({}) }],
  ['another method', { status: 405, init: { method: 'PATCH' } }],
  ['a method that hardly anybody knows', { status: 405, init: { method: 'PROPFIND' } }],
];
const all = doors.flatMap(([name, path, , error]) =>
  cases.map(([what, refused]) => [name, what, path, refused, error] as const),
);

it.each(all)('%s refuses %s in its own words', async (name, _, path, refused, error) => {
  const { init } = refused;
  const status = name === 'google' ? (refused.google ?? refused.status) : refused.status;
  const headers = {
    ...(init.headers as Record<string, string>),
    Authorization: `Bearer ${secret}`,
    Origin: ORIGINS[1] ?? '',
  };
  const reply = await ask(url(name, refused.path ?? path), { ...init, headers });
  expect([reply.status, reply.body]).toMatchObject([status, error(status)]);
  expect(reply.text).not.toContain('"success"');
  expectOpen(reply.headers);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

describe('while the process is busy', () => {
  let letGo: () => void;
  beforeAll(() => {
    letGo = holdSlots(api.url);
  });
  afterAll(() => letGo());

  it.each(doors)('%s refuses strangers in its own words, and serves the keys that it knows', async (...row) => {
    const [name, path, body, error] = row;
    const stranger = json(body, { Authorization: `Bearer yq_${'2'.repeat(40)}` });
    const refused = await waitUntil(
      () => ask(url(name, path), stranger),
      ({ status }) => status === 503,
    );
    expect(refused.body).toMatchObject(error(503) as object);
    expectOpen(refused.headers);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const preflight = await fetch(url(name, path), { method: 'OPTIONS', headers: { Origin: ORIGINS[1] ?? '' } });
    expect(preflight.status).toBe(204);

    const known = knownCall(name, path, body);
    // Between two strangers the slots of the address may be free.
    await waitUntil(known, ({ status }) => status === 200);
    let refusals = 0;
    while (refusals < 5) {
      expect((await known()).status).toBe(200);
      if ((await ask(url(name, path), stranger)).status === 503) refusals++;
    }
  });

  /** A call with the key where clients of the door have it, as far as that can be seen before the body is read. */
  function knownCall(name: Name, path: string, body: object): () => ReturnType<typeof ask> {
    switch (name) {
      case 'deepl':
      case 'deeplRoot':
        return () => ask(url(name, path), json(body, { Authorization: `DeepL-Auth-Key ${secret}` }));
      case 'google':
        return () => ask(`${url(name, path)}?key=${secret}`, form(body as Record<string, string>));
      case 'libretranslate':
        return () => ask(url(name, path), json(body, { Authorization: `Bearer ${secret}` }));
      case 'deeplx':
        return () => ask(url(name, `/${token}${path}`), json(body));
      case 'immersive':
        return () => ask(url(name, `/${token}`), json(body));
    }
  }
});

describe('a browser', () => {
  const addresses = doors.flatMap(([name, path]) => {
    const own = [[name, path] as const];
    return name === 'deeplx'
      ? [...own, [name, '/TOKEN/translate'] as const]
      : name === 'immersive'
        ? [...own, [name, '/TOKEN'] as const]
        : own;
  });

  it.each(addresses)('may send what it likes to %s%s from wherever it is, without credentials', async (name, path) => {
    const address = url(name, path.replace('TOKEN', token));
    const names = 'authorization,content-type,x-goog-api-key,x-http-method-override,x-requested-with';
    for (const Origin of ORIGINS) {
      const headers = { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': names };
      const preflight = await fetch(address, { method: 'OPTIONS', headers });
      expect([preflight.status, await preflight.text()]).toEqual([204, '']);
      expectOpen(preflight.headers);
      expect(preflight.headers.get('access-control-allow-methods')).toMatch(/\bPOST\b/);
      expect(preflight.headers.get('access-control-allow-headers')).toBe(names);
      expect(preflight.headers.get('vary')).toContain('Access-Control-Request-Headers');
      expect(Number(preflight.headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
      const call = doors.find(([each]) => each === name);
      const sent = json(call?.[2], {
        Origin,
        ...(path.includes('TOKEN') ? {} : { Authorization: `Bearer ${secret}` }),
      });
      const reply = await ask(address, sent);
      expect(reply.status).toBe(200);
      expectOpen(reply.headers);
    }
  });

  it.each(doors)('is not told by %s what it did not ask for properly', async (name, path) => {
    const headers = { Origin: 'null', 'Access-Control-Request-Headers': 'a: b; c' };
    const preflight = await fetch(url(name, path), { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/^Authorization, Content-Type/);
  });
});
