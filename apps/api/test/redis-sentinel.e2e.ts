/** Redis under Sentinels: its primary dies, and limits, live updates, queue and workers find the next one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateText } from '@yiqiao/contracts/translation';
import { Redis } from 'ioredis';
import { freePort } from '../bench/child.js';
import { Health } from '../src/platform/health.js';
import { Live } from '../src/platform/live.js';
import { REDIS } from '../src/platform/redis.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { runOperator } from './support/operator.js';
import { spawnProgram } from './support/process.js';
import { waitUntil } from './support/wait-until.js';

const program = process.env['REDIS_SERVER'];
const PASSWORD = 'of-the-data';
const NAME = 'yiqiao';

type Server = { port: number; child: ChildProcess };

/** A primary, its replica and three Sentinels on the loopback. */
class RedisCluster {
  private constructor(
    private readonly folder: string,
    readonly servers: readonly [primary: Server, replica: Server],
    readonly sentinels: readonly Server[],
  ) {}

  static async start(): Promise<RedisCluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'sentinels-'));
    const secret = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`, 'save ""'];
    const primary = await serve(folder, secret);
    const replica = await serve(folder, [...secret, `replicaof 127.0.0.1 ${primary.port}`]);
    const watch = [
      `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 2`,
      `sentinel auth-pass ${NAME} ${PASSWORD}`,
      `sentinel down-after-milliseconds ${NAME} 1000`,
      `sentinel failover-timeout ${NAME} 5000`,
    ];
    const sentinels = [];
    for (let n = 0; n < 3; n++) sentinels.push(await serve(folder, watch, ['--sentinel']));
    return new RedisCluster(folder, [primary, replica], sentinels);
  }

  get url(): string {
    const hosts = this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `redis+sentinel://:${PASSWORD}@${hosts}/${NAME}/1`;
  }

  /** Until every Sentinel knows the others and the replica: before that they would not fail over. */
  async watching(): Promise<void> {
    for (const { port } of this.sentinels) {
      const client = new Redis(port, { lazyConnect: true });
      await client.connect();
      const known = async (): Promise<string> => JSON.stringify(await client.call('SENTINEL', 'MASTER', NAME));
      await waitUntil(known, (text) => /"num-slaves","1"/.test(text) && /"num-other-sentinels","2"/.test(text));
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    for (const { child } of [...this.servers, ...this.sentinels]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true });
  }
}

async function serve(folder: string, lines: readonly string[], args: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  const file = path.join(folder, `${port}.conf`);
  await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
  const libraries = process.env['REDIS_LIBRARIES'];
  const child = spawn(program ?? '', [file, ...args], {
    env: { PATH: process.env['PATH'], ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) },
    stdio: 'ignore',
  });
  const isUp = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const answers = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return answers;
  };
  await waitUntil(isUp, Boolean);
  return { port, child };
}

(program === undefined ? describe.skip : describe)('under Sentinels', () => {
  let cluster: RedisCluster;
  let api: TestApi;
  let worker: ReturnType<typeof spawnProgram> | undefined;

  beforeAll(async () => {
    cluster = await RedisCluster.start();
    await cluster.watching();
    api = await startApi({ REDIS_URL: cluster.url, REDIS_TIMEOUT_MS: '500' });
    worker = spawnProgram('worker', api.env);
  });
  afterAll(async () => {
    await worker?.stop();
    await api.stop();
    await cluster.stop();
  });

  it('everything uses the primary that they name, and the next one when it dies', async () => {
    const health = api.app.get(Health);
    const partsOf = async () => (await health.report()).parts;
    const isWell = ({ redis, worker: { state }, queue }: Awaited<ReturnType<typeof partsOf>>): boolean =>
      [redis.state, state, queue.state].every((each) => each === 'ok');
    await waitUntil(partsOf, isWell);
    const [primary, replica] = cluster.servers;
    const redis = api.app.get<Redis>(REDIS);
    expect([redis.stream.remotePort, redis.options.db]).toEqual([primary.port, 1]);

    const live = api.app.get(Live);
    const heard: unknown[] = [];
    const leave = await live.listen('sentinels', (message) => heard.push(message));
    const person = await makeMain(api);
    const statuses: number[] = [];
    let isOn = true;
    const load = (async () => {
      for (let n = 0; isOn; n++) {
        const text = `头发${n}`;
        statuses.push((await person.client.send(translateText, { source: 'zh-Hans', target: 'zh-Hant', text })).status);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    })();

    primary.child.kill('SIGKILL');
    const killed = performance.now();
    await waitUntil(
      () => Promise.resolve(redis.status === 'ready' ? redis.stream.remotePort : 0),
      (port) => port === replica.port,
    );
    const awayMs = performance.now() - killed;
    // What waited is done: the worker's jobs run, its heartbeat goes on.
    await waitUntil(partsOf, isWell);
    await waitUntil(
      async () => {
        await live.publish('sentinels', { n: 1 });
        return heard.length;
      },
      (count) => count > 0,
    );
    isOn = false;
    await load;
    leave();
    // How many it were is a matter of the machine.
    expect(statuses.length).toBeGreaterThan(1);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(awayMs).toBeLessThan(8_000);
  });

  it('the doctor names the Sentinels', async () => {
    const { out } = await runOperator(api.env, ['doctor']);
    expect(out).toMatch(/✓ Redis: Redis [\d.]+, noeviction, by Sentinels \(yiqiao\)/);
  });
});
