/** The script of the chart's Redis: three real servers with a Sentinel each, on addresses of the loopback (docs/decisions/0064). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { infra, program } from './support/packaging.js';
import { waitUntil } from './support/wait-until.js';

const PASSWORD = 'sentinels';
const network = `127.${100 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`;
const hosts = [1, 2, 3].map((n) => `${network}.${n}`);

let folder: string;
const running = new Map<string, ChildProcess[]>();

function start(host: string): void {
  const { command, env } = program('REDIS_SERVER');
  const at = path.join(folder, host);
  mkdirSync(path.join(at, 'config'), { recursive: true });
  const children = ['server', 'sentinel'].map((part) =>
    spawn('sh', [infra('helm/yiqiao/files/redis.sh'), part], {
      env: {
        ...env,
        PATH: `${path.dirname(command)}:${env['PATH'] ?? ''}`,
        ME: host,
        NODES: hosts.join(' '),
        REDISCLI_AUTH: PASSWORD,
        BIND: host,
        DATA: at,
        CONFIG: path.join(at, 'config'),
      },
      stdio: 'ignore',
    }),
  );
  running.set(host, children);
}

async function kill(host: string): Promise<void> {
  const children = running.get(host) ?? [];
  running.delete(host);
  await Promise.all(
    children.map((child) => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      return exited;
    }),
  );
}

async function roleOf(host: string): Promise<string> {
  const redis = new Redis({ host, password: PASSWORD, lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const [role, master] = (await redis.call('ROLE')) as [string, string];
    return role === 'slave' ? `replica of ${master}` : role;
  } catch {
    return 'away';
  } finally {
    redis.disconnect();
  }
}

const masters = async (): Promise<string[]> => {
  const roles = await Promise.all(hosts.map(async (host) => [host, await roleOf(host)] as const));
  return roles.flatMap(([host, role]) => (role === 'master' ? [host] : []));
};
/** How many replicas each Sentinel knows: it learns of them every ten seconds, and can promote none that it does not know. */
async function knownReplicas(): Promise<number[]> {
  return Promise.all(
    hosts.map(async (host) => {
      const sentinel = new Redis({ host, port: 26379, retryStrategy: () => null });
      sentinel.on('error', () => undefined);
      try {
        return ((await sentinel.call('SENTINEL', 'REPLICAS', 'yiqiao')) as unknown[]).length;
      } catch {
        return 0;
      } finally {
        sentinel.disconnect();
      }
    }),
  );
}
const only = (host: string) => (found: string[]) => found.length === 1 && found[0] === host;

/** As the product does, by Sentinel. */
const product = (): Redis => {
  const client = new Redis({
    sentinels: hosts.map((host) => ({ host, port: 26379 })),
    name: 'yiqiao',
    password: PASSWORD,
    connectTimeout: 1_000,
  });
  client.on('error', () => undefined);
  return client;
};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'redis-'));
  for (const host of hosts) start(host);
});
afterAll(async () => {
  await Promise.all([...running.keys()].map(kill));
  rmSync(folder, { recursive: true, force: true });
});

describe('three Redis with their Sentinels', () => {
  it('have one master, lose none of what it wrote when it dies, and take it back as a replica', async () => {
    const [first = '', second = '', third = ''] = hosts;
    await waitUntil(masters, only(first));
    await waitUntil(
      () => roleOf(second),
      (role) => role === `replica of ${first}`,
    );
    await waitUntil(
      () => roleOf(third),
      (role) => role === `replica of ${first}`,
    );
    const client = product();
    await client.set('kept', 'yes');
    await waitUntil(
      () => client.wait(2, 1_000),
      (replicas) => replicas === 2,
    );
    await waitUntil(knownReplicas, (known) => known.every((count) => count === 2));
    await kill(first);
    const [next = ''] = await waitUntil(masters, (found) => found.length === 1);
    expect([second, third]).toContain(next);
    expect(await waitUntil(() => client.get('kept').catch(() => null), Boolean)).toBe('yes');
    start(first);
    await waitUntil(
      () => roleOf(first),
      (role) => role === `replica of ${next}`,
    );
    expect(await masters()).toEqual([next]);
    client.disconnect();
  });

  it('agree on one master again, with what was written, when all were away at once', async () => {
    await Promise.all(hosts.map(kill));
    for (const host of hosts) start(host);
    await waitUntil(masters, (found) => found.length === 1);
    const client = product();
    expect(await waitUntil(() => client.get('kept').catch(() => null), Boolean)).toBe('yes');
    client.disconnect();
  });
});
