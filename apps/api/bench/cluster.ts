import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { credentialsFor, give } from '../src/backup/local-server.js';
import { freePort } from './child.js';

const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/** A PostgreSQL cluster of one's own: what is copied as a whole, stopped and replaced cannot be the one that others use. */
export class Cluster {
  #server: ChildProcess | undefined;

  private constructor(
    /** Of everything that is kept with it on the disk. */
    readonly folder: string,
    private readonly program: { bin: string; port: number; settings: readonly string[] },
  ) {}

  /** In a new folder of `parent`. `settings`: of the server, as `name=value`. */
  static async create(settings: readonly string[] = ['fsync=off'], parent = tmpdir()): Promise<Cluster> {
    const bin = process.env['POSTGRES_BIN_DIR'];
    if (!bin) throw new Error('POSTGRES_BIN_DIR is missing: run it with `npm test` or `npm run bench`');
    const folder = mkdtempSync(path.join(parent, 'cluster-'));
    give(folder, credentialsFor(folder));
    const cluster = new Cluster(folder, { bin, port: await freePort(), settings });
    const args = ['-D', cluster.data, '-U', 'yiqiao', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    const { status, stderr } = spawnSync(path.join(bin, 'initdb'), args, { ...cluster.credentials, cwd: '/', env });
    if (status !== 0) throw new Error(String(stderr));
    await cluster.start();
    return cluster;
  }

  /** A hot standby that streams from this one, made of a copy of its files while it stands still. */
  async standby(more: readonly string[] = []): Promise<Cluster> {
    await this.stop();
    const folder = mkdtempSync(path.join(path.dirname(this.folder), 'standby-'));
    give(folder, this.credentials);
    const { bin, port, settings } = this.program;
    const source = `primary_conninfo=host=127.0.0.1 port=${port} user=yiqiao application_name=standby`;
    const own = [source, 'hot_standby_feedback=on', 'wal_receiver_status_interval=1s', ...more];
    const standby = new Cluster(folder, { bin, port: await freePort(), settings: [...settings, ...own] });
    const { status, stderr } = spawnSync('cp', ['-a', this.data, standby.data], { env });
    if (status !== 0) throw new Error(String(stderr));
    writeFileSync(path.join(standby.data, 'standby.signal'), '');
    await this.start();
    await standby.start();
    return standby;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  get url(): string {
    return `postgresql://yiqiao@127.0.0.1:${this.program.port}/postgres`;
  }

  /** The same database at this server. */
  at(url: string): string {
    const here = new URL(url);
    here.port = String(this.program.port);
    return here.href;
  }

  private get credentials() {
    return credentialsFor(this.folder);
  }

  async start(): Promise<void> {
    const { bin, port, settings } = this.program;
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    const args = ['-D', this.data, ...[...own, ...settings].flatMap((setting) => ['-c', setting])];
    this.#server = spawn(path.join(bin, 'postgres'), args, {
      ...this.credentials,
      cwd: '/',
      env,
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 400 && this.#server.exitCode === null; tries++) {
      const client = new pg.Client(this.url);
      const isUp = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isUp) return;
      await sleep(50);
    }
    throw new Error('the cluster did not start');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  async destroy(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
