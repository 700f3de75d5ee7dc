/** The proxy in front of the api processes: a real HAProxy with the configuration of infra/ (docs/decisions/0064). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './support/packaging.js';
import { CONFIGURATION, proxyEnv, startBackend, startProxy, type Backend, type Proxy } from './support/proxy.js';
import { waitUntil } from './support/wait-until.js';

const SIGNED = `1764300000000.${'a'.repeat(64)}`;
const forms = (token: string): Record<string, string>[] => [
  { token, timestamp: '1764300000000', signature: 'a'.repeat(64) },
  { authorization: `${token}.${SIGNED}` },
  { 'auth-token': `${token}.${SIGNED}` },
];
/** Different each time, as the tokens of sessions are. */
const tokenOf = (n: number): string => (n * 2_654_435_761).toString(16).toUpperCase().padStart(64, '7F3A9C');

let backends: Backend[];
let proxy: Proxy;

const ask = async (headers: Record<string, string> = {}, at = '/'): Promise<string> => {
  const answer = await fetch(`${proxy.url}${at}`, { headers });
  return answer.ok ? answer.text() : `${answer.status}`;
};
const session = (n: number): Promise<string> => ask(forms(tokenOf(n))[0]);
const homesOf = async (count: number): Promise<string[]> => {
  const homes: string[] = [];
  for (let n = 0; n < count; n++) homes.push(await session(n));
  return homes;
};
/** Until the proxy has noticed which of the three can be used. */
const noticed = (...usable: boolean[]): Promise<string> =>
  waitUntil(
    async () => (await fetch(`${proxy.metrics}/metrics`)).text(),
    (figures) =>
      usable.every((isUp, n) =>
        figures.includes(
          `haproxy_server_status{proxy="sessions",server="api-${n + 1}",state="${isUp ? 'UP' : 'DOWN'}"} 1`,
        ),
      ),
  );

beforeAll(async () => {
  backends = await Promise.all(['one', 'two', 'three'].map(startBackend));
  proxy = await startProxy(backends.map(({ address }) => address));
});
afterEach(async () => {
  for (const backend of backends) backend.ready = true;
  await noticed(true, true, true);
});
afterAll(async () => {
  await proxy.stop();
  await Promise.all(backends.map((backend) => backend.close()));
});

describe('the configuration', () => {
  const check = (file: string, bind = '127.0.0.1:9'): ReturnType<typeof run> => {
    const env = proxyEnv(['127.0.0.1:1', 'api-2:8080'], { web: 9, metrics: 10 });
    return run('HAPROXY', ['-c', '-f', file], { ...env, BIND: bind });
  };

  it('is understood by HAProxy, with names that do not resolve yet', async () => {
    const { code, err } = await check(CONFIGURATION);
    expect([code, err.includes('[ALERT]')]).toEqual([0, false]);
  });

  it.each([
    ['fastinter 500ms', 'fastintre 500ms', "did you mean 'fastinter'"],
    ['balance hash var(txn.session)', 'balance hashed var(txn.session)', 'balance'],
  ])('would not be with %s as %s', async (right, wrong, message) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'haproxy-')), 'wrong.cfg');
    writeFileSync(file, readFileSync(CONFIGURATION, 'utf8').replace(right, wrong));
    const { code, err } = await check(file);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });
});

