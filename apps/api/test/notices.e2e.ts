/** The notice stream (decisions §9): what it says and to whom, how it is refused, how it ends, and what it leaves behind. */
import { request, type IncomingMessage } from 'node:http';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { logout } from '@yiqiao/contracts/login';
import { closeNotices } from '@yiqiao/contracts/notices';
import { changePassword } from '@yiqiao/contracts/user';
import { loadConfig } from '../src/platform/config.js';
import { familyTopic, Live } from '../src/platform/live.js';
import { Streams } from '../src/notices/streams.js';
import { buildHttp } from '../src/serve.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, TestClient } from './support/client.js';
import { EventReader, until } from './support/event-reader.js';
import { makeMain, makeSub } from './support/family.js';
import type { Person } from './support/people.js';

let api: TestApi;
/** Another process on the same stores. */
let second: { app: NestFastifyApplication; url: string };
let main: Person;
let sub: Person;
let stranger: Person;
const readers: EventReader[] = [];
let ids = 0;

beforeAll(async () => {
  api = await startApi({ STREAM_HEARTBEAT_SECONDS: '2', LIMIT_STREAMS_PER_IP: '12' });
  second = await startSecond(api.env);
  main = await makeMain(api);
  sub = await makeSub(api, main);
  stranger = await makeMain(api);
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  expect(await until(() => (held(api.app) + held(second.app) === 0 ? true : undefined), 5_000)).toBe(true);
});
afterAll(async () => {
  await second.app.close();
  await api.stop();
});

const startSecond = async (env: Record<string, string>): Promise<typeof second> => {
  const app = await buildHttp(loadConfig(env));
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
};
const held = (app: NestFastifyApplication): number => app.get(Streams, { strict: false }).size;
const live = (app = api.app): Live => app.get(Live, { strict: false });
const freshId = (): string => `client-${++ids}-abcdef`;
const signed = (who: Person): Record<string, string> => headersOf(who.session);

async function open(url: string, clientId = freshId(), headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(url, clientId, headers);
  readers.push(reader);
  return reader;
}
/** Open, and told so. */
async function ready(url: string, who?: Person, clientId = freshId()): Promise<EventReader> {
  const reader = await open(url, clientId, who && signed(who));
  expect(await reader.event('ready')).toEqual({ event: 'ready', data: { clientId } });
  return reader;
}
const say = (who: Person, event: object): Promise<void> => live().publish(familyTopic(who.session.userId), event);
const path = (of: string): string => `${BASE_PATH}/notice${of}`;
const json = async (answer: Response): Promise<object> => (await answer.json()) as object;

describe('an open stream', () => {
  it('is text as it happens: not kept, not compressed, not buffered, with the headers of every answer', async () => {
    const reader = await open(api.url, 'a_Client-0123456789', { 'Accept-Encoding': 'gzip, br' });
    const { status, headers } = reader.response;
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    await reader.event('ready');
    expect(reader.text).toBe('retry: 1000\n\nevent: ready\ndata: {"clientId":"a_Client-0123456789"}\n\n');
  });

  it('has a comment line again and again while nothing happens', async () => {
    const reader = await ready(api.url);
    await until(() => (reader.text.includes(':\n\n:\n\n') ? true : undefined), 6_000);
    expect(reader.text).toMatch(/\n\n:\n\n:\n\n$/);
    expect(reader.heard).toHaveLength(1);
  });

  it('tells the family what concerns it, at every process, and nobody else', async () => {
    const [here, there, child] = [
      await ready(api.url, main),
      await ready(second.url, main),
      await ready(second.url, sub),
    ];
    const [foreign, visitor] = [await ready(api.url, stranger), await ready(second.url)];
    await say(main, { event: 'order', data: { id: 7, payStatus: 'P' } });
    await say(main, { event: 'account', data: {} });
    for (const reader of [here, there]) {
      expect(await reader.event('order')).toEqual({ event: 'order', data: { id: 7, payStatus: 'P' } });
      expect(await reader.event('account')).toEqual({ event: 'account', data: {} });
    }
    // A sub-account has no orders to see, and its balance may have changed.
    expect(await child.event('account')).toEqual({ event: 'account', data: {} });
    expect(child.heard.map(({ event }) => event)).toEqual(['ready', 'account']);
    for (const reader of [foreign, visitor]) expect(reader.heard.map(({ event }) => event)).toEqual(['ready']);
  });

  it('sends what the contract names and no more', async () => {
    const reader = await ready(api.url, main);
    await say(main, { event: 'secrets', data: {} });
    await say(main, { event: 'order', data: { id: 8, payStatus: 'T', amount: 9900, userId: 1 } });
    expect(await reader.event('order')).toEqual({ event: 'order', data: { id: 8, payStatus: 'T' } });
    await say(main, { event: 'order', data: { id: 'not a number', payStatus: 'X' } });
    await say(main, { event: 'account', data: {} });
    await reader.event('account');
    expect(reader.heard.map(({ event }) => event)).toEqual(['ready', 'order', 'account']);
  });
});

