import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../../bench/child.js';

const programs = path.resolve(import.meta.dirname, '../../dist/src');

export type ApiProcess = {
  url: string;
  /** Its log so far. */
  log: () => string;
  exited: Promise<number | null>;
  /** Sends SIGTERM, as a container or the start script does. */
  terminate: () => void;
  stop: () => Promise<void>;
};

/** The built api as a separate process on the database of `env`: the only one that a test can really kill. */
export const spawnApi = (env: Record<string, string>, extra: Record<string, string> = {}): Promise<ApiProcess> =>
  spawnServer('http', env, extra);

/** The same for the operators' process. */
export const spawnOperators = (env: Record<string, string>, extra: Record<string, string> = {}): Promise<ApiProcess> =>
  spawnServer('operators', env, extra);

/** The api of another build, whose compiled programs are in `folder`. */
export const spawnBuild = (folder: string, env: Record<string, string>): Promise<ApiProcess> =>
  spawnServer('http', env, {}, folder);

async function spawnServer(
  name: 'http' | 'operators',
  env: Record<string, string>,
  extra: Record<string, string>,
  folder = programs,
): Promise<ApiProcess> {
  const variable = name === 'http' ? 'PORT' : 'OPERATOR_PORT';
  const port = extra[variable] ?? String(await freePort());
  const address = { [variable]: port, HOST: '127.0.0.1' };
  const child = spawn(process.execPath, [path.join(folder, `${name}.js`)], {
    env: { PATH: process.env['PATH'] ?? '', ...env, ...address, ...extra },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/readyz`, child);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url, log: () => lines.join(''), exited, terminate: () => void child.kill('SIGTERM'), stop };
}

type Ended = {
  exited: Promise<number | null>;
  /** What it has written to standard error. */
  errors: () => string;
  terminate: () => void;
  /** Its log so far. */
  log: () => string;
  pid: number;
  /** Freezes it, as a hang does, until `thaw`; `stop` ends it all the same. */
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
};
type Program = 'http' | 'worker' | 'operators' | 'operator';

/**
 * A built program, the operator's command line with `args`, as a separate process; `exited`: its exit code. `within`: a command that becomes the
 * one after it, such as `nice`.
 */
export function spawnProgram(
  name: Program,
  env: Record<string, string>,
  args: string[] = [],
  within: readonly string[] = [],
): Ended {
  const [command = '', ...rest] = [...within, process.execPath, path.join(programs, `${name}.js`), ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors.push(chunk);
    process.stderr.write(chunk);
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    exited,
    errors: () => errors.join(''),
    terminate: () => void child.kill('SIGTERM'),
    log: () => lines.join(''),
    pid: child.pid ?? 0,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop,
  };
}

const sandbox = path.resolve(import.meta.dirname, '../../../sandbox/dist/main.js');

/** A sandbox of the suite's own, with the keys of the tests' gateways, for a suite that sets its clock. */
export async function spawnSandbox(): Promise<Pick<ApiProcess, 'url' | 'stop'>> {
  const [port, smtp] = [await freePort(), await freePort()];
  const ports = { SANDBOX_PORT: String(port), SMTP_PORT: String(smtp), HOST: '127.0.0.1' };
  const env = { PATH: process.env['PATH'] ?? '', SANDBOX_GATEWAYS: process.env['SANDBOX_GATEWAYS'] ?? '', ...ports };
  const child = spawn(process.execPath, [sandbox], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/health`, child);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url, stop };
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 900 && child.exitCode === null; tries++) {
    const up = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the process did not start');
}
