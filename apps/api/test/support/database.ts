import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/migrate.js';
import { parseValues } from '../../src/platform/database.js';

export type FreshDatabase = { url: string; owner: pg.Pool; drop: () => Promise<void> };

/** A migrated database of the suite's own, on the server that DATABASE_URL names. `owner` may do anything in it. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = process.env['DATABASE_URL'];
  if (!server) throw new Error('DATABASE_URL is missing: run the journeys with `npm test`');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Pool({ connectionString: server, max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const types = new pg.TypeOverrides();
  parseValues(types);
  const owner = new pg.Pool({ connectionString: url.href, max: 4, types });
  // A test that kills PostgreSQL's backends kills this pool's as well.
  owner.on('error', () => undefined);
  const drop = async (): Promise<void> => {
    await owner.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  };
  return { url: url.href, owner, drop };
}
