import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { CommandError } from '../platform/cli-messages.js';
import { type Credentials, credentialsFor, findPrograms, give, LocalServer } from './local-server.js';
import { formatLsn, parseLsn } from './lsn.js';
import type { Copy, Repository } from './repository.js';
import type { RestorePlan } from './restore-plan.js';
import { WalServer } from './wal-server.js';

export type RestoreOptions = {
  /** The data folder that is made; it must not exist. */
  folder: string;
  binDir: string | undefined;
  /** `kept`: it survives a crash of this machine. */
  durability: 'kept' | 'thrown away';
  /** `bytes`: of the copy that are unpacked. */
  onProgress: (bytes: number) => void;
};

/** A restored server that runs for this process alone. `seconds`: of unpacking the copy, and of replaying the log. */
export type RestoredServer = {
  server: LocalServer;
  connection: pg.ClientConfig;
  seconds: { copy: number; log: number };
};

const THROWN_AWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Unpacks the copy into `folder` and replays the log. On failure nothing of it is left. */
export async function restoreServer(
  repository: Repository,
  plan: RestorePlan,
  options: RestoreOptions,
): Promise<RestoredServer> {
  const { folder, binDir, durability } = options;
  const { copy } = plan;
  const credentials = credentialsFor(folder);
  const programs = findPrograms(Math.floor(Number.parseFloat(copy.serverVersion)), binDir, credentials);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  give(folder, credentials);
  const server = new LocalServer(programs, folder, credentials);
  try {
    const began = performance.now();
    await unpack(repository, copy, options, credentials);
    const unpacked = performance.now();
    const settings = durability === 'kept' ? {} : THROWN_AWAY;
    await replay({ repository, plan, server, credentials }, folder, settings);
    const replayed = performance.now();
    const connection = server.connection(copy);
    await requireEnd(connection, plan);
    return { server, connection, seconds: { copy: (unpacked - began) / 1_000, log: (replayed - unpacked) / 1_000 } };
  } catch (error) {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function unpack(
  repository: Repository,
  copy: Copy,
  { folder, onProgress }: RestoreOptions,
  credentials: Credentials,
): Promise<void> {
  const tar = spawn('tar', ['-x', '-p', '-C', folder], { ...credentials, cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  tar.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(tar, 'close').then(([code]) => code as number | null);
  let done = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const [at, { name, sha256, bytes }] of copy.pieces.entries()) {
      const ahead = at === 0 ? repository.require(name, { sha256 }) : next;
      const following = copy.pieces[at + 1];
      next = following && repository.require(following.name, following);
      next?.catch(() => undefined);
      yield await (ahead ?? repository.require(name, { sha256 }));
      onProgress((done += bytes));
    }
  }
  let next: Promise<Buffer> | undefined;
  try {
    await pipeline(Readable.from(pieces()), createZstdDecompress(), tar.stdin);
  } catch (error) {
    tar.kill('SIGKILL');
    await ended;
    // A pipe that tar has closed says less than tar.
    throw (error as NodeJS.ErrnoException).code === 'EPIPE' ? new CommandError(tarFailed(said)) : error;
  }
  if ((await ended) !== 0) throw new CommandError(tarFailed(said));
}

const tarFailed = (said: readonly Buffer[]) => {
  const line = Buffer.concat(said).toString('utf8').trim().split('\n').at(-1) ?? '';
  return { zh: `无法解开备份：${line}`, en: `The copy could not be unpacked: ${line}` };
};

type Recovery = { repository: Repository; plan: RestorePlan; server: LocalServer; credentials: Credentials };

/** The server says this when nothing was committed after the moment; everything before it is there then. */
const NOTHING_LATER = 'recovery ended before configured recovery target was reached';

async function replay(
  { repository, plan, server, credentials }: Recovery,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { copy, timeline, at } = plan;
  const wal = new WalServer(repository, copy, { folder: `${folder}.wal`, credentials });
  wal.start();
  try {
    const signal = path.join(folder, 'recovery.signal');
    await (await open(signal, 'w', 0o600)).close();
    give(signal, credentials);
    const recovery = {
      ...settings,
      restore_command: wal.restoreCommand,
      recovery_target_timeline: String(timeline),
      recovery_target_action: 'promote',
    };
    const until = at && { recovery_target_time: `${at.toISOString().slice(0, -1)}999+00` };
    server.start({ ...recovery, ...until });
    if (await recovered(server, copy, wal)) return;
    if (until && server.log.includes(NOTHING_LATER)) {
      server.start(recovery);
      if (await recovered(server, copy, wal)) return;
    }
    throw new CommandError({
      zh: `无法重放日志：${reasonOf(server.log)}`,
      en: `The log could not be replayed: ${reasonOf(server.log)}`,
    });
  } finally {
    await wal.stop();
  }
}

async function recovered(server: LocalServer, copy: Copy, wal: WalServer): Promise<boolean> {
  const watch = setInterval(() => void (wal.failure !== undefined && server.stop()), 100);
  try {
    const isReady = await server.ready(copy);
    if (wal.failure !== undefined) throw wal.failure;
    return isReady;
  } finally {
    clearInterval(watch);
  }
}

const reasonOf = (log: string): string => {
  const lines = log.trim().split('\n');
  return (lines.findLast((line) => /\b(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? '').replace(
    /^.*?(FATAL|PANIC): +/,
    '',
  );
};

/**
 * The newest state is that of the archive's end: a log that ends a segment or more before it is damaged. Its last bytes may be the beginning of a
 * record whose end had not been written.
 */
async function requireEnd(connection: pg.ClientConfig, { at, copy, reach }: RestorePlan): Promise<void> {
  if (at !== null || reach === null) return;
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    const end = parseLsn(rows[0]?.lsn ?? '0/0');
    if (end + BigInt(copy.segmentBytes) >= parseLsn(reach.lsn)) return;
    throw new CommandError({
      zh: `日志在 ${formatLsn(end)} 中断，备份本应到 ${reach.lsn}`,
      en: `The log breaks off at ${formatLsn(end)}; the backup should reach to ${reach.lsn}.`,
    });
  } finally {
    await client.end();
  }
}

/** Of the server's log. */
export async function timelineOf(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file');
    return Number.parseInt(rows[0]?.file.slice(0, 8) ?? '', 16);
  } finally {
    await client.end();
  }
}

/**
 * Puts the data folder in the place of another, which stays beside it under a name with the time. Returns that name; null if there was none.
 */
export async function putInPlace(from: string, to: string, now: Date): Promise<string | null> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const aside = `${to}.before-${stamp}`;
  const had = await rename(to, aside).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  await rename(from, to);
  return had ? aside : null;
}
