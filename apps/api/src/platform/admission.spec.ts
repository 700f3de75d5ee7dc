import { once } from 'node:events';
import { createServer, get, type ClientRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyRequest } from 'fastify';
import { Admission, externalCall, hasWaited, waitsForOthers } from './admission.js';
import { loadConfig } from './config.js';
import { ThrownErrors } from './exception-filter.js';

const env = {
  DATABASE_URL: 'postgres://nowhere/a',
  REDIS_URL: 'redis://nowhere',
  SMTP_URL: 'smtp://nowhere',
  APP_SECRET: '0123456789abcdef'.repeat(4),
};
/** Two slots, one per address: a second request of an address is refused while the first is processed. */
const config = loadConfig({ ...env, LIMIT_REQUESTS_IN_FLIGHT: '2' });
const opened: { server: Server; admission: Admission }[] = [];

/** Starts a server that passes admitted requests to `handle`; returns its address. */
async function serving(handle: RequestListener, admission = new Admission(config)): Promise<string> {
  const server = createServer(admission.guard(handle, []));
  opened.push({ server, admission });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// Time stands still: a slot counts as stuck after a second, which a busy machine may take.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(1_000));
afterEach(() => {
  jest.restoreAllMocks();
  for (const { server, admission } of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
    admission.onApplicationShutdown();
  }
});

const statusOf = async (url: string, method = 'GET', headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { method, headers })).status;

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

describe('after requests that failed', () => {
  /** How many of a hundred at once are refused after three that failed with `error`. */
  async function refusedAfter(error: Error & { code?: string }): Promise<number> {
    const [letGo, errors] = [Promise.withResolvers<void>(), new ThrownErrors()];
    let held = 0;
    const handle: RequestListener = (request, response) => {
      if (request.url === '/failing') errors.refusalFor(error, { id: 'x' } as FastifyRequest);
      else held++;
      void (request.url === '/failing' ? Promise.resolve() : letGo.promise).then(() => response.end());
    };
    const url = await serving(handle, new Admission(loadConfig({ ...env, LIMIT_REQUESTS_IN_FLIGHT: '500' })));
    await Promise.all([1, 2, 3].map(() => statusOf(`${url}/failing`, 'POST')));
    await setTimeout(150); // the limit is adjusted every 100 ms
    let refused = 0;
    const all = Array.from({ length: 100 }, async () => {
      if ((await statusOf(url, 'POST')) === 503) refused++;
    });
    while (held + refused < 100) await setTimeout(5);
    letGo.resolve();
    await Promise.all(all);
    return refused;
  }

  it('because a store is away, a few are let in', async () => {
    const refused = await refusedAfter(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    expect(refused).toBeGreaterThan(50);
  });

  it.each(['57014', '40P01', '53300'])('because of their statement (%s), as many as ever', async (code) => {
    expect(await refusedAfter(Object.assign(new Error('statement'), { code }))).toBe(0);
  });
});

describe('a request', () => {
  const upload = endpoints.find((each) => each.upload)?.path;
  it.each([
    ['that works by itself', '/', () => Promise.resolve(), false],
    ['that asks a vendor', '/', () => externalCall(() => Promise.resolve()), true],
    ['that a vendor fails', '/', () => externalCall(() => Promise.reject(new Error('no'))), true],
    ['that waits for a channel', '/', () => Promise.resolve(waitsForOthers()), true],
    ['that moves a file', `${BASE_PATH}${upload}`, () => Promise.resolve(), true],
  ])('%s is known as such', async (_, path, work, expected) => {
    const known = Promise.withResolvers<boolean>();
    const url = await serving((request, response) => {
      const over = (): void => {
        known.resolve(hasWaited(request));
        response.end();
      };
      void work().then(over, over);
    });
    await statusOf(`${url}${path}`, 'POST');
    expect(await known.promise).toBe(expected);
  });
});

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
    // Not because it counts as stuck.
    while ((await statusOf(url)) !== 200) await setTimeout(10);
  });
});

describe('an API key', () => {
  const KEY = `yq_${'2'.repeat(40)}`;
  const TOKEN = `yqu_${'3'.repeat(40)}`;
  /** Another with the readable beginning of the first. */
  const MADE_UP = `yq_${'2'.repeat(8)}${'x'.repeat(32)}`;
  const places: readonly (readonly [place: string, path: (key: string) => string, scheme: string | null])[] = [
    ['Authorization: Bearer', () => '/v1/translate', 'Bearer '],
    ['Authorization: DeepL-Auth-Key', () => '/deepl/v2/translate', 'DeepL-Auth-Key '],
    ['?key=', (key) => `/google/language/translate/v2?target=fr&key=${key}`, null],
    ['a path', (key) => `/deeplx/${key}/translate`, null],
    ['the end of a path', (key) => `/immersive/${key}`, null],
  ];

  it.each(places)(
    'in %s counts for its account once it was verified, made-up ones for their address',
    async (...row) => {
      const [, path, scheme] = row;
      const { handle, there, letGo } = holding();
      const admission = new Admission(config);
      const url = await serving(handle, admission);
      const ask = (key: string): Promise<number> =>
        statusOf(url + path(key), 'POST', scheme === null ? {} : { Authorization: scheme + key });
      const held = statusOf(`${url}/held`, 'POST');
      await there;
      expect(await ask(KEY)).toBe(503);
      for (const key of [KEY, TOKEN]) await admission.verifying(key, Promise.resolve({ userId: 7 }));
      expect([await ask(KEY), await ask(TOKEN), await ask(MADE_UP)]).toEqual([200, 200, 503]);
      const refused = Promise.reject(new Refusal('API_KEY_REVOKED'));
      await expect(admission.verifying(KEY, refused)).rejects.toThrow(Refusal);
      const beyondItsRate = Promise.reject(new Refusal('TOO_MANY_REQUESTS'));
      await expect(admission.verifying(TOKEN, beyondItsRate)).rejects.toThrow(Refusal);
      expect([await ask(KEY), await ask(TOKEN)]).toEqual([503, 200]);
      letGo();
      expect(await held).toBe(200);
    },
  );
});
