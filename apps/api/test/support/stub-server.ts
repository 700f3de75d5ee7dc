import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type StubRequest = { method: string; url: string; headers: Record<string, string>; body: string };
/** `everyMs`: the body is sent byte by byte at this interval. */
export type StubAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  everyMs?: number;
};

/** A server with scripted responses; `asked`: the received requests, in order. */
export async function stubServer(answer: (asked: StubRequest) => StubAnswer | Promise<StubAnswer>) {
  const asked: StubRequest[] = [];
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers: headers as Record<string, string>, body: Buffer.concat(parts).toString() };
      asked.push(one);
      void Promise.resolve(answer(one)).then(async ({ status = 200, headers: said = {}, body = '', everyMs }) => {
        reply.writeHead(status, said);
        if (everyMs === undefined) return reply.end(body);
        for (const byte of Buffer.from(body)) {
          if (reply.destroyed) return;
          reply.write(Buffer.from([byte]));
          await pause(everyMs);
        }
        return reply.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, asked, close };
}
