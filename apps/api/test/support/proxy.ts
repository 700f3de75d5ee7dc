/** HAProxy with the configuration of infra/ in front of processes of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../bench/child.js';
import { infra, program } from './packaging.js';
import { waitUntil } from './wait-until.js';

export const CONFIGURATION = infra('haproxy/haproxy.cfg');

export type Proxy = { url: string; metrics: string; stop: () => Promise<void> };

export const proxyEnv = (
  processes: readonly string[],
  ports: { web: number; metrics: number },
): Record<string, string> => ({
  BIND: `127.0.0.1:${ports.web}`,
  METRICS_BIND: `127.0.0.1:${ports.metrics}`,
  ...Object.fromEntries(processes.map((address, n) => [`API_${n + 1}`, address])),
});

/** `processes`: their addresses, as host:port. */
export async function startProxy(processes: readonly string[]): Promise<Proxy> {
  const ports = { web: await freePort(), metrics: await freePort() };
  const { command, env } = program('HAPROXY');
  const child = spawn(command, ['-db', '-f', CONFIGURATION], {
    env: { ...env, ...proxyEnv(processes, ports) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const metrics = `http://127.0.0.1:${ports.metrics}`;
  await waitUntil(
    () =>
      fetch(`${metrics}/livez`).then(
        (answer) => answer.ok,
        () => child.exitCode !== null,
      ),
    Boolean,
  );
  if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url: `http://127.0.0.1:${ports.web}`, metrics, stop };
}

export type Backend = {
  name: string;
  address: string;
  ready: boolean;
  /** Of requests other than for its health. */
  seen: { path: string; headers: IncomingHttpHeaders }[];
  close: () => Promise<void>;
  reopen: () => Promise<void>;
};

/** A process that answers with its own name; `/stream` says its name every 50 ms, `/rude` closes without an answer. */
export async function startBackend(name: string): Promise<Backend> {
  const port = await freePort();
  const backend: Backend = {
    name,
    address: `127.0.0.1:${port}`,
    ready: true,
    seen: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    reopen: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/readyz') return void response.writeHead(backend.ready ? 200 : 503).end();
    backend.seen.push({ path, headers: request.headers });
    if (path === '/rude') return void request.socket.destroy();
    if (path === '/stream') return stream(response, name);
    response.end(name);
  });
  await backend.reopen();
  if ((server.address() as AddressInfo).port !== port) throw new Error('the port was taken');
  return backend;
}

function stream(response: ServerResponse, name: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const timer = setInterval(() => response.write(`data: ${name}\n\n`), 50);
  response.on('close', () => clearInterval(timer));
}
