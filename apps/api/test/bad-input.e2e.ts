/** Invalid input is refused with a named error and never with a 500: bodies, names, queries, unparsable requests, settings. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothing } from '@yiqiao/contracts/endpoint';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login, sendVCode } from '@yiqiao/contracts/login';
import { updateUser } from '@yiqiao/contracts/user';
import supertest from 'supertest';
import { loadConfig } from '../src/platform/config.js';
import { APP_ROLE } from '../src/platform/database.js';
import { buildHttp } from '../src/serve.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { onlyGateway } from './support/orders.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const FILTERED = ['/memberAccountLog', '/translationLog', '/loginLog'].flatMap((of) => [`${of}/page`, `${of}/export`]);
const path = (of: string): string => `${BASE_PATH}${of}`;
const http = () => supertest(api.url);

describe('a body', () => {
  it.each([
    ['{"account":', 400, 'MALFORMED_JSON'],
    ['', 422, 'VALIDATION_FAILED'],
    ['\uFEFF{"account":"ab","password":"123456"}', 422, 'ACCOUNT_NOT_REGISTERED'],
    [`{"account":${'['.repeat(100_000)}"\\u0061"${']'.repeat(100_000)}}`, 422, 'VALIDATION_FAILED'],
    [`{"account":"${'a'.repeat(300_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['[]', 422, 'VALIDATION_FAILED'],
    ['"text"', 422, 'VALIDATION_FAILED'],
  ])('that begins with %.14s returns %i', async (text, status, code) => {
    const answer = await http().post(path('/login/login')).set('Content-Type', 'application/json').send(text);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
  });

  it.each([
    ['{"__proto__":{"x":1}}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"constructor":1}', 'constructor'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
    ['{"prototype":{}}', 'prototype'],
    ['{"account":{"constructor":1}}', 'account.constructor'],
  ])('%s rejects an unknown field by its name', async (text, name) => {
    const answer = await http().post(path('/login/login')).set('Content-Type', 'application/json').send(text);
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ code: 'UNKNOWN_FIELD', errors: [expect.objectContaining({ path: name })] }),
    ]);
  });

  it.each([
    ['a byte that begins nothing', [0xff, 0xfe]],
    ['a character that is cut off', [0xe4, 0xbd]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('that is not UTF-8 returns 400: %s', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"account":"a'),
      Buffer.from(bytes),
      Buffer.from('b","password":"123456"}'),
    ]);
    const answer = await http()
      .post(path('/login/login'))
      .set('Content-Type', 'application/json')
      .serialize((sent) => sent as string)
      .send(body);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'MALFORMED_JSON' })]);
  });

  it('may contain every character of UTF-8', async () => {
    const account = '用户名é𠮷👨‍👩‍👧\u00e9';
    const answer = await http()
      .post(path('/login/login'))
      .set('Content-Type', 'application/json')
      .send(`{"account":"${account}","password":"123456"}`);
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'ACCOUNT_NOT_REGISTERED' })]);
  });
});

describe('a query', () => {
  it.each([
    ['POST', '/login/login?x=1', 'x'],
    ['POST', '/login/logout?zz=1', 'zz'],
    ['GET', '/tranChannel/list?__proto__=1', '__proto__'],
  ])('%s %s rejects an unknown parameter', async (method, of, name) => {
    const answer = await (method === 'POST' ? http().post(path(of)) : http().get(path(of)));
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ code: 'UNKNOWN_FIELD', errors: [expect.objectContaining({ path: name })] }),
    ]);
  });

  const takeNothing = endpoints.filter(({ request }) => request === nothing);
  it.each(takeNothing.map((e) => [e.method, e.path] as const))('%s %s accepts no parameters', async (method, of) => {
    const { session } = await makeMain(api);
    const client = http();
    const send = (query: string) =>
      (method === 'GET' ? client.get(path(of) + query) : client.post(path(of) + query)).set(headersOf(session));
    const refused = { code: 'UNKNOWN_FIELD', errors: [{ path: 'x', code: 'UNKNOWN_FIELD' }] };
    expect(await send('?x=1')).toMatchObject({ status: 422, body: refused });
    expect(await send('?x')).toMatchObject({ status: 422, body: refused });
    if (method !== 'GET') expect(await send('').send({ x: 1 })).toMatchObject({ status: 422, body: refused });
    expect(await send('')).toMatchObject({ status: 200 });
  });
});

describe('validation', () => {
  const visitor = () => new TestClient(api.url);

  it('returns a message for each field in the language of the request', async () => {
    const zh = await visitor().send(login, {});
    expect(zh.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 422,
      msg: '请检查填写的内容',
      errors: [
        { path: 'account', code: 'ACCOUNT_REQUIRED', msg: '请输入用户名或邮箱' },
        { path: 'password', code: 'PASSWORD_REQUIRED', msg: '请输入密码' },
      ],
    });
    const en = await visitor()
      .with({ 'Accept-Language': 'en-US,en' })
      .send(login, { account: 'ab', password: '12345' });
    expect(en.body).toMatchObject({ msg: 'The password needs at least 6 characters' });
  });

  it('rejects numbers as strings, unknown fields and nested objects', async () => {
    expect((await visitor().send(login, { account: 12, password: '123456' })).status).toBe(422);
    expect(await visitor().send(login, { account: 'abc', password: '123456', admin: true })).toMatchObject({
      status: 422,
      body: { code: 'UNKNOWN_FIELD', errors: [{ path: 'admin', code: 'UNKNOWN_FIELD' }] },
    });
    expect((await visitor().send(login, { account: { $ne: '' }, password: '123456' })).status).toBe(422);
  });

  it.each([
    'pageNum=0',
    'pageNum=x',
    'pageNum=1.5',
    'pageNum=1e2',
    'pageSize=101',
    'pageSize=0',
    'pageNum=1&pageNum=2',
    'unknown=1',
    'clientType=fridge',
    'loginDateTimeBegin=2026-02-30%2000:00:00',
    'loginDateTimeBegin=2026-01-01',
    'loginDateTimeBegin=2026-01-02%2000:00:00&loginDateTimeEnd=2026-01-01%2000:00:00',
  ])('rejects the query %s', async (query) => {
    const { session } = await makeMain(api);
    const answer = await http()
      .get(`${path('/loginLog/page')}?${query}`)
      .set(headersOf(session));
    expect(answer.status).toBe(422);
  });

  it.each(['%00', '%E2%80%AE', 'a%00b'])('rejects the name %s in a search', async (account) => {
    const { session } = await makeMain(api);
    const answer = await http()
      .get(`${path('/user/page')}?account=${account}`)
      .set(headersOf(session));
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
  });

  it.each(FILTERED)('rejects an invalid address in %s', async (of) => {
    const { session } = await makeMain(api);
    for (const loginIp of ['999.1.1.1', '1.2.3', '::1]:80/[x', 'fe80::1%25eth0', 'nowhere', '%00']) {
      const answer = await http()
        .get(`${path(of)}?loginIp=${loginIp}`)
        .set(headersOf(session));
      expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
    }
    for (const loginIp of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '2001:DB8::1', ''])
      expect(
        (
          await http()
            .get(`${path(of)}?loginIp=${loginIp}`)
            .set(headersOf(session))
        ).status,
      ).toBe(200);
  });

  it.each(FILTERED)('treats −1 in %s as no filter', async (of) => {
    const { session } = await makeMain(api);
    const dates = of.startsWith('/loginLog') ? 'loginDateTime' : 'createDateTime';
    const filters = ['loginIp', 'clientType', `${dates}Begin`, `${dates}End`];
    if (of.startsWith('/memberAccountLog')) filters.push('logType');
    const none = await http().get(path(of)).set(headersOf(session));
    const answer = await http()
      .get(`${path(of)}?${filters.map((name) => `${name}=-1`).join('&')}`)
      .set(headersOf(session));
    expect([answer.status, answer.text]).toEqual([200, none.text]);
    for (const name of filters.filter((each) => each !== 'loginIp'))
      expect(
        (
          await http()
            .get(`${path(of)}?${name}=-2`)
            .set(headersOf(session))
        ).status,
      ).toBe(422);
  });

  it('treats −1 as no filter in the lists of sub-accounts and terms', async () => {
    const { session } = await makeMain(api);
    for (const query of ['/user/page?account=-1', '/glossary/page?source=-1&target=-1&keyword=-1']) {
      const answer = await http().get(path(query)).set(headersOf(session));
      expect([query, answer.status]).toEqual([query, 200]);
    }
  });

  it.each(['/glossary/page', '/glossary/export'])('rejects control characters in the keyword of %s', async (of) => {
    const { session } = await makeMain(api);
    for (const keyword of ['%00', 'a%00b', '%E2%80%AE', '%E2%80%A8']) {
      const answer = await http()
        .get(`${path(of)}?keyword=${keyword}`)
        .set(headersOf(session));
      expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
    }
  });

  it('normalises names (NFC, trimmed) and rejects invisible or unsafe characters', async () => {
    const { client } = await makeMain(api);
    await client.call(updateUser, { nickname: '  Ame\u0301lie  ' });
    const { rows } = await api.db.query<{ nickname: string }>('SELECT nickname FROM member WHERE id = $1', [
      client.session?.userId,
    ]);
    expect(rows[0]?.nickname).toBe('Amélie');
    for (const nickname of ['a\u202Eb', 'a\u0000b', 'a\ud800b', ' a ', 'x'.repeat(33)])
      expect((await client.send(updateUser, { nickname })).status).toBe(422);
    for (const nickname of ['\u200b\u200b', '\u3164\u3164', '\u00ad\u00ad', '\u0301\u0301', 'a\u2028b'])
      expect((await client.send(updateUser, { nickname })).status).toBe(422);
  });

  it.each(['abc@ｅｘａｍｐｌｅ.com', 'abc＠example.com', 'ａbc@example.com'])(
    'rejects the full-width address %s, which cannot receive mail',
    async (account) => {
      const { status, body } = await visitor().send(sendVCode, { account });
      expect([status, body]).toEqual([422, expect.objectContaining({ success: false })]);
    },
  );
});

describe('requests that the HTTP parser rejects', () => {
  /** Sends bytes and returns what came back before the connection was closed. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(api.url);
      let answer = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });
  const parsed = (answer: string): { status: number; head: string; body: unknown } => {
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as unknown };
  };

  it.each([
    [
      'a header of 17 KB',
      `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17 * 1024)}\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['an unknown method', 'BREW /health HTTP/1.1\r\nHost: a\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['a malformed request line', 'GET /health NOTHTTP\r\nHost: a\r\n', 400, 'MALFORMED_REQUEST'],
    ['a header without a name', 'GET /health HTTP/1.1\r\n: a\r\n', 400, 'MALFORMED_REQUEST'],
  ])('%s returns an envelope in the language of the request', async (_, begin, status, code) => {
    const zh = parsed(await raw(`${begin}\r\n`));
    expect([zh.status, zh.body]).toEqual([
      status,
      { success: false, data: null, msg: expect.stringMatching(/\p{Script=Han}/u), code, status },
    ]);
    expect(zh.head).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r?$/m);
    expect(zh.head).toMatch(/^Content-Security-Policy: default-src 'none'/m);
    const [line = '', ...rest] = begin.split('\r\n');
    const en = parsed(await raw([line, 'Accept-Language: en-US,en;q=0.8', ...rest, ''].join('\r\n')));
    // The rest of the packet after an unparsable method or line is still searched.
    expect([en.status, en.body]).toEqual([
      status,
      expect.objectContaining({ code, msg: expect.stringMatching(/^Th/) }),
    ]);
  });

  it('a broken second request on a connection is answered too', async () => {
    const answer = await raw('GET /health HTTP/1.1\r\nHost: a\r\n\r\nBREW / HTTP/1.1\r\n\r\n');
    expect(answer).toContain('METHOD_NOT_ALLOWED');
  });
});

describe('the production database', () => {
  it('must not be used as a superuser, who could rewrite the ledger', async () => {
    const role = `login_${randomBytes(4).toString('hex')}`;
    await api.db.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' IN ROLE ${APP_ROLE}`);
    try {
      const settings = (url: string) => {
        const own = { ...api.env, NODE_ENV: 'production', SANDBOX_URL: '', DATABASE_URL: url };
        const safe = { MAIL_FROM: 'a@b.example', PUBLIC_URL: 'https://b.example' };
        return loadConfig({ ...own, ...onlyGateway({}), ...safe });
      };
      const url = new URL(api.env['DATABASE_URL'] ?? '');
      await expect(buildHttp(settings(url.href))).rejects.toThrow('DATABASE_URL: signs in as a superuser');
      [url.username, url.password] = [role, 'secret'];
      await (await buildHttp(settings(url.href))).close();
    } finally {
      await api.db.query(`DROP ROLE ${role}`);
    }
  });
});