describe('requests of a session', () => {
  it('meet the same process in whichever form its token comes, and all processes have some', async () => {
    const homes = await homesOf(30);
    expect([...new Set(homes)].sort()).toEqual(['one', 'three', 'two']);
    for (const n of [1, 2, 3, 4, 5]) for (const form of forms(tokenOf(n))) expect(await ask(form)).toBe(homes[n]);
  });

  it('meet the same process with an API key, too', async () => {
    const keys = Array.from({ length: 30 }, (_, n) => `yq_${`key${n}`.padEnd(40, 'a')}`);
    const homes: string[] = [];
    for (const key of keys) homes.push(await ask({ authorization: `Bearer ${key}` }));
    expect(new Set(homes).size).toBe(3);
    for (const [n, key] of keys.slice(0, 8).entries())
      expect(await ask({ authorization: `Bearer ${key}` })).toBe(homes[n]);
  });

  it('go elsewhere while their process is about to end, which answers what it has, and come back', async () => {
    const homes = await homesOf(30);
    const n = homes.indexOf('two');
    const answer = await fetch(`${proxy.url}/stream`, { headers: forms(tokenOf(n))[0] ?? {} });
    const reader = (answer.body as ReadableStream<Uint8Array> | null)?.getReader();
    const [, leaving] = backends;
    if (!leaving || !reader) throw new Error('there is no stream');
    leaving.ready = false;
    await noticed(true, false, true);
    const stay = await homesOf(30);
    for (const [k, home] of homes.entries()) if (home !== 'two') expect(stay[k]).toBe(home);
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain('data: two');
    await reader.cancel();
    leaving.ready = true;
    await noticed(true, true, true);
    expect(await homesOf(30)).toEqual(homes);
  });

  it('do not fail when a process is gone without a word', async () => {
    const [gone] = backends;
    await gone?.close();
    expect(new Set(await homesOf(30))).toEqual(new Set(['two', 'three']));
    await noticed(false, true, true);
    expect(new Set(await homesOf(30))).toEqual(new Set(['two', 'three']));
    await gone?.reopen();
  });

  it('are answered by processes that are not ready where none is', async () => {
    for (const backend of backends) backend.ready = false;
    const answers: string[] = [];
    const asking = noticed(false, false, false).then(() => false);
    for (let n = 0; await Promise.race([asking, session(n).then((answer) => answers.push(answer))]); n++);
    answers.push(...(await homesOf(30)));
    expect(answers.filter((answer) => !['one', 'two', 'three'].includes(answer))).toEqual([]);
  });

  it('are sent once: what a process took and did not answer is not repeated', async () => {
    const before = backends.flatMap(({ seen }) => seen.filter((one) => one.path === '/rude')).length;
    expect(['502', 'closed']).toContain(await ask(forms(tokenOf(1))[0], '/rude').catch(() => 'closed'));
    expect(backends.flatMap(({ seen }) => seen.filter((one) => one.path === '/rude')).length).toBe(before + 1);
  });
});

describe('everybody else', () => {
  it('is spread over the processes, and keeps its address', async () => {
    const before = backends.map(({ seen }) => seen.length);
    await Promise.all(Array.from({ length: 60 }, () => ask({ 'X-Forwarded-For': '203.0.113.7' })));
    for (const [n, { seen }] of backends.entries()) expect(seen.length).toBeGreaterThan(before[n] ?? 0);
    const headers = backends[0]?.seen.at(-1)?.headers;
    expect(headers?.['x-forwarded-for']).toBe('203.0.113.7, 127.0.0.1');
  });

  it('is no session with a token that cannot be one', async () => {
    const homes = await Promise.all(Array.from({ length: 60 }, () => ask({ token: 'short' })));
    expect([...new Set(homes)].sort()).toEqual(['one', 'three', 'two']);
  });

  it('hears as from the product that nobody is there', async () => {
    await Promise.all(backends.map((backend) => backend.close()));
    await noticed(false, false, false);
    const answer = await fetch(proxy.url, { headers: forms(tokenOf(1))[0] ?? {} });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.json()).toMatchObject({ success: false, data: null, code: 'SERVICE_BUSY', status: 503 });
    await Promise.all(backends.map((backend) => backend.reopen()));
    await noticed(true, true, true);
  });
});

describe('its own port', () => {
  it('has its figures, and nothing of the product', async () => {
    const figures = await (await fetch(`${proxy.metrics}/metrics`)).text();
    expect(figures).toContain('haproxy_server_status{proxy="sessions",server="api-1",state="UP"} 1');
    expect((await fetch(`${proxy.metrics}/`)).status).toBe(404);
  });
});
