// A Redis of this folder's own: a server on PATH, else the Debian package unpacked under DATA_DIR.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { Failure } from './failure.mjs';
import { createPart } from './parts.mjs';
import { innerPortBase, nextFreePort, redisAnswers } from './ports.mjs';
import { endProcess, spawnService, untilAnswers, worksIn } from './processes.mjs';
import { onPath } from './project.mjs';
import { keptSecret } from './run-folder.mjs';

/** @returns {Promise<{part: object, url: string, note: string}>} a part that is not started yet */
export async function createRedis({ folder, toolsDir, fresh = false }) {
  const { command, env, note } = await findRedisServer(toolsDir);
  const data = path.join(folder.dataDir, 'redis');
  fs.mkdirSync(data, { recursive: true, mode: 0o700 });
  const pidFile = path.join(data, 'redis.pid');
  const left = fs.existsSync(pidFile) ? Number(fs.readFileSync(pidFile, 'utf8')) : 0;
  if (left && worksIn(left, data, 'redis-server|valkey-server')) await endProcess(left);
  if (fresh) fs.rmSync(path.join(data, 'appendonlydir'), { recursive: true, force: true });

  const password = keptSecret(path.join(data, 'password'));
  const port = await nextFreePort(innerPortBase(folder.dataDir) + 1);
  const config = path.join(data, 'redis.conf');
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: `"${data}"`,
    pidfile: `"${pidFile}"`,
    requirepass: password,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '""',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const text = Object.entries(settings).map(([key, value]) => `${key} ${value}\n`);
  fs.writeFileSync(config, text.join(''), { mode: 0o600 });

  const launch = async (started) => {
    const log = folder.log('redis');
    const service = spawnService({ name: 'redis', command, args: [config], env, cwd: data, logFile: log });
    started(service);
    await untilAnswers(service, () => redisAnswers(port, password), 60_000);
    return service;
  };
  return { part: createPart({ name: 'redis', launch }), url: `redis://:${password}@127.0.0.1:${port}`, note };
}

/** Finds a server, or fetches one: it can be called while the dependencies are being installed. */
export async function findRedisServer(toolsDir) {
  const system = onPath('redis-server', 'valkey-server');
  if (system) return { command: system, env: process.env, note: path.basename(system) };
  const dir = path.join(toolsDir, 'redis-bin');
  const unpacked = path.join(dir, 'usr/bin/redis-server');
  let said = 'this system has no apt-get';
  if (!fs.existsSync(unpacked) && hasDebianTools()) {
    said = await unpackPackages({ packages: ['redis-server'], dir }).then(
      () => '',
      (error) => error.message,
    );
  }
  if (fs.existsSync(unpacked)) return { command: unpacked, env: unpackedEnv(dir), note: 'Redis, unpacked from Debian' };
  throw new Failure('there is no Redis, and the product does not run without one', {
    detail: said,
    ways: [
      'install one: apt-get install redis-server (Debian, Ubuntu), brew install redis (macOS)',
      'or set REDIS_URL to one that runs, e.g. REDIS_URL=redis://127.0.0.1:6379',
    ],
  });
}
