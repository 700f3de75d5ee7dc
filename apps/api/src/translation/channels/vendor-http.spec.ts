import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { failureOf } from '../../../test/support/vendor-accounts.js';
import { VendorFailure } from './vendor-failure.js';
import {
  answered,
  kindOfStatus,
  refused,
  retryAfterMs,
  understood,
  VendorHttp,
  type VendorReply,
} from './vendor-http.js';

const servers: Server[] = [];
const clients: VendorHttp[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A test server, and a client for an address below it. */
async function serving(listener: RequestListener, connections = 100) {
  const sockets = new Set<Socket>();
  const server = createServer(listener).on('connection', (socket) => sockets.add(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new VendorHttp(`http://${host}/base/`, connections);
  clients.push(http);
  const post = (signal = AbortSignal.timeout(30_000)) =>
    http.post({ path: http.path('/x?a=1'), headers: { 'x-key': 'secret' }, body: '{"q":"text"}', signal });
  return { http, host, sockets, post };
}

describe('a vendor HTTP call', () => {
  it('sends the request as given, below the base path, and parses JSON', async () => {
    const seen: unknown[] = [];
    const { http, host, post } = await serving((request, reply) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        const { accept, host: to, 'x-key': key } = request.headers;
        seen.push([request.method, request.url, accept, to, key, body]);
        reply.setHeader('X-Metered', '5').end('{"ok":"好"}');
      });
    });
    const reply = await post();
    expect(seen).toEqual([['POST', '/base/x?a=1', 'application/json', host, 'secret', '{"q":"text"}']]);
    expect(http.host).toBe(host);
    expect(new VendorHttp('https://api.example', 1).host).toBe('api.example');
    expect([reply.status, reply.json, reply.header('x-metered'), reply.header('x-none')]).toEqual([
      200,
      { ok: '好' },
      '5',
      null,
    ]);
  });

  it('runs a hundred calls in parallel over kept-alive connections', async () => {
    const waiting: (() => void)[] = [];
    // No response is sent until all hundred requests have arrived.
    const { post, sockets } = await serving((request, reply) => {
      request.resume().on('end', () => {
        waiting.push(() => reply.end('{}'));
        if (waiting.length === 100) for (const answer of waiting.splice(0)) answer();
      });
    });
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(Array.from({ length: 100 }, () => post()));
      expect(replies).toHaveLength(100);
    }
    expect(sockets.size).toBe(100);
  });

  it.each([
    ['before it begins', null],
    ['while it waits', ''],
    ['while the body comes', '{"half":'],
  ])('fails as time-out when the signal fires %s', async (_, begin) => {
    const abort = new AbortController();
    const { post } = await serving((_request, reply) => {
      if (begin) reply.write(begin);
      setTimeout(() => abort.abort(new Error('secret')), 30);
    });
    if (begin === null) abort.abort();
    expect(await failureOf(post(abort.signal))).toMatchObject({ kind: 'timeout', message: 'no answer in time' });
  });

  it('fails as transient when the connection is refused or dropped', async () => {
    const { post } = await serving((request) => request.socket.destroy());
    expect(await failureOf(post())).toMatchObject({ kind: 'transient', message: 'UND_ERR_SOCKET' });
    const gone = await serving(() => undefined);
    servers.pop()?.close();
    expect(await failureOf(gone.post())).toMatchObject({ kind: 'transient', message: 'ECONNREFUSED' });
  });

  it.each([
    ['closes its connections', 'transient', ({ http }) => http.close()],
    ['ends by one signal', 'timeout', ({ abort }) => abort.abort()],
  ] as [string, string, (of: { http: VendorHttp; abort: AbortController }) => unknown][])(
    'fails several calls at once when it %s, even if a library marks error objects',
    async (_, kind, end) => {
      // It patches every socket of the process (urllib).
      await import('alipay-sdk');
      const abort = new AbortController();
      let heard = 0;
      const { http, post } = await serving(() => {
        heard++;
        if (heard === 3) void end({ http, abort });
      });
      const calls = [1, 2, 3].map(() => failureOf(post(abort.signal)));
      expect((await Promise.all(calls)).map((failure) => failure.kind)).toEqual([kind, kind, kind]);
    },
  );

  it('fails as transient when its kept-alive connections are closed', async () => {
    let heard = () => {};
    const reached = new Promise<void>((resolve) => (heard = resolve));
    const { http, post } = await serving(() => heard());
    const call = failureOf(post());
    await reached;
    await http.close();
    expect((await call).kind).toBe('transient');
    expect((await failureOf(post())).kind).toBe('transient');
  });

  const whole = '{"text":"好的"}';
  it.each([
    ['cut off', (reply) => reply.setHeader('content-length', 99).write(whole.slice(0, 9))],
    ['cut off between chunks', (reply) => reply.write(whole)],
  ] as [string, (reply: Parameters<RequestListener>[1]) => unknown][])(
    'fails as bad answer when it is %s',
    async (_, begin) => {
      const { post } = await serving((_request, reply) => {
        begin(reply);
        setTimeout(() => reply.destroy(), 20);
      });
      expect((await failureOf(post())).kind).toBe('bad-answer');
    },
  );

  it.each([
    ['no JSON', '<html>', {}],
    ['nothing', '', {}],
    ['half of a character', Buffer.from(whole).subarray(0, 11), {}],
    ['packed without being asked to', gzipSync(whole), { 'content-encoding': 'gzip' }],
  ])('fails as bad answer when it is %s', async (_, body, headers) => {
    const { post } = await serving((_request, reply) => {
      reply.writeHead(200, headers).end(body);
    });
    const failure = await failureOf(post());
    expect(failure).toMatchObject({ kind: 'bad-answer', message: expect.not.stringContaining('html') });
  });

  it('fails as bad answer when the body never ends', async () => {
    const { post } = await serving((_, reply) => {
      const more = () => {
        while (!reply.destroyed && reply.write(' '.repeat(65_536)));
        if (!reply.destroyed) reply.once('drain', more);
      };
      more();
    });
    expect(await failureOf(post())).toMatchObject({ kind: 'bad-answer', message: expect.stringContaining('MAX_SIZE') });
  });

  it('follows no redirects', async () => {
    let followed = 0;
    const other = await serving((_, reply) => {
      followed++;
      reply.end('{}');
    });
    const { post } = await serving((_, reply) => {
      reply.writeHead(307, { location: `http://${other.host}/` }).end('{}');
    });
    expect(await failureOf(post())).toMatchObject({ kind: 'bad-answer', message: 'HTTP 307, a redirect' });
    expect(followed).toBe(0);
  });

  it('leaves error statuses to the vendor’s table, whatever the body is', async () => {
    const { post } = await serving((_, reply) => {
      reply.writeHead(503, { 'retry-after': '3' }).end('<html>busy</html>');
    });
    const reply = await post();
    expect([reply.status, reply.json, reply.header('retry-after')]).toEqual([503, undefined, '3']);
    const half = await serving((_, answer) => {
      answer.writeHead(500, { 'content-length': '99' }).write('{"error"');
      setTimeout(() => answer.destroy(), 20);
    });
    expect(await half.post()).toMatchObject({ status: 500, json: undefined });
  });
});

