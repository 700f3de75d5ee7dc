/** Under a flood: it is refused at once with a retry time, all other clients are served, and connections are limited. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login } from '@yiqiao/contracts/login';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, TestClient } from './support/client.js';
import { makeMain, setChars } from './support/family.js';
import { half, holdSlots } from './support/half-request.js';
import type { TestMember } from './support/test-members.js';
import { spawnApi, type ApiProcess } from './support/process.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('a flood from one account', () => {
  const CONNECTIONS = 300;
  const FLOOD_MS = 4_000;
  const WARM_MS = 1_000;
  /** At least this many per other client; a busy machine makes the flood longer. */
  const LOOKS = 6;
  let flooded: ApiProcess;
  let [flooder, other]: TestMember[] = [];

  beforeAll(async () => {
    // In a separate process, because the clients keep this one busy. A low limit, so that few clients are a flood.
    flooded = await spawnApi(api.env, {
      LIMIT_LATENCY_MS: '20',
      LIMIT_REQUESTS_IN_FLIGHT: '64',
      LIMIT_TRANSLATION_PER_SECOND: '100000',
      LIMIT_TRANSLATION_IN_FLIGHT: '1000',
    });
    [flooder, other] = [await makeMain(api), await makeMain(api)];
    // A fast machine serves more than a trial pays for.
    await setChars(api, flooder.session.userId, 10_000_000);
  });
  afterAll(() => flooded.stop());

  const ask = async (person: TestMember, language = 'zh-CN') => {
    const began = performance.now();
    const answer = await fetch(`${flooded.url}${BASE_PATH}${translateText.path}`, {
      method: 'POST',
      headers: { ...headersOf(person.session), 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' }),
    });
    const body = (await answer.json()) as { code?: string; msg: string };
    return { status: answer.status, headers: answer.headers, body, ms: performance.now() - began };
  };

  it('is partly rejected, without affecting other clients', async () => {
    if (!flooder || !other) throw new Error('two people were made');
    const [attacker, bystander] = [flooder, other];
    // Each sends a request first, so that it counts as an active client.
    for (const person of [attacker, bystander]) expect((await ask(person)).status).toBe(200);
    const began = Date.now();
    let isOn = true;
    const flood: Awaited<ReturnType<typeof ask>>[] = [];
    const clients = Array.from({ length: CONNECTIONS }, async (_, i) => {
      while (isOn) flood.push(await ask(attacker, i % 2 ? 'en-US' : 'zh-CN'));
    });
    const seen: number[] = [];
    const visitor = new TestClient(flooded.url);
    while (Date.now() < began + FLOOD_MS || seen.length < LOOKS) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (Date.now() < began + WARM_MS) continue;
      seen.push((await ask(bystander)).status);
      seen.push((await visitor.as(bystander.session).send(getUser, {})).status);
      seen.push((await fetch(`${flooded.url}/livez`)).status);
    }
    isOn = false;
    await Promise.all(clients);
    expect(seen.filter((status) => status !== 200)).toEqual([]);

    const refused = flood.filter(({ status }) => status !== 200);
    expect(flood.length).toBeGreaterThan(refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused) {
      expect([status, body.code]).toEqual([503, 'SERVICE_BUSY']);
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('content-security-policy')).not.toBeNull();
    }
    expect(new Set(refused.map(({ body }) => body.msg)).size).toBe(2);
  }, 60_000);

  it('leaves nothing behind', async () => {
    if (!flooder) throw new Error('somebody was made');
    const person = flooder;
    await waitUntil(
      () => ask(person),
      ({ status }) => status === 200,
    );
  });
});

describe('requests that are never limited', () => {
  it('include payment notifications and health, even under full load', async () => {
    const tiny = await startApi({ LIMIT_REQUESTS_IN_FLIGHT: '1' });
    const person = await makeMain(tiny);
    // The only work slot is held by requests whose body does not arrive.
    const letGo = holdSlots(tiny.url);
    try {
      const work = () => new TestClient(tiny.url).send(login, { account: person.username, password: 'secret-123' });
      await waitUntil(work, ({ status }) => status === 503);
      for (let i = 0; i < 20; i++) {
        expect((await fetch(`${tiny.url}/readyz`)).status).toBe(200);
        expect((await fetch(`${tiny.url}/pay/notify/alipay`, { method: 'POST', body: 'x' })).status).not.toBe(503);
      }
      expect((await person.client.send(getUser, {})).status).toBe(200);
      letGo();
      await waitUntil(work, ({ status }) => status === 200);
    } finally {
      letGo();
      await tiny.stop();
    }
  });
});

describe('connections', () => {
  it('that send incomplete headers are closed after ten seconds', async () => {
    const began = performance.now();
    const silent = connect(Number(new URL(api.url).port), '127.0.0.1');
    const started = half(api.url, `GET ${BASE_PATH}${getUser.path} HTTP/1.1\r\nHost: localhost\r\nX-Half: `);
    const answer = once(started, 'data').then(([data]) => String(data));
    await Promise.all([silent, started].map((socket) => once(socket.resume(), 'close')));
    const seconds = (performance.now() - began) / 1_000;
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(20);
    expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  }, 60_000);

  it('are limited per address, except for trusted proxies, and in total', async () => {
    const opened = async (extra: Record<string, string>, expected: number): Promise<number> => {
      const small = await startApi(extra);
      const sockets = Array.from({ length: 12 }, () => half(small.url, '').resume());
      const alive = () => Promise.resolve(sockets.filter(({ destroyed }) => !destroyed).length);
      await waitUntil(alive, (count) => count <= expected);
      // No other connection is cut off after that.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const count = await alive();
      for (const socket of sockets) socket.destroy();
      await waitUntil(
        () => fetch(`${small.url}/livez`).catch(() => null),
        (answer) => answer?.ok === true,
      );
      await small.stop();
      return count;
    };
    expect(await opened({ LIMIT_CONNECTIONS_PER_IP: '5' }, 5)).toBe(5);
    expect(await opened({ LIMIT_CONNECTIONS: '7' }, 7)).toBe(7);
    expect(await opened({ LIMIT_CONNECTIONS_PER_IP: '5', TRUSTED_PROXIES: '127.0.0.1' }, 12)).toBe(12);
  }, 60_000);
});