describe('closing', () => {
  const close = (who: TestClient, clientId: string) => who.call(closeNotices, { clientId });

  it('ends one’s own stream, also at another process', async () => {
    const [visitors, mains, elsewhere] = [freshId(), freshId(), freshId()];
    const [one, two] = [await ready(api.url, undefined, visitors), await ready(api.url, main, mains)];
    const three = await ready(second.url, main, elsewhere);
    expect(await close(new TestClient(api.url), visitors)).toBe(true);
    expect(await close(main.client, mains)).toBe(true);
    expect(await close(main.client, elsewhere)).toBe(true);
    for (const reader of [one, two, three]) expect(await reader.endsWithin(3_000)).toBe(true);
  });

  it('ends what the same client opened before it signed in', async () => {
    const clientId = freshId();
    const reader = await ready(api.url, undefined, clientId);
    await close(main.client, clientId);
    expect(await reader.endsWithin(3_000)).toBe(true);
  });

  it('says true of an unknown or somebody else’s stream, and ends nothing', async () => {
    const clientId = freshId();
    const reader = await ready(api.url, main, clientId);
    for (const who of [new TestClient(api.url), stranger.client, sub.client, main.client])
      expect(await close(who, who === main.client ? freshId() : clientId)).toBe(true);
    await say(main, { event: 'account', data: {} });
    await reader.event('account');
    expect(reader.over).toBe(false);
  });

  it('two who chose the same id do not meet', async () => {
    const clientId = freshId();
    const [mine, theirs] = [await ready(api.url, main, clientId), await ready(api.url, stranger, clientId)];
    await close(stranger.client, clientId);
    expect(await theirs.endsWithin(3_000)).toBe(true);
    expect(mine.over).toBe(false);
  });

  it('a client that opens its id again is rid of the older stream, wherever that was', async () => {
    const clientId = freshId();
    const first = await ready(second.url, main, clientId);
    const again = await ready(api.url, main, clientId);
    expect(await first.endsWithin(3_000)).toBe(true);
    const third = await ready(api.url, main, clientId);
    expect(await again.endsWithin(3_000)).toBe(true);
    expect(third.over).toBe(false);
  });
});

describe('a session that ends', () => {
  it('ends its streams within seconds, and no other', async () => {
    const person = await makeMain(api);
    const [here, there] = [await ready(api.url, person), await ready(second.url, person)];
    const [kept, visitor] = [await ready(api.url, main), await ready(api.url)];
    await person.client.call(logout, {});
    expect(await here.endsWithin(4_000)).toBe(true);
    expect(await there.endsWithin(4_000)).toBe(true);
    const after = await fetch(`${api.url}${path(`/openSse/${freshId()}`)}`, { headers: signed(person) });
    expect([after.status, await json(after)]).toEqual([
      401,
      expect.objectContaining({ status: 702, code: 'SESSION_ENDED' }),
    ]);
    expect([kept.over, visitor.over]).toEqual([false, false]);
  });

  it('by a changed password too', async () => {
    const person = await makeMain(api);
    const reader = await ready(api.url, person);
    await person.client.call(changePassword, { oldPassword: person.password, password: 'another-secret' });
    expect(await reader.endsWithin(4_000)).toBe(true);
  });

  it('by its age, although a stream was open all the time', async () => {
    const person = await makeMain(api);
    const reader = await ready(api.url, person);
    await api.db.query("UPDATE session SET last_used_at = now() - interval '8 days' WHERE user_id = $1", [
      person.session.userId,
    ]);
    expect(await reader.endsWithin(4_000)).toBe(true);
  });
});

