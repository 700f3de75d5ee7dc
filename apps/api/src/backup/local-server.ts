import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CommandError } from '../platform/cli-messages.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const INTERRUPTED = 130;

export type Credentials = { uid: number; gid: number } | Record<string, never>;

/** PostgreSQL's programs on this machine. */
export type ServerPrograms = { postgres: string; major: number };

const DEBIAN = '/usr/lib/postgresql';
const SERVER_ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/** The server of this major version, in `binDir` or where Debian has it. Throws CommandError, with what to do, if there is none. */
export function findPrograms(major: number, binDir: string | undefined, credentials: Credentials): ServerPrograms {
  const folders = binDir === undefined ? [`${DEBIAN}/${major}/bin`] : [binDir];
  for (const folder of folders) {
    const postgres = path.join(folder, 'postgres');
    if (!existsSync(postgres)) continue;
    const { stdout } = spawnSync(postgres, ['--version'], { ...credentials, cwd: '/', encoding: 'utf8' });
    const found = Number(/(\d+)\./.exec(stdout ?? '')?.[1]);
    if (found === major) return { postgres, major };
  }
  throw new CommandError({
    zh: `找不到 PostgreSQL ${major} 的 postgres 程序（找过 ${folders.join('、')}）：请用 POSTGRES_BIN_DIR 指明它所在的目录`,
    en: `There is no postgres program of version ${major} in ${folders.join(', ')}: set POSTGRES_BIN_DIR to the folder that has it.`,
  });
}

/**
 * Who a server in `folder` runs as: PostgreSQL refuses root, so root gives it to the owner of the nearest existing folder, or to `postgres` or
 * `nobody`.
 */
export function credentialsFor(folder: string): Credentials {
  if (process.getuid?.() !== 0) return {};
  let at = path.resolve(folder);
  while (!existsSync(at)) at = path.dirname(at);
  const { uid, gid } = statSync(at);
  if (uid !== 0) return { uid, gid };
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : { uid: 65_534, gid: 65_534 };
}

export function give(file: string, { uid, gid }: Credentials): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

/** Settings that a copy must not take from the server that it comes from: it archives nothing and listens to nobody else. */
const OWN_SETTINGS = {
  listen_addresses: '',
  archive_mode: 'off',
  ssl: 'off',
  shared_preload_libraries: '',
  primary_conninfo: '',
  primary_slot_name: '',
  synchronous_standby_names: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  // Nobody reads before the recovery is over, so settings need not be as large as where the log was written.
  hot_standby: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
} as const;

/**
 * A server on a restored folder, for this process alone: it answers on a socket in a folder that only its own user can enter, and on no port.
 */
export class LocalServer {
  readonly #sockets: string;
  #child: ChildProcess | undefined;
  #log = '';
  #exit: Promise<void> = Promise.resolve();
  /** A signal would end this process without its exit. */
  readonly #end = (): void => process.exit(INTERRUPTED);
  /** At the end of this process, which may come at any time: a server without it would stay for ever. */
  readonly #abandon = (): void => {
    this.#child?.kill('SIGQUIT');
    rmSync(this.#sockets, { recursive: true, force: true });
  };

  constructor(
    private readonly programs: ServerPrograms,
    private readonly data: string,
    private readonly credentials: Credentials,
  ) {
    // Paths of sockets are short, those of data folders need not be.
    this.#sockets = mkdtempSync(path.join(tmpdir(), 'yiqiao-'));
    give(this.#sockets, credentials);
    const hba = path.join(this.#sockets, 'hba.conf');
    writeFileSync(hba, 'local all all trust\n', { mode: 0o600 });
    give(hba, credentials);
    process.once('exit', this.#abandon);
    for (const signal of SIGNALS) process.once(signal, this.#end);
  }

  start(settings: Readonly<Record<string, string>>): void {
    const all = {
      ...OWN_SETTINGS,
      unix_socket_directories: this.#sockets,
      hba_file: path.join(this.#sockets, 'hba.conf'),
      ...settings,
    };
    const args = ['-D', this.data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    this.#log = '';
    const child = spawn(this.programs.postgres, args, {
      ...this.credentials,
      cwd: '/',
      env: SERVER_ENV,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child.stderr.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-100_000)));
    this.#exit = once(child, 'close').then(() => void (this.#child = undefined));
    this.#child = child;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** What it has said since its start. */
  get log(): string {
    return this.#log;
  }

  /** How to connect to it. */
  connection({ owner, database }: { owner: string; database: string }): pg.ClientConfig {
    return { host: this.#sockets, port: 5432, user: owner, database, application_name: 'yiqiao-restore' };
  }

  /** Waits until it takes connections, which is after the recovery. False if it has ended. */
  async ready(as: { owner: string; database: string }): Promise<boolean> {
    while (this.isRunning) {
      const client = new pg.Client(this.connection(as));
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return true;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        // "The database system is starting up", or there is no socket yet.
        if (code !== '57P03' && code !== 'ENOENT' && code !== 'ECONNREFUSED') {
          await this.stop();
          throw error;
        }
      }
      await sleep(50);
    }
    return false;
  }

  /** Ends it in order: what is committed is in its files. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGINT');
    await this.#exit;
  }

  /** Ends it, and removes its socket folder. */
  async dispose(): Promise<void> {
    await this.stop();
    process.off('exit', this.#abandon);
    for (const signal of SIGNALS) process.off(signal, this.#end);
    await rm(this.#sockets, { recursive: true, force: true });
  }
}
