import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { partitionEmptyLogs } from '../../src/ledger/operator/partition-command.js';
import { migrate } from '../../src/migrate.js';
import { parseValues } from '../../src/platform/database.js';

/** Of each log: split as in an installation, into fewer parts, because empty databases are copied often. */
const PARTS = Number(process.env['TEST_LEDGER_PARTS'] ?? 2);

export type FreshDatabase = { url: string; owner: pg.Pool; drop: () => Promise<void> };

const api = path.resolve(import.meta.dirname, '../..');

/** A migrated database for the suite on the server of DATABASE_URL, with each log in `parts` parts. `owner` may do anything in it. */
export const freshDatabase = ({ parts = PARTS }: { parts?: number } = {}): Promise<FreshDatabase> =>
  copied((admin, server) => migrated(admin, server, parts));

/** The same with the content of the database at `url`, whose connections are closed. */
export async function copyOf(url: string): Promise<FreshDatabase> {
  const name = new URL(url).pathname.slice(1);
  const copy = await copied(async (admin) => {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    return name;
  });
  await copy.owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  return copy;
}

async function copied(source: (admin: pg.Pool, server: string) => Promise<string>): Promise<FreshDatabase> {
  const server = process.env['DATABASE_URL'];
  if (!server) throw new Error('DATABASE_URL is missing: run the journeys with `npm test`');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Pool({ connectionString: server, max: 1 });
  // A test that kills PostgreSQL's backends, or its whole server, kills those of these pools as well.
  admin.on('error', () => undefined);
  const template = await source(admin, server);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  // A copy lacks the privileges on its database.
  await admin.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM yiqiao_app, PUBLIC`);
  const url = urlOf(server, name);
  const types = new pg.TypeOverrides();
  parseValues(types);
  const owner = new pg.Pool({ connectionString: url, max: 6, types });
  owner.on('error', () => undefined);
  const drop = async (): Promise<void> => {
    await owner.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  };
  return { url, owner, drop };
}

const urlOf = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/**
 * The name of an empty database with these migrations: copying it takes a tenth of the time of migrating. The first suite creates it while
 * the others wait. It gets its name only when it is complete.
 */
async function migrated(admin: pg.Pool, server: string, parts: number): Promise<string> {
  const name = `test_template_${parts}_${await digest()}`;
  const isThere = async (): Promise<boolean> =>
    (await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1;
  if (await isThere()) return name;
  const lock = [0x7e_57];
  await admin.query('SELECT pg_advisory_lock($1)', lock);
  try {
    if (await isThere()) return name;
    const unfinished = `${name}_${randomBytes(4).toString('hex')}`;
    await admin.query(`CREATE DATABASE ${unfinished}`);
    await migrate(urlOf(server, unfinished));
    await partitionEmptyLogs(urlOf(server, unfinished), parts);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [unfinished]);
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', lock);
  }
}

async function digest(): Promise<string> {
  const migrations = (await readdir(path.join(api, 'migrations'))).filter((file) => file.endsWith('.ts')).sort();
  const hash = createHash('sha256');
  const sources = ['src/migrate.ts', 'src/ledger/operator/partition-command.ts'];
  for (const file of [...sources, ...migrations.map((name) => `migrations/${name}`)])
    hash.update(file).update(await readFile(path.join(api, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs `work` with databases on another server; other suites of this process go on with the shared one. */
export async function onServer<T>(url: string, work: () => Promise<T>): Promise<T> {
  const shared = process.env['DATABASE_URL'];
  process.env['DATABASE_URL'] = url;
  try {
    return await work();
  } finally {
    process.env['DATABASE_URL'] = shared;
  }
}