describe('what is refused, in an envelope and before any stream', () => {
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

  it('a body that names another id: 422', async () => {
    const answer = await fetch(`${api.url}${path(`/closeSse/${freshId()}`)}`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clientId: freshId() }),
    });
    expect([answer.status, await json(answer)]).toEqual([422, expect.objectContaining({ code: 'UNKNOWN_FIELD' })]);
  });

  it('other methods: 405; paths that are not ours: 404', async () => {
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

  it('HEAD has the head and no stream', async () => {
    const answer = await get(`/openSse/${freshId()}`, {}, 'HEAD');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('a wrong, stale, half or unknown signature: 705 and 701, as everywhere', async () => {
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

  it('one address has its share, and gets room again', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => ready(api.url)));
    const answer = await get(`/openSse/${freshId()}`);
    expect([answer.status, await json(answer)]).toEqual([429, expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await opened[0]?.close();
    expect(await until(() => (held(api.app) < 12 ? true : undefined), 3_000)).toBe(true);
    await ready(api.url);
  });
});

describe('a client that', () => {
  it('vanishes leaves nothing behind, however early', async () => {
    const requests = Array.from({ length: 10 }, () => {
      const { hostname, port } = new URL(api.url);
      const call = request({ hostname, port, path: path(`/openSse/${freshId()}`), headers: signed(main) });
      call.on('error', () => undefined).on('response', (answer: IncomingMessage) => answer.resume());
      call.end();
      return call;
    });
    for (const [at, call] of requests.entries()) setTimeout(() => call.destroy(), at * 3);
    expect(await until(() => (held(api.app) === 0 ? true : undefined), 5_000)).toBe(true);
    await say(main, { event: 'account', data: {} });
  });

  it('does not read is dropped', async () => {
    const { hostname, port } = new URL(api.url);
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(`GET ${path(`/openSse/${freshId()}`)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    const [stream] = api.app.get(Streams, { strict: false }).all();
    const much = Buffer.alloc(256 * 1024, ':');
    for (let sent = 0; held(api.app) > 0 && sent < 200; sent++) {
      stream?.send(much);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(held(api.app)).toBe(0);
    socket.destroy();
  });
});

describe('without Redis', () => {
  it('a stream opens and stays; it is told again when Redis is back', async () => {
    const gate = await gateTo(process.env['REDIS_URL'] ?? '');
    const cut = await startSecond({ ...api.env, REDIS_URL: gate.url, REDIS_TIMEOUT_MS: '500' });
    try {
      const before = await ready(cut.url, main);
      gate.shut();
      const during = await ready(cut.url, main);
      await live(cut.app).publish(familyTopic(main.session.userId), { event: 'account', data: {} });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect([before.over, during.over]).toEqual([false, false]);
      gate.open();
      const heard = async (reader: EventReader) => {
        for (let tries = 0; tries < 100 && reader.heard.length < 2; tries++) {
          await say(main, { event: 'account', data: {} });
          await new Promise((resolve) => setTimeout(resolve, 100));
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

describe('a process that stops', () => {
  it('ends its streams and is not held up by them', async () => {
    const stopping = await startSecond(api.env);
    const [one, two] = [await ready(stopping.url, main), await ready(stopping.url)];
    const began = Date.now();
    await stopping.app.close();
    expect(Date.now() - began).toBeLessThan(5_000);
    expect([await one.endsWithin(1_000), await two.endsWithin(1_000)]).toEqual([true, true]);
  });
});

/** A door before Redis that can be shut: connections end and new ones are refused. */
async function gateTo(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let shut = false;
  const server = createServer((client) => {
    if (shut) return void client.destroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => {
      shut = true;
      end();
    },
    open: () => void (shut = false),
    end: async () => {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
