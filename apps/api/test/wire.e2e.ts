/** The wire as decisions §1 fixes it: envelope, statuses, languages, ids. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login } from '@yiqiao/contracts/login';
import { listLoginLogs } from '@yiqiao/contracts/login-log';
import supertest from 'supertest';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const path = (of: string): string => `${BASE_PATH}${of}`;
const http = () => supertest(api.url);

describe('every response', () => {
  it.each(endpoints.map((e) => [e.method, e.path] as const))('%s %s is an envelope', async (method, of) => {
    const { status, body, headers } = await http()[method.toLowerCase() as 'get' | 'post' | 'delete'](path(of));
    expect(status).not.toBe(404);
    expect(status).not.toBe(500);
    expect(body).toMatchObject({ success: status === 200, msg: expect.any(String) });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('has a request id of its own', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await http().get('/health')).headers['x-request-id']));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('statuses', () => {
  it('404 for unknown paths', async () => {
    const { status, body } = await http().get(path('/nothing'));
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ success: false, data: null, code: 'NOT_FOUND', status: 404 }),
    ]);
  });

  it('405 with the allowed methods', async () => {
    const { status, body, headers } = await http().get(path('/login/login'));
    expect([status, headers['allow']]).toEqual([405, 'POST']);
    expect(body).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED', status: 405 });
  });

  it('405 for gateway addresses too, and 404 for unknown gateways', async () => {
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
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ])('415 for %s', async (type) => {
    const { status, body } = await http().post(path('/login/login')).set('Content-Type', type).send('account=a');
    expect([status, body]).toEqual([415, expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 })]);
  });
});

describe('responses without a handler', () => {
  it('are envelopes with an id', async () => {
    const { status, body, headers } = await http().get(path('/%zz'));
    expect([status, body]).toEqual([404, expect.objectContaining({ success: false, code: 'NOT_FOUND' })]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are compressed if long', async () => {
    const { headers, body } = await http().get(path('/translationLanguages/list'));
    expect(headers['content-encoding']).toBe('gzip');
    expect(body).toMatchObject({ success: true });
  });
});

it('tell search engines what they may index', async () => {
  const robots = await http().get('/robots.txt');
  expect([robots.status, robots.text]).toEqual([200, expect.stringContaining('Disallow: /client-user/')]);
  const sitemap = await http().get('/sitemap.xml');
  expect([sitemap.status, sitemap.text]).toEqual([200, expect.stringContaining('/home</loc>')]);
});

describe('the client address', () => {
  it('is the socket’s, whatever the client claims, unless the proxy is trusted', async () => {
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
