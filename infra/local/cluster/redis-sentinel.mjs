// Three Redis and three Sentinels, set up by the script that Kubernetes runs (infra/helm/yiqiao/files/redis.sh).
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { acceptsConnections } from '../ports.mjs';
import { root } from '../project.mjs';

const SERVERS = 6379;
const SENTINELS = 26_379;
const script = path.join(root, 'infra/helm/yiqiao/files/redis.sh');

/** @returns {object} `servers` and `sentinels`, not started yet, their `url`, and who is primary; their data is new */
export function createRedisWithSentinels({ machines, sentinelMachines, tools, dataDir }) {
  const password = randomBytes(18).toString('hex');
  const folder = path.join(dataDir, 'redis-sentinel');
  fs.rmSync(folder, { recursive: true, force: true });
  // the script asks the Sentinels of these machines who is primary, and takes the first for it at the beginning
  const nodes = machines.map(({ address }) => address).join(' ');
  const create = (kind, port, machine) => {
    const data = path.join(folder, machine.name);
    fs.mkdirSync(data, { recursive: true, mode: 0o700 });
    const said = {
      NODES: nodes,
      ME: machine.address,
      BIND: machine.address,
      DATA: data,
      CONFIG: data,
      REDISCLI_AUTH: password,
    };
    const program = () => ({
      command: '/bin/sh',
      args: [script, kind],
      env: { ...tools.redis.env, ...said },
      cwd: data,
    });
    const isReady = () => acceptsConnections({ host: machine.address, port });
    return { machine, service: machine.service({ program, isReady }) };
  };
  const servers = machines.map((machine) => create('server', SERVERS, machine));
  const sentinels = sentinelMachines.map((machine) => create('sentinel', SENTINELS, machine));
  const hosts = sentinelMachines.map(({ address }) => `${address}:${SENTINELS}`).join();
  const redis = {
    servers,
    sentinels,
    url: `redis+sentinel://:${password}@${hosts}/yiqiao`,
    /** The server that the first Sentinel that answers takes for the primary. */
    async primary() {
      for (const { machine } of sentinels) {
        const name = await command({ machine, port: SENTINELS }, 'sentinel', 'get-master-addr-by-name', 'yiqiao');
        if (name) return servers.find(({ machine: { address } }) => address === name[0]);
      }
      return undefined;
    },
    /** The others follow the primary, and every Sentinel knows it and the other Sentinels. */
    async isWhole() {
      const primary = await redis.primary();
      if (!primary) return false;
      const info = await command({ machine: primary.machine, port: SERVERS, password }, 'info', 'replication');
      const heard = await Promise.all(
        sentinels.map(({ machine }) => command({ machine, port: SENTINELS }, 'sentinel', 'ckquorum', 'yiqiao')),
      );
      const online = info?.match(/state=online/g)?.length ?? 0;
      return online === servers.length - 1 && heard.every((answer) => /^OK 3 usable/.test(answer));
    },
  };
  return redis;
}

/** @returns {Promise<any>} the answer; undefined without one */
async function command({ machine, port, password }, ...words) {
  const { Redis } = createRequire(path.join(root, 'apps/api/package.json'))('ioredis'); // the api's driver
  const options = {
    host: machine.address,
    port,
    password,
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
  };
  const client = new Redis({ ...options, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.call(...words);
  } catch {
    return undefined;
  } finally {
    client.disconnect();
  }
}
