// Patroni, etcd, HAProxy and Redis: those of the system, else Debian's packages, unpacked under DATA_DIR. The packaged PostgreSQL 18 has no
// more than initdb, pg_ctl and postgres; what Patroni calls beside them is in patroni/.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackFromSuite, unpackPackages, unpackedEnv } from '../debian.mjs';
import { locateCluster } from '../postgres.mjs';
import { onPath } from '../project.mjs';
import { findRedisServer } from '../redis.mjs';
import { Failure } from '../terminal.mjs';

const packages = { etcd: 'etcd-server', haproxy: 'haproxy', patroni: 'patroni' };
/** Before 3.0.3 a Patroni that wakes up after its lease has ended takes the leadership back from its successor, and with it what that one acknowledged. */
const OLDEST_PATRONI = '3.0.3';
const NEWER_PATRONI = 'trixie';
const scripts = path.join(import.meta.dirname, 'patroni');

/**
 * @param {{dataDir: string, toolsDir: string}} options
 * @returns {Promise<object>} programs with their environment, and PostgreSQL with the user that runs it
 */
export async function findTools({ dataDir, toolsDir }) {
  const { credentials, bin: server, version, data } = locateCluster(dataDir);
  // PostgreSQL's user reads what is here
  const base = path.dirname(data);
  const [unpacked, redis] = await Promise.all([
    unpackMissing(path.join(base, 'cluster-tools')),
    findRedisServer(toolsDir),
  ]);
  const system = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const env = unpacked ? { ...system, ...pick(unpackedEnv(unpacked), ['PATH', 'LD_LIBRARY_PATH']) } : system;
  const find = (name) =>
    onPath(name) ??
    ['usr/bin', 'usr/sbin'].map((at) => path.join(unpacked, at, name)).find((file) => fs.existsSync(file));
  // the server's own libpq, if there is another one among the unpacked
  const libraries = [path.join(server, '../lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(path.delimiter);
  const python = ['/usr/bin/python3', path.join(unpacked ?? '', 'usr/bin/python3')].find((file) => fs.existsSync(file));
  const modules = unpacked && path.join(unpacked, 'usr/lib/python3/dist-packages');
  return {
    etcd: { command: find('etcd'), env },
    haproxy: { command: find('haproxy'), env },
    redis,
    patroni: {
      command: python,
      args: ['-m', 'patroni'],
      env: { ...env, LD_LIBRARY_PATH: libraries, PYTHONUNBUFFERED: '1', ...(modules && { PYTHONPATH: modules }) },
    },
    postgres: { ...completeServer({ server, base, python }), version, credentials, base },
  };
}

/** @returns {Promise<string | undefined>} the folder, if anything is missing on this system */
async function unpackMissing(dir) {
  const missing = Object.keys(packages).filter((name) => !onPath(name));
  if (!missing.length) return undefined;
  if (missing.every((name) => fs.existsSync(path.join(dir, 'has', name)))) return dir;
  if (!hasDebianTools())
    throw new Failure(`there is no ${missing.join(', ')}, and no apt-get to bring it`, {
      hints: [`install ${missing.map((name) => packages[name]).join(' ')}`],
    });
  const finish = async (tree) => {
    if (missing.includes('patroni')) await replaceOldPatroni(tree, `${dir}.apt`);
    fs.mkdirSync(path.join(tree, 'has'));
    for (const name of missing) fs.writeFileSync(path.join(tree, 'has', name), '');
  };
  await unpackPackages({ packages: missing.map((name) => packages[name]), dir, finish });
  return dir;
}

/** Patroni is Python alone: a later release's runs with this one's modules. */
async function replaceOldPatroni(tree, own) {
  const modules = path.join(tree, 'usr/lib/python3/dist-packages/patroni');
  const [version] = /\d+\.[\d.]+/.exec(fs.readFileSync(path.join(modules, 'version.py'), 'utf8')) ?? ['0'];
  if (version.localeCompare(OLDEST_PATRONI, 'en', { numeric: true }) >= 0) return;
  fs.rmSync(modules, { recursive: true });
  await unpackFromSuite({ name: 'patroni', suite: NEWER_PATRONI, into: tree, own });
}

/** A folder with the server's programs and our stand-ins for those that are not packaged. */
function completeServer({ server, base, python }) {
  const bin = path.join(base, 'cluster-bin');
  fs.rmSync(bin, { recursive: true, force: true });
  fs.mkdirSync(bin, { recursive: true, mode: 0o755 });
  for (const name of fs.readdirSync(server)) fs.symlinkSync(path.join(server, name), path.join(bin, name));
  for (const name of ['pg_controldata', 'pg_isready', 'base_backup']) {
    const file = path.join(bin, name);
    if (fs.existsSync(file)) continue;
    const text = fs.readFileSync(path.join(scripts, `${name}.py`), 'utf8');
    fs.writeFileSync(file, `#!${python}\n${text}`, { mode: 0o755 });
  }
  return { bin };
}

const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));