const reply = (status: number, headers: Record<string, string> = {}, json: unknown = undefined): VendorReply => ({
  status,
  header: (name) => headers[name] ?? null,
  json,
});

describe('mapping of vendor errors', () => {
  it('falls back to the status when the table has no entry', () => {
    const kinds = [400, 401, 402, 403, 404, 408, 413, 414, 429, 500, 502, 503, 504, 529].map(kindOfStatus);
    expect(kinds.join(' ')).toBe(
      'bad-request auth quota auth bad-request transient too-long too-long rate transient transient transient transient transient',
    );
    expect(kindOfStatus(204)).toBe('bad-answer');
  });

  it('parses how long to wait: seconds, a date, milliseconds', () => {
    const now = Date.parse('2026-11-21T09:00:00Z');
    const after = (headers: Record<string, string>) => retryAfterMs(reply(429, headers), now);
    expect(after({ 'retry-after': '7' })).toBe(7_000);
    expect(after({ 'retry-after': ' 0.5 ' })).toBe(500);
    expect(after({ 'retry-after': 'Sat, 21 Nov 2026 09:00:30 GMT' })).toBe(30_000);
    expect(after({ 'retry-after': 'Sat, 21 Nov 2026 08:59:00 GMT' })).toBe(0);
    expect(after({ 'retry-after-ms': '120', 'retry-after': '7' })).toBe(120);
    for (const nonsense of ['', 'soon', '-5', 'NaN', '1e3', '2026-11-21'])
      expect(after({ 'retry-after': nonsense })).toBeNull();
    expect(after({})).toBeNull();
  });

  it('reports a vendor’s code only if it looks like a code', () => {
    expect(refused('auth', reply(403), 'API_KEY_INVALID').message).toBe('HTTP 403, API_KEY_INVALID');
    expect(refused('auth', reply(401), 401000).message).toBe('HTTP 401, 401000');
    expect(refused('rate', reply(429, { 'retry-after': '2' }), 'two words')).toMatchObject({
      message: 'HTTP 429',
      retryAfterMs: 2_000,
    });
    expect(refused('auth', reply(403), 'sk-1234567890').message).toBe('HTTP 403');
  });

  it('treats a response of another shape as a bad answer', async () => {
    const schema = z.object({ text: z.string() });
    expect(understood(schema, reply(200, {}, { text: 'a', more: 1 }))).toEqual({ text: 'a' });
    const failure = await failureOf(
      Promise.resolve().then(() => understood(schema, reply(200, {}, { text: ['key'] }))),
    );
    expect(failure).toMatchObject({ kind: 'bad-answer', message: 'HTTP 200, another shape' });
  });

  it('expects one result per text, and a detected source only if none was given', () => {
    const request = { texts: ['a', 'b'], source: null, target: 'fr', signal: AbortSignal.abort() };
    expect(answered(request, ['x', ''], ['en'])).toEqual({ texts: ['x', ''], detected: ['en', null] });
    expect(answered({ ...request, source: 'en' }, ['x', 'y'], ['de', 'de']).detected).toEqual([null, null]);
    for (const texts of [[], ['x'], ['x', 'y', 'z'], ['', ' \n']])
      expect(() => answered(request, texts)).toThrow(VendorFailure);
  });
});
