import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { expect } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { loadConfig } from '../../src/platform/config.js';
import { FAMILIES_TOPIC, Live } from '../../src/platform/live.js';
import { Streams } from '../../src/notices/streams.js';
import { buildHttp } from '../../src/serve.js';
import { headersOf } from './client.js';
import { EventReader } from './event-reader.js';
import type { TestMember } from './test-members.js';

export type Process = { app: NestFastifyApplication; url: string };

/** Another process on the same stores. */
export async function startSecond(env: Record<string, string>): Promise<Process> {
  const app = await buildHttp(loadConfig(env));
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}

/** The number of streams that a process holds. */
export const held = (app: NestFastifyApplication): number => app.get(Streams, { strict: false }).size;

const readers: EventReader[] = [];
let ids = 0;

export const freshId = (): string => `client-${++ids}-abcdef`;
export const signed = (who: TestMember): Record<string, string> => headersOf(who.session);

export async function open(
  url: string,
  clientId = freshId(),
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const reader = await EventReader.open(url, clientId, headers);
  readers.push(reader);
  return reader;
}

/** Open and confirmed. */
export async function ready(url: string, who?: TestMember, clientId = freshId()): Promise<EventReader> {
  const reader = await open(url, clientId, who && signed(who));
  const accountVersion: unknown = who ? expect.any(String) : null;
  expect(await reader.event('ready')).toEqual({ event: 'ready', data: { clientId, accountVersion } });
  return reader;
}

/** Closes every stream that a test has opened. */
export const closeReaders = (): Promise<unknown> => Promise.all(readers.splice(0).map((reader) => reader.close()));

/** Publishes it to the family of `who` from this process. */
export const tell = (app: NestFastifyApplication, who: TestMember, event: object): Promise<void> =>
  app.get(Live, { strict: false }).publish(FAMILIES_TOPIC, { familyId: who.session.userId, ...event });

export const path = (of: string): string => `${BASE_PATH}/notice${of}`;
export const json = async (answer: Response): Promise<object> => (await answer.json()) as object;

/** A proxy in front of Redis that can be shut: connections end and new ones are refused. */
export async function gateTo(redisUrl: string) {
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
  // With Redis's username and password.
  const url = new URL(redisUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
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
