// The whole cluster: its machines, what runs on each, and the order in which it starts.
import fs from 'node:fs';
import path from 'node:path';
import { allOrFirstError, sleep } from '../lifecycle.mjs';
import { build, root } from '../project.mjs';
import { Failure } from '../terminal.mjs';
import { createEtcd } from './etcd.mjs';
import { createNetwork } from './machines.mjs';
import { createDatabase, createPatroni } from './patroni.mjs';
import { clusterEnv, createProcess, prepare } from './product.mjs';
import { createDatabaseProxy, createWebProxy, STANDBY_PORT } from './proxies.mjs';
import { createRedisWithSentinels } from './redis-sentinel.mjs';
import { findTools } from './tools.mjs';

const SETTLE_TIMEOUT_MS = 90_000;
const numbered = (name, count) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`);

/**
 * @param {object} run  of withRunFolder
 * @param {{dataDir: string, loopback: boolean}} options
 * @returns {Promise<object>} the cluster, up and with data
 */
export async function startCluster({ folder, steps, toolsDir, register, onEnd }, { dataDir, loopback }) {
  const network = createNetwork({ dataDir, folder, loopback });
  const started = [];
  onEnd(async () => {
    for (const services of started.reverse()) await Promise.all(services.map((service) => service.stop()));
    network.remove();
  });
  const machines = (names) => names.map((name) => network.add(name));
  const start = async (parts) => {
    const services = parts.map(({ service }) => service);
    started.push(services);
    services.forEach(register);
    await allOrFirstError(services.map((service) => service.start()));
  };

  const [tools] = await allOrFirstError([findTools({ dataDir, toolsDir }), steps.run('build', build)]);
  let etcds, patroni, databaseProxy, redis;
  await steps.run('etcd', async () => {
    etcds = createEtcd({ machines: machines(numbered('etcd', 3)), tools, dataDir });
    await start(etcds);
  });
  const sandboxMachine = network.add('sandbox');
  await allOrFirstError([
    steps.run('PostgreSQL', async () => {
      const nodes = machines(numbered('pg', 3));
      patroni = createPatroni({ machines: nodes, tools, etcds, cidr: network.cidr });
      databaseProxy = createDatabaseProxy({ machine: network.add('db-proxy'), tools, nodes: patroni.nodes, dataDir });
      await start([...patroni.nodes, databaseProxy]);
      await patroni.untilWhole();
      await createDatabase(patroni);
      return `${tools.postgres.version}, three under Patroni`;
    }),
    steps.run('Redis', async () => {
      const names = [...numbered('redis', 3), ...numbered('sentinel', 3)];
      const made = machines(names);
      redis = createRedisWithSentinels({ machines: made.slice(0, 3), sentinelMachines: made.slice(3), tools, dataDir });
      await start(redis.servers);
      await start(redis.sentinels);
      await until('Redis', redis.isWhole);
      return 'three with three Sentinels';
    }),
  ]);

  let env;
  const databases = (login) => ({
    DATABASE_URL: patroni.urlAt(databaseProxy.machine.address, login),
    STANDBY_DATABASE_URL: patroni.urlAt(databaseProxy.machine.address, login, STANDBY_PORT),
  });
  const processOn = (machine, kind) => createProcess({ machine, kind, env: () => env, databases });
  const create = (kind, names) => machines(names).map((machine) => processOn(machine, kind));
  const apis = create('api', numbered('api', 3));
  const workers = create('worker', numbered('worker', 2));
  const [operators] = create('operators', ['operators']);
  const sandbox = processOn(sandboxMachine, 'sandbox');
  const webProxy = createWebProxy({ machine: network.add('proxy'), tools, apis });
  const places = { network, patroni, databaseProxy, databases, redis, sandbox: sandboxMachine, webProxy };
  fs.rmSync(path.join(dataDir, 'witness.jsonl'), { force: true });
  env = await clusterEnv({ dataDir, toolsDir, ...places });
  await start([sandbox]);
  let demo;
  await steps.run('data', async () => void (demo = await prepare(env)));
  await steps.run('product', async () => {
    await start([...apis, ...workers, operators, webProxy]);
    return 'api ×3, worker ×2, operators, proxy';
  });

  const cluster = {
    ...{ dataDir, network, etcds, patroni, databaseProxy, redis, apis, workers, operators, sandbox, webProxy },
    ...{ env, demo, url: webProxy.url },
    /** The folder with the build that runs. */
    build: root,
    /** Every part is well and knows the others. */
    async untilWhole() {
      await patroni.untilWhole();
      const well = async (parts) => (await Promise.all(parts.map(({ isReady }) => isReady()))).every(Boolean);
      await until('etcd', async () => (await Promise.all(etcds.map(({ isWell }) => isWell()))).every(Boolean));
      await until('Redis', redis.isWhole);
      await until('the product', () => well([...apis, ...workers, operators]));
    },
  };
  return cluster;
}

/** Polls until `isSo()`. @throws Failure after a minute and a half */
async function until(what, isSo) {
  for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; !(await isSo()); await sleep(250))
    if (Date.now() > deadline) throw new Failure(`${what} is not whole after ${SETTLE_TIMEOUT_MS / 1000} s`);
}
