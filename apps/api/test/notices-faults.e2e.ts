/** Errors of the notice stream (decisions §9): refusals, bad clients, a lost Redis and a shutdown. */
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Streams } from '../src/notices/streams.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf } from './support/client.js';
import { until, type EventReader } from './support/event-reader.js';
import { makeMain } from './support/family.js';
import {
  closeReaders,
  freshId,
  gateTo,
  held,
  json,
  path,
  ready,
  signed,
  startSecond,
  tell,
} from './support/notices.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi({ STREAM_HEARTBEAT_SECONDS: '2', LIMIT_STREAMS_PER_IP: '12' });
  main = await makeMain(api);
});
afterEach(async () => {
  await closeReaders();
  expect(await until(() => (held(api.app) === 0 ? true : undefined), 30_000)).toBe(true);
});
afterAll(() => api.stop());

const say = (who: TestMember, event: object): Promise<void> => tell(api.app, who, event);

describe('errors before the stream opens', () => {
  const get = (of: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(`${api.url}${path(of)}`, { method, headers });

  it.each(['short', 'a'.repeat(65), 'a'.repeat(500), 'has%20space', 'umlaut-%C3%A4%C3%A4%C3%A4', 'semi;colon;'])(
    'an id like %j: 422',
    async (clientId) => {
      for (const [method, of] of [
        ['GET', '/openSse/'],
        ['DELETE', '/closeSse/'],
      ] as const) {
        const answer = await get(of + clientId, {}, method);
        expect([answer.status, await json(answer)]).toEqual([
          422,
          expect.objectContaining({ success: false, code: 'VALIDATION_FAILED' }),
        ]);
      }
    },
  );

  it.each(['?x=1', '?clientId=abcdefgh'])('query parameters (%s): 422', async (query) => {
    const answer = await get(`/openSse/${freshId()}${query}`);
    expect([answer.status, await json(answer)]).toEqual([422, expect.objectContaining({ code: 'UNKNOWN_FIELD' })]);
  });

  it('a body with another id: 422', async () => {
    const answer = await fetch(`${api.url}${path(`/closeSse/${freshId()}`)}`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clientId: freshId() }),
    });
    expect([answer.status, await json(answer)]).toEqual([422, expect.objectContaining({ code: 'UNKNOWN_FIELD' })]);
  });

  it('other methods: 405; unknown paths: 404', async () => {
    const posted = await get(`/openSse/${freshId()}`, {}, 'POST');
    expect([posted.status, posted.headers.get('allow'), await json(posted)]).toEqual([
      405,
      'GET',
      expect.objectContaining({ code: 'METHOD_NOT_ALLOWED' }),
    ]);
    const got = await get(`/closeSse/${freshId()}`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'DELETE']);
    for (const each of ['/openSse', `/openSse/${freshId()}/more`, '/sse'])
      expect([each, (await get(each)).status]).toEqual([each, 404]);
  });

  it('HEAD returns the headers and no stream', async () => {
    const answer = await get(`/openSse/${freshId()}`, {}, 'HEAD');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('a wrong, stale, partial or unknown signature: 705 and 701, as everywhere', async () => {
    const good = signed(main);
    const stale = headersOf(main.session, Date.now() - 3600_000);
    const unknown = headersOf({ userId: main.session.userId, sk: '0'.repeat(64) });
    const halves = { token: good['token'] ?? '' };
    const cases = [
      [{ ...good, signature: '0'.repeat(64) }, 705],
      [stale, 705],
      [halves, 705],
      [{ 'auth-token': 'nonsense' }, 705],
      [unknown, 701],
    ] as const;
    for (const [headers, status] of cases)
      for (const [method, of] of [
        ['GET', '/openSse/'],
        ['DELETE', '/closeSse/'],
      ] as const) {
        const answer = await get(of + freshId(), headers, method);
        expect([answer.status, await json(answer)]).toEqual([401, expect.objectContaining({ status })]);
      }
  });

  it('too many streams of one address: refused until one closes', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => ready(api.url)));
    const answer = await get(`/openSse/${freshId()}`);
    expect([answer.status, await json(answer)]).toEqual([429, expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await opened[0]?.close();
    expect(await until(() => (held(api.app) < 12 ? true : undefined), 30_000)).toBe(true);
    await ready(api.url);
  });
});

describe('a client that', () => {
  it('disconnects leaves nothing behind, however early', async () => {
    const requests = Array.from({ length: 10 }, () => {
      const { hostname, port } = new URL(api.url);
      const call = request({ hostname, port, path: path(`/openSse/${freshId()}`), headers: signed(main) });
      call.on('error', () => undefined).on('response', (answer: IncomingMessage) => answer.resume());
      call.end();
      return call;
    });
    await Promise.all(
      requests.map(async (call, at) => {
        await setTimeout(at * 3);
        call.destroy();
      }),
    );
    // Requests are served in order, so none of these opens unnoticed later.
    await (await ready(api.url)).close();
    expect(await until(() => (held(api.app) === 0 ? true : undefined), 30_000)).toBe(true);
    await say(main, { event: 'account', data: {} });
  });

  it('does not read is dropped', async () => {
    const { hostname, port } = new URL(api.url);
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(`GET ${path(`/openSse/${freshId()}`)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    const stream = api.app
      .get(Streams, { strict: false })
      .all()
      .find(({ reader }) => reader.caller === null);
    const much = Buffer.alloc(256 * 1024, ':');
    try {
      for (let sent = 0; held(api.app) > 0 && sent < 200; sent++) {
        stream?.send(much);
        await setImmediate();
      }
      expect(held(api.app)).toBe(0);
    } finally {
      socket.destroy();
    }
  });
});

describe('without Redis', () => {
  it('a stream opens and stays open; events resume when Redis is back', async () => {
    const gate = await gateTo(process.env['REDIS_URL'] ?? '');
    const cut = await startSecond({ ...api.env, REDIS_URL: gate.url, REDIS_TIMEOUT_MS: '500' });
    try {
      const before = await ready(cut.url, main);
      gate.shut();
      const during = await ready(cut.url, main);
      await tell(cut.app, main, { event: 'account', data: {} });
      await setTimeout(300);
      expect([before.over, during.over]).toEqual([false, false]);
      gate.open();
      const heard = async (reader: EventReader) => {
        for (let tries = 0; tries < 300 && reader.heard.length < 2; tries++) {
          await say(main, { event: 'account', data: {} });
          await setTimeout(100);
        }
        return reader.heard[1]?.event;
      };
      expect([await heard(before), await heard(during)]).toEqual(['account', 'account']);
      await Promise.all([before.close(), during.close()]);
    } finally {
      await cut.app.close();
      await gate.end();
    }
  });
});

describe('a stopping process', () => {
  it('ends its streams and is not delayed by them', async () => {
    const stopping = await startSecond(api.env);
    const [one, two] = [await ready(stopping.url, main), await ready(stopping.url)];
    const began = Date.now();
    await stopping.app.close();
    // Otherwise the stream would block the shutdown.
    expect(Date.now() - began).toBeLessThan(20_000);
    expect([await one.endsWithin(10_000), await two.endsWithin(10_000)]).toEqual([true, true]);
  });
});
