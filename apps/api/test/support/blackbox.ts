/** Prometheus' blackbox exporter, which looks at the site from outside (infra/monitoring/prometheus.yml). */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../bench/child.js';
import { certificate } from './certificate.js';
import { type Exposition, parseExposition } from './exposition.js';
import { program } from './packaging.js';
import { waitUntil } from './wait-until.js';

/** Nobody has signed the certificates of a test. */
const MODULES = '{ modules: { http_2xx: { prober: http, http: { tls_config: { insecure_skip_verify: true } } } } }';

export type Blackbox = {
  /** What it shows of a site whose certificate is valid until then. */
  probe: (validTo: Date) => Promise<Exposition>;
  stop: () => Promise<void>;
};

export async function startBlackbox(): Promise<Blackbox> {
  const folder = await mkdtemp(path.join(tmpdir(), 'blackbox-'));
  const file = path.join(folder, 'blackbox.yml');
  await writeFile(file, MODULES);
  const url = `http://127.0.0.1:${await freePort()}`;
  const { command, env } = program('PROMETHEUS_BLACKBOX_EXPORTER');
  const args = [`--config.file=${file}`, `--web.listen-address=${new URL(url).host}`];
  const child = spawn(command, args, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/-/healthy`).then(
      ({ ok }) => ok,
      () => child.exitCode !== null,
    );
  await waitUntil(isUp, Boolean);
  if (child.exitCode !== null) throw new Error(`the blackbox exporter ended with ${child.exitCode}`);
  return {
    probe: async (validTo) => {
      const site = await serve(validTo);
      try {
        const asked = new URLSearchParams({ module: 'http_2xx', target: site.url });
        return parseExposition(await (await fetch(`${url}/probe?${asked.toString()}`)).text());
      } finally {
        site.close();
      }
    },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function serve(validTo: Date): Promise<{ url: string; close: () => void }> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const cert = certificate({ keys, issuer: 'yiqiao.example', serial: '10', validTo });
  const server = createServer({ key, cert }, (_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/livez`, close };
}
