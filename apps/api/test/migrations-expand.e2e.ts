/**
 * Migrations expand, then contract: processes of the release before go on while and after a migration runs (docs/decisions/0064). Each one
 * is applied by itself and what the schema promises is compared.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import * as migrations from '../migrations/list.js';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { partitionEmptyLogs } from '../src/ledger/operator/partition-command.js';
import { migrate } from '../src/migrate.js';
import { brokenPromises, promisesOf } from './support/schema-promises.js';
import { root } from './support/packaging.js';

/** The newest migration of the first release: what came before it never ran under running processes. */
const FIRST_RELEASE = '0032-what-ifs';

const names = Object.keys(migrations).sort();
const since = names.slice(names.indexOf(FIRST_RELEASE) + 1);

/** What a migration says that takes something away: `Contract after 1.2.0: why no process of that release needs it.` */
const CONTRACT = /^\s*(?:\/\/|\*|\/\*\*) Contract after (\d+\.\d+\.\d+): \S.{20,}/m;

let admin: pg.Pool;
let db: pg.Pool;
let url: string;
const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  const server = process.env['DATABASE_URL'] ?? '';
  admin = new pg.Pool({ connectionString: server, max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const at = new URL(server);
  at.pathname = `/${name}`;
  url = at.href;
  await migrate(url, FIRST_RELEASE);
  db = new pg.Pool({ connectionString: url, max: 1 });
  // A pool has ended before its connections have: dropping the database kills those that are left.
  db.on('error', () => undefined);
});
afterAll(async () => {
  await db.end();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.end();
});

/** What the statement breaks; it is undone. */
async function brokenBy(sql: string): Promise<string[]> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    const before = await promisesOf(client);
    await client.query(sql);
    return brokenPromises(before, await promisesOf(client));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('what would break a process that runs', () => {
  it.each([
    ['ALTER TABLE member DROP COLUMN nickname CASCADE', 'column member.nickname is gone'],
    ['ALTER TABLE member RENAME nickname TO shown_name', 'column member.nickname is gone'],
    ['ALTER TABLE notice RENAME TO notices', 'relation notice is gone'],
    ['DROP TABLE what_if', 'relation what_if is gone'],
    ['ALTER TABLE member ADD COLUMN region text NOT NULL', 'column member.region must be given'],
    ['ALTER TABLE notice ALTER COLUMN starts_at SET NOT NULL', 'must be given'],
    [
      'ALTER TABLE what_if ALTER COLUMN state DROP DEFAULT',
      'column what_if.state: text, has a value by itself became text, must be given',
    ],
    ['ALTER TABLE member ALTER COLUMN nickname TYPE varchar(20)', 'column member.nickname: text'],
    ['ALTER TABLE what_if ADD CHECK (entries < 1000)', 'rule what_if: CHECK'],
    ['CREATE UNIQUE INDEX ON member (nickname)', 'rule member: unique btree (nickname) is new'],
    ['REVOKE SELECT ON what_if FROM yiqiao_operator', 'right SELECT on what_if of yiqiao_operator is gone'],
  ])('is found: %s', async (sql, problem) => {
    expect((await brokenBy(sql)).join('\n')).toContain(problem);
  });

  it.each([
    'ALTER TABLE member ADD COLUMN region text',
    `ALTER TABLE member ADD COLUMN region text NOT NULL DEFAULT 'cn' CHECK (region <> '')`,
    'ALTER TABLE what_if ALTER COLUMN started_by DROP NOT NULL',
    'CREATE TABLE region (code text PRIMARY KEY, name text NOT NULL)',
    'CREATE INDEX ON member (nickname)',
    'GRANT SELECT ON what_if TO yiqiao_app',
  ])('is not seen where there is nothing: %s', async (sql) => {
    expect(await brokenBy(sql)).toEqual([]);
  });
});

it('the newest migration runs on logs in parts as well, and leaves them as they must be', async () => {
  const parted = new URL(url);
  parted.pathname = `/${name}_parted`;
  await admin.query(`CREATE DATABASE ${name}_parted`);
  // As many as the audit reads with at once.
  const owner = new pg.Pool({ connectionString: parted.href, max: 6 });
  owner.on('error', () => undefined);
  try {
    await migrate(parted.href, names.at(-2));
    await partitionEmptyLogs(parted.href, 2);
    await migrate(parted.href);
    expect((await auditLedger(owner)).findings).toEqual([]);
  } finally {
    await owner.end();
    await admin.query(`DROP DATABASE ${name}_parted WITH (FORCE)`);
  }
});

describe('each migration since the first release', () => {
  it('leaves running processes what they use, or says after which release nobody uses it', async () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const problems: string[] = [];
    let before = await promisesOf(db);
    for (const migration of since) {
      await migrate(url, migration);
      const after = await promisesOf(db);
      const broken = brokenPromises(before, after);
      const text = readFileSync(path.join(root, 'apps/api/migrations', `${migration}.ts`), 'utf8');
      const follows = CONTRACT.exec(text)?.[1];
      if (broken.length > 0 && follows === undefined) problems.push(`${migration}: ${broken.join('; ')}`);
      if (follows !== undefined && follows > version) problems.push(`${migration}: ${follows} is not released yet`);
      before = after;
    }
    expect(problems).toEqual([]);
  });
});
