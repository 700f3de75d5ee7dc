import { once } from 'node:events';
import { createServer, get, type ClientRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { Admission, externalCall } from './admission.js';
import { loadConfig } from './config.js';

/** Two slots, one per address: a second request of an address is refused while the first is processed. */
const config = loadConfig({
  DATABASE_URL: 'postgres://nowhere/a',
  REDIS_URL: 'redis://nowhere',
  SMTP_URL: 'smtp://nowhere',
  APP_SECRET: '0123456789abcdef'.repeat(4),
  LIMIT_REQUESTS_IN_FLIGHT: '2',
});
const opened: { server: Server; admission: Admission }[] = [];

/** Starts a server that passes admitted requests to `handle`; returns its address. */
async function serving(handle: RequestListener): Promise<string> {
  const admission = new Admission(config);
  const server = createServer(admission.guard(handle, []));
  opened.push({ server, admission });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const { server, admission } of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
    admission.onApplicationShutdown();
  }
});

const statusOf = async (url: string, method = 'GET'): Promise<number> => (await fetch(url, { method })).status;

/** A handler whose requests to /held wait until they are released; `there` resolves when the first has arrived. */
function holding(wait: (work: () => Promise<void>) => Promise<void> = (work) => work()) {
  const [there, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [gone, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const handle: RequestListener = (request, response) => {
    const hold = async (): Promise<void> => {
      response.once('close', hungUp.resolve);
      there.resolve();
      await letGo.promise;
    };
    void (request.url?.endsWith('/held') ? wait(hold) : Promise.resolve()).then(() => {
      response.end();
      if (request.url?.endsWith('/held')) gone.resolve();
    });
  };
  return { handle, there: there.promise, letGo: letGo.resolve, gone: gone.promise, hungUp: hungUp.promise };
}

describe('a slot', () => {
  it('is freed as soon as the request is answered', async () => {
    const url = await serving((_, response) => response.end());
    for (let i = 0; i < 5; i++) expect(await statusOf(url)).toBe(200);
  });

  it('is held while a request is processed: other commands are rejected, reads run beside it', async () => {
    const { handle, there, letGo } = holding();
    const url = await serving(handle);
    const held = statusOf(`${url}/held`, 'POST');
    await there;
    expect([await statusOf(url, 'POST'), await statusOf(url)]).toEqual([503, 200]);
    letGo();
    expect([await held, await statusOf(url, 'POST')]).toEqual([200, 200]);
  });

  it('is released while a request waits for an external call, and taken again afterwards', async () => {
    const back = Promise.withResolvers<void>();
    const returned = Promise.withResolvers<void>();
    const { handle, there, letGo } = holding(async (work) => {
      await externalCall(work);
      returned.resolve();
      await back.promise;
    });
    const url = await serving(handle);
    const held = statusOf(`${url}/held`);
    await there;
    expect(await statusOf(url)).toBe(200);
    letGo();
    await returned.promise;
    expect(await statusOf(url)).toBe(503);
    back.resolve();
    expect([await held, await statusOf(url)]).toEqual([200, 200]);
  });

  it('is not used by uploads, which have slots of their own', async () => {
    const upload = endpoints.find((endpoint) => endpoint.upload);
    const came = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const url = await serving((request, response) => {
      if (request.url === '/') return void response.end();
      came.resolve();
      void letGo.promise.then(() => response.end());
    });
    const held = statusOf(`${url}${BASE_PATH}${upload?.path}`, 'POST');
    await came.promise;
    expect(await statusOf(url, 'POST')).toBe(200);
    letGo.resolve();
    expect(await held).toBe(200);
  });

  it('is held by the work of a disconnected client until that work ends', async () => {
    const { handle, there, letGo, gone, hungUp } = holding();
    const url = await serving(handle);
    const call: ClientRequest = get(`${url}/held`).on('error', () => undefined);
    await there;
    call.destroy();
    await hungUp;
    expect(await statusOf(url)).toBe(503);
    letGo();
    await gone;
    const began = performance.now();
    while ((await statusOf(url)) !== 200) await setTimeout(10);
    // Well before it would count as stuck.
    expect(performance.now() - began).toBeLessThan(600);
  });
});
