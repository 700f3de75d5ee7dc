// The run folder's own Redis: a server on PATH, else the Debian package unpacked under DATA_DIR.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { createService, isProcessIn, spawnDaemon, terminate, waitUntilReady } from './lifecycle.mjs';
import { internalPortBase, nextFreePort, redisAnswers } from './ports.mjs';
import { onPath } from './project.mjs';
import { persistentSecret } from './run-folder.mjs';
import { Failure } from './terminal.mjs';

/** @returns {Promise<{service: object, url: string, note: string}>} a service that is not started yet */
export async function createRedis({ folder, toolsDir, fresh = false }) {
  const { command, env, note } = await findRedisServer(toolsDir);
  const data = path.join(folder.dataDir, 'redis');
  fs.mkdirSync(data, { recursive: true, mode: 0o700 });
  const pidFile = path.join(data, 'redis.pid');
  const orphan = fs.existsSync(pidFile) ? Number(fs.readFileSync(pidFile, 'utf8')) : 0;
  if (orphan && isProcessIn(orphan, data, 'redis-server|valkey-server')) await terminate(orphan);
  if (fresh) fs.rmSync(path.join(data, 'appendonlydir'), { recursive: true, force: true });

  const password = persistentSecret(path.join(data, 'password'));
  const port = await nextFreePort(internalPortBase(folder.dataDir) + 1);
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

  const launch = async (onSpawn) => {
    const logFile = folder.logFile('redis');
    const daemon = spawnDaemon({ name: 'redis', command, args: [config], env, cwd: data, logFile });
    onSpawn(daemon);
    await waitUntilReady(daemon, () => redisAnswers(port, password), 60_000);
    return daemon;
  };
  return { service: createService({ name: 'redis', launch }), url: `redis://:${password}@127.0.0.1:${port}`, note };
}

const searches = new Map();

/** Finds or downloads a server, once for everybody who asks; may be called while the dependencies are being installed. */
export function findRedisServer(toolsDir) {
  if (!searches.has(toolsDir)) searches.set(toolsDir, searchRedisServer(toolsDir));
  return searches.get(toolsDir);
}

async function searchRedisServer(toolsDir) {
  const system = onPath('redis-server', 'valkey-server');
  if (system) return { command: system, env: process.env, note: path.basename(system) };
  const dir = path.join(toolsDir, 'redis-bin');
  const unpacked = path.join(dir, 'usr/bin/redis-server');
  let reason = 'this system has no apt-get';
  if (!fs.existsSync(unpacked) && hasDebianTools()) {
    reason = await unpackPackages({ packages: ['redis-server'], dir }).then(
      () => '',
      (error) => error.message,
    );
  }
  if (fs.existsSync(unpacked)) return { command: unpacked, env: unpackedEnv(dir), note: 'Redis, unpacked from Debian' };
  throw new Failure('there is no Redis, and the product does not run without one', {
    detail: reason,
    hints: [
      'install one: apt-get install redis-server (Debian, Ubuntu), brew install redis (macOS)',
      'or set REDIS_URL to one that runs, e.g. REDIS_URL=redis://127.0.0.1:6379',
    ],
  });
}
