/** HAProxy in front of api processes, with the configuration in infra/haproxy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Server } from './child.js';

const CONFIGURATION = path.resolve(import.meta.dirname, '../../../../infra/haproxy/haproxy.cfg');
const TIMEOUT_MS = 10_000;

/** How requests of sessions are divided: `hash` is what the configuration does. */
export type Balance = 'hash' | 'leastconn' | 'roundrobin';
const HASH = 'balance hash var(txn.session)';

function configurationOf(balance: Balance): string {
  const text = readFileSync(CONFIGURATION, 'utf8');
  if (!text.includes(HASH)) throw new Error(`${CONFIGURATION} has no "${HASH}"`);
  return balance === 'hash' ? text : text.replace(HASH, `balance ${balance}`);
}

/** Starts HAPROXY (with HAPROXY_LIBRARIES, if it needs some) in front of the servers at these addresses; null if it is not set. */
export async function startProxy(balance: Balance, urls: readonly string[]): Promise<Server | null> {
  const program = process.env['HAPROXY'];
  if (!program) return null;
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'yiqiao-bench-proxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationOf(balance));
  const servers = urls.map((url, at) => [`API_${at + 1}`, new URL(url).host]);
  const libraries = process.env['HAPROXY_LIBRARIES'];
  const child = spawn(program, ['-f', file, '-db', '-q'], {
    env: {
      ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}),
      BIND: `127.0.0.1:${port}`,
      METRICS_BIND: `127.0.0.1:${await freePort()}`,
      ...(Object.fromEntries(servers) as Record<string, string>),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  };
  const end = performance.now() + TIMEOUT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error('HAProxy did not start');
    }
    await sleep(50);
  }
  return { process: child, stop, url: `http://127.0.0.1:${port}` };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(!!socket.destroy()))
      .once('error', () => resolve(false));
  });
