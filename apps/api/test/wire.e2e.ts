/** The wire as decisions §1 fixes it: envelope, statuses, languages, ids. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothing } from '@yiqiao/contracts/endpoint';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login } from '@yiqiao/contracts/login';
import { listLoginLogs } from '@yiqiao/contracts/login-log';
import { updateUser } from '@yiqiao/contracts/user';
import supertest from 'supertest';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, TestClient } from './support/client.js';
import { makeMain } from './support/family.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const path = (of: string): string => `${BASE_PATH}${of}`;
const http = () => supertest(api.url);

describe('every answer', () => {
  it.each(endpoints.map((e) => [e.method, e.path] as const))('%s %s is served, in an envelope', async (method, of) => {
    const { status, body, headers } = await http()[method.toLowerCase() as 'get' | 'post' | 'delete'](path(of));
    expect(status).not.toBe(404);
    expect(status).not.toBe(500);
    expect(body).toMatchObject({ success: status === 200, msg: expect.any(String) });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('gives each request an id of its own', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await http().get('/health')).headers['x-request-id']));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('statuses', () => {
  it('404 for what is not there', async () => {
    const { status, body } = await http().get(path('/nothing'));
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ success: false, data: null, code: 'NOT_FOUND', status: 404 }),
    ]);
  });

  it('405 with what is allowed', async () => {
    const { status, body, headers } = await http().get(path('/login/login'));
    expect([status, headers['allow']]).toEqual([405, 'POST']);
    expect(body).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED', status: 405 });
  });

  it('405 also where gateways call, and 404 where no gateway does', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const ask = (gateway: string): Promise<Response> => fetch(`${api.url}/pay/notify/${gateway}`, { method });
      for (const gateway of ['alipay', 'wechat', 'lianlian']) {
        const { status, headers } = await ask(gateway);
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
      }
      const { status, headers } = await ask('nobody');
      expect([method, status, headers.get('allow')]).toEqual([method, 404, null]);
    }
    const put = await fetch(`${api.url}/pay/notify/alipay`, { method: 'PUT', body: '{' });
    expect(await put.json()).toMatchObject({ success: false, data: null, code: 'METHOD_NOT_ALLOWED', status: 405 });
  });

  it.each([
    ['{"account":', 400, 'MALFORMED_JSON'],
    ['', 422, 'VALIDATION_FAILED'],
    ['{"__proto__":{"x":1}}', 422, 'UNKNOWN_FIELD'],
    [`{"account":"${'a'.repeat(300_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['[]', 422, 'VALIDATION_FAILED'],
    ['"text"', 422, 'VALIDATION_FAILED'],
  ])('a body that begins %.14s is %i', async (text, status, code) => {
    const answer = await http().post(path('/login/login')).set('Content-Type', 'application/json').send(text);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
  });

  it.each([
    ['a byte that begins nothing', [0xff, 0xfe]],
    ['a character that is cut off', [0xe4, 0xbd]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('400 for what is no UTF-8: %s', async (_, bytes) => {
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

  it('takes every character of UTF-8', async () => {
    const account = '用户名é𠮷👨‍👩‍👧\u00e9';
    const answer = await http()
      .post(path('/login/login'))
      .set('Content-Type', 'application/json')
      .send(`{"account":"${account}","password":"123456"}`);
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'ACCOUNT_NOT_REGISTERED' })]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ])('415 for %s', async (type) => {
    const { status, body } = await http().post(path('/login/login')).set('Content-Type', type).send('account=a');
    expect([status, body]).toEqual([415, expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 })]);
  });
});

describe('what no handler sees', () => {
  it('is answered in an envelope with an id all the same', async () => {
    const { status, body, headers } = await http().get(path('/%zz'));
    expect([status, body]).toEqual([404, expect.objectContaining({ success: false, code: 'NOT_FOUND' })]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['POST', '/login/login?x=1', 'x'],
    ['POST', '/login/logout?zz=1', 'zz'],
    ['GET', '/tranChannel/list?__proto__=1', '__proto__'],
  ])('%s %s: a query parameter that nobody knows is refused', async (method, of, name) => {
    const answer = await (method === 'POST' ? http().post(path(of)) : http().get(path(of)));
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ code: 'UNKNOWN_FIELD', errors: [expect.objectContaining({ path: name })] }),
    ]);
  });

  const takeNothing = endpoints.filter(({ request }) => request === nothing);
  it.each(takeNothing.map((e) => [e.method, e.path] as const))('%s %s takes nothing', async (method, of) => {
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

  it('compresses what is long', async () => {
    const { headers, body } = await http().get(path('/translationLanguages/list'));
    expect(headers['content-encoding']).toBe('gzip');
    expect(body).toMatchObject({ success: true });
  });
});

describe('validation', () => {
  const visitor = () => new TestClient(api.url);

  it('names each field with its own sentence, in the language of the request', async () => {
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

  it('refuses numbers as text, unknown fields and nested surprises', async () => {
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
  ])('refuses the query %s', async (query) => {
    const { session } = await makeMain(api);
    const answer = await http()
      .get(`${path('/loginLog/page')}?${query}`)
      .set(headersOf(session));
    expect(answer.status).toBe(422);
  });

  it.each(['%00', '%E2%80%AE', 'a%00b'])('refuses the name %s in a search', async (account) => {
    const { session } = await makeMain(api);
    const answer = await http()
      .get(`${path('/user/page')}?account=${account}`)
      .set(headersOf(session));
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
  });

  it.each(['/memberAccountLog/page', '/translationLog/page', '/loginLog/page'])(
    'finds nothing in %s from what is no address',
    async (of) => {
      const { session } = await makeMain(api);
      for (const loginIp of ['fe80::1%25eth0', 'nowhere', '%00']) {
        const answer = await http()
          .get(`${path(of)}?loginIp=${loginIp}`)
          .set(headersOf(session));
        expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ data: { rows: [], total: 0 } })]);
      }
    },
  );

  it('tidies names: NFC, trimmed; refuses what could pass for another', async () => {
    const { client } = await makeMain(api);
    await client.call(updateUser, { nickname: '  Ame\u0301lie  ' });
    const { rows } = await api.db.query<{ nickname: string }>('SELECT nickname FROM member WHERE id = $1', [
      client.session?.userId,
    ]);
    expect(rows[0]?.nickname).toBe('Amélie');
    for (const nickname of ['a\u202Eb', 'a\u0000b', 'a\ud800b', ' a ', 'x'.repeat(33)])
      expect((await client.send(updateUser, { nickname })).status).toBe(422);
  });
});

it('tells search engines what they may read', async () => {
  const robots = await http().get('/robots.txt');
  expect([robots.status, robots.text]).toEqual([200, expect.stringContaining('Disallow: /client-user/')]);
  const sitemap = await http().get('/sitemap.xml');
  expect([sitemap.status, sitemap.text]).toEqual([200, expect.stringContaining('/home</loc>')]);
});

describe('an address', () => {
  it('is the socket’s, whatever the client says, unless the proxy is trusted', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.9' };
    const { username, password } = await makeMain(api);
    const visitor = new TestClient(api.url, null, forged);
    const session = await visitor.call(login, { account: username, password });
    const { rows } = await visitor.as(session).call(listLoginLogs, {});
    expect(rows[0]?.loginIp).toBe('127.0.0.1');

    const behind = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
    const person = await makeMain(behind);
    const proxied = new TestClient(behind.url, null, forged);
    for (const odd of ['garbage', '1.2.3.4:555', 'fe80::1%eth0']) {
      const visitor = new TestClient(behind.url, null, { 'X-Forwarded-For': odd });
      expect((await visitor.send(login, { account: person.username, password })).status).toBe(200);
    }
    const second = await proxied.call(login, { account: person.username, password });
    expect((await proxied.as(second).call(listLoginLogs, {})).rows[0]?.loginIp).toBe('203.0.113.9');
    await behind.stop();
  });
});
