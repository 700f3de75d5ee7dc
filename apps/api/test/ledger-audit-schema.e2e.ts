/**
 * The schema that the ledger depends on matches the migrations, and the application has no other rights. After a new migration
 * `UPDATE_SCHEMA=1 npm test -- ledger-audit-schema` regenerates the expectation (docs/decisions/0036): review its diff.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { auditSchema, readSchema } from '../src/ledger/audit/audit-schema.js';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { EXPECTED_SCHEMA } from '../src/ledger/audit/expected-schema.js';
import { Findings } from '../src/ledger/audit/findings.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { migrate } from '../src/migrate.js';
import { loadConfig } from '../src/platform/config.js';
import { APP_ROLE } from '../src/platform/database.js';
import { buildHttp } from '../src/serve.js';
import { freshDatabase, type FreshDatabase } from './support/database.js';
import { runCommand } from './support/run-command.js';

const FILE = path.resolve(import.meta.dirname, '../src/ledger/audit/expected-schema.ts');

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase({ parts: 1 });
});
afterAll(() => database.drop());

/** In a transaction that is rolled back. */
async function within<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.owner.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

it('matches a migrated database', async () => {
  const schema = await within((client) => readSchema(client, null));
  // That table belongs to the migrator; that its names may be read is ours.
  const isForeign = (what: string): boolean => what.includes('mikro_orm_migrations') && !what.startsWith('SELECT of');
  const ours = Object.entries(schema).filter(([what]) => !isForeign(what));
  const made = Object.fromEntries(ours.sort(([a], [b]) => (a < b ? -1 : 1)));
  if (process.env['UPDATE_SCHEMA']) await writeExpectation(made);
  else expect(made).toEqual(EXPECTED_SCHEMA);
});

async function writeExpectation(schema: Record<string, string[]>): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const lines = Object.entries(schema).map(
    ([what, facets]) => `  ${JSON.stringify(what)}: [${facets.map((facet) => JSON.stringify(facet)).join(', ')}],\n`,
  );
  await writeFile(FILE, `${text.slice(0, text.indexOf('= {') + 3)}\n${lines.join('')}};\n`);
}

const worded = ({ list }: Pick<Findings, 'list'>): string[] =>
  list.map((one) => `${one.field}: expected ${String(one.expected)}, found ${String(one.found)}`);

async function auditSchemaOf(client: pg.ClientBase): Promise<string[]> {
  const found = new Findings(100);
  await auditSchema(client, found);
  return worded(found);
}

describe('the audit of the schema reports', () => {
  const findings = async (): Promise<string[]> => worded({ list: (await auditLedger(database.owner)).findings });
  /** Makes a superuser's change, audits, and undoes it. */
  const tampered = async (sql: string, undo: string): Promise<string[]> => {
    await database.owner.query(sql);
    const found = await findings();
    await database.owner.query(undo);
    expect(await findings()).toEqual([]);
    return found;
  };
  const definitionOf = async (sql: string): Promise<string> =>
    (await database.owner.query<{ text: string }>(`SELECT ${sql} AS text`)).rows[0]?.text ?? '';

  it('a trigger that is disabled, dropped or recreated', async () => {
    const name = 'trigger account_log_append_only on account_log';
    expect(
      await tampered(
        'ALTER TABLE account_log DISABLE TRIGGER account_log_append_only',
        'ALTER TABLE account_log ENABLE TRIGGER account_log_append_only',
      ),
    ).toEqual([`${name}: expected enabled, found disabled`]);
    const made = `CREATE TRIGGER account_log_append_only BEFORE DELETE OR UPDATE ON account_log FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_of_entries()`;
    const drop = 'DROP TRIGGER account_log_append_only ON account_log';
    expect(await tampered(drop, made)).toEqual([`${name}: expected enabled, found none`]);
    const [narrower] = await tampered(`${drop}; ${made.replace('DELETE OR UPDATE', 'DELETE')}`, `${drop}; ${made}`);
    expect(narrower).toContain(`${name}: expected CREATE TRIGGER account_log_append_only BEFORE DELETE OR UPDATE`);
    const [added] = await tampered(
      'CREATE TRIGGER helpful BEFORE INSERT ON account_log FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'DROP TRIGGER helpful ON account_log',
    );
    expect(added).toContain('trigger helpful on account_log: expected none, found enabled');
  });

  it('a trigger function with another body', async () => {
    const undo = await definitionOf(`pg_get_functiondef('refuse_rewriting()'::regprocedure)`);
    const [found] = await tampered(undo.replace(/BEGIN.*END/s, 'BEGIN RETURN NEW; END'), undo);
    expect(found).toMatch(/^function refuse_rewriting\(\): expected BEGIN RAISE .*, found BEGIN RETURN NEW; END$/s);
  });

  it('a missing CHECK, foreign key, unique index and NOT NULL', async () => {
    for (const [table, name] of [
      ['member_account', 'member_account_usable_char_num_check'],
      ['payment', 'payment_order_id_fkey'],
      ['payment', 'payment_gateway_trade_no_key'],
    ] as const) {
      const made = await definitionOf(
        `(SELECT pg_get_constraintdef(oid, true) FROM pg_constraint WHERE conname = '${name}')`,
      );
      const drop = `ALTER TABLE ${table} DROP CONSTRAINT ${name}`;
      expect(await tampered(drop, `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${made}`)).toEqual([
        `constraint ${name} on ${table}: expected enabled, found none`,
      ]);
      if (made.startsWith('UNIQUE')) continue;
      const [unproven] = await tampered(
        `${drop}; ALTER TABLE ${table} ADD CONSTRAINT ${name} ${made} NOT VALID`,
        `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`,
      );
      expect(unproven).toBe(`constraint ${name} on ${table}: expected ${made}, found ${made} NOT VALID`);
    }
    const index = await definitionOf(`pg_get_indexdef('account_log_order'::regclass)`);
    expect(await tampered('DROP INDEX account_log_order', index)).toEqual([
      'unique index account_log_order on account_log: expected valid, found none',
    ]);
    expect(
      await tampered(
        'ALTER TABLE member_account ALTER usable_char_num DROP NOT NULL',
        'ALTER TABLE member_account ALTER usable_char_num SET NOT NULL',
      ),
    ).toEqual(['column member_account.usable_char_num: expected not null, found none']);
  });

  it('disabled foreign key checks', async () => {
    const found = await tampered('ALTER TABLE payment DISABLE TRIGGER ALL', 'ALTER TABLE payment ENABLE TRIGGER ALL');
    expect(found).toContain('constraint payment_order_id_fkey on payment: expected enabled, found disabled');
    expect(found).toContain('trigger payment_counts on payment: expected enabled, found disabled');
  });

  it('rights that were widened, on columns, for PUBLIC and through other roles', async () => {
    const widened = async (grant: string, revoke = grant.replace('GRANT', 'REVOKE').replace(' TO ', ' FROM ')) =>
      tampered(grant, revoke);
    const APP = APP_ROLE;
    expect(await widened(`GRANT UPDATE ON account_log TO ${APP}`)).toEqual([
      `UPDATE of ${APP} on account_log: expected none, found all columns`,
    ]);
    expect(await widened(`GRANT UPDATE (amount) ON payment TO ${APP}`)).toEqual([
      `UPDATE of ${APP} on payment: expected none, found amount`,
    ]);
    expect(await widened('GRANT DELETE ON account_log TO PUBLIC')).toEqual([
      'DELETE of PUBLIC on account_log: expected none, found all columns',
    ]);
    expect(await widened(`GRANT CREATE ON SCHEMA public TO ${APP}`)).toEqual([
      `CREATE of ${APP} on schema public: expected none, found granted`,
    ]);
    expect(
      await widened(
        `GRANT SELECT ON payment TO ${APP} WITH GRANT OPTION`,
        `REVOKE GRANT OPTION FOR SELECT ON payment FROM ${APP}`,
      ),
    ).toEqual(
      expect.arrayContaining([`SELECT with grant option of ${APP} on payment: expected none, found all columns`]),
    );
    const view = 'CREATE VIEW harmless AS SELECT * FROM account_log';
    expect(await tampered(`${view}; GRANT UPDATE ON harmless TO ${APP}`, 'DROP VIEW harmless')).toEqual([
      `UPDATE of ${APP} on harmless: expected none, found all columns`,
    ]);
    const helper =
      'CREATE FUNCTION helper() RETURNS void LANGUAGE sql SECURITY DEFINER AS $$ DELETE FROM account_log $$';
    expect((await tampered(helper, 'DROP FUNCTION helper()')).join('\n')).toMatch(
      /^function helper\(\): expected none, .*security definer[^]*EXECUTE of PUBLIC on function helper\(\): expected none/,
    );
    expect(
      await tampered(
        'ALTER FUNCTION correct_payment RESET search_path',
        `ALTER FUNCTION correct_payment SET search_path = public, pg_temp`,
      ),
    ).toEqual([expect.stringContaining('expected search_path=public, pg_temp, found none')]);
  });

  it('a changed owner, a rule, a policy and an unlogged table', async () => {
    // Returning the table would drop the grants of the new owner.
    const owned = await within(async (client) => {
      await client.query(`ALTER TABLE order_event OWNER TO ${APP_ROLE}`);
      return auditSchemaOf(client);
    });
    expect(owned).toContainEqual(
      expect.stringMatching(/^owner of tables and functions: expected one role, not yiqiao_app, found yiqiao/),
    );
    expect(
      await tampered(
        'CREATE RULE lost AS ON INSERT TO order_event DO INSTEAD NOTHING',
        'DROP RULE lost ON order_event',
      ),
    ).toEqual([expect.stringContaining('rule lost on order_event: expected none')]);
    expect(
      await tampered(
        'ALTER TABLE account_log ENABLE ROW LEVEL SECURITY',
        'ALTER TABLE account_log DISABLE ROW LEVEL SECURITY',
      ),
    ).toEqual(['row security of account_log: expected none, found on']);
    expect(await tampered('ALTER TABLE account_log SET UNLOGGED', 'ALTER TABLE account_log SET LOGGED')).toEqual([
      'persistence of account_log: expected none, found unlogged',
    ]);
  });

  it('attributes and memberships of roles, in catalogue terms', async () => {
    // Roles belong to the whole cluster, where other suites run, so none of this is ever committed.
    const role = await within(async (client) => {
      await client.query(`GRANT pg_write_all_data TO ${APP_ROLE}; ALTER ROLE ${APP_ROLE} BYPASSRLS`);
      return (await readSchema(client, EXPECTED_SCHEMA))[`role ${APP_ROLE}`];
    });
    expect(role).toEqual(['works with the rights above', 'BYPASSRLS', 'member of pg_write_all_data']);
  });

  it('nothing about objects of other applications', async () => {
    await database.owner.query(`
      CREATE TABLE report AS SELECT * FROM account_log; CREATE INDEX reported ON account_log (amount);
      CREATE FUNCTION own() RETURNS int LANGUAGE sql AS 'SELECT 1'; GRANT SELECT ON account_log TO pg_monitor`);
    expect(await findings()).toEqual([]);
    await database.owner.query(`
      DROP TABLE report; DROP INDEX reported; DROP FUNCTION own(); REVOKE SELECT ON account_log FROM pg_monitor`);
  });

  it('all differences at the head of the list, on the terminal too', async () => {
    const undo = 'ALTER TABLE account_log ENABLE TRIGGER account_log_no_truncate';
    await database.owner.query(undo.replace('ENABLE', 'DISABLE'));
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    };
    const { code, out } = await runCommand(() => ledgerCommand(['audit'], loadConfig(env)));
    await database.owner.query(undo);
    expect(code).toBe(1);
    expect(out).toContain(
      'DIFFERENCE in the database: trigger account_log_no_truncate on account_log\n  expected enabled\n  found    disabled\n',
    );
  });
});

describe('a database with another history', () => {
  it('is valid when it was migrated from an older release', async () => {
    const url = new URL(database.url);
    url.pathname = `${url.pathname}_older`;
    await migrate(url.href, '0008-notices');
    const found = async (): Promise<string[]> => {
      const older = new pg.Client({ connectionString: url.href });
      await older.connect();
      await older.query('BEGIN');
      return auditSchemaOf(older).finally(() => older.end());
    };
    // The missing migrations are one finding, with consequences.
    const [first, ...others] = await found();
    expect(first).toMatch(/^migrations: expected 0009-price-versions; .*0014-open-entry-types[^,]*, found none$/);
    expect(others).toEqual([]);
    await migrate(url.href);
    expect(await found()).toEqual([]);
    await database.owner.query(`DROP DATABASE ${url.pathname.slice(1)}`);
  });

  it('is valid after its definitions were dumped and restored', async () => {
    const kept = await within(async (client) => {
      const { rows } = await client.query<{ make: string }>(
        `
        SELECT format('ALTER TABLE %s DROP CONSTRAINT %I; ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
          conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype = 'c'
        UNION ALL
        SELECT format('DROP TRIGGER %I ON %s; %s', tgname, tgrelid::regclass, pg_get_triggerdef(oid))
        FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL
        SELECT format('DROP INDEX %s; %s', indexrelid::regclass, pg_get_indexdef(indexrelid)) FROM pg_index i
        WHERE indisunique AND indrelid::regclass::text = ANY ($1)
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
        [['account_log', 'mailbox_gift', 'identity']],
      );
      expect(rows.length).toBeGreaterThan(60);
      for (const { make } of rows) await client.query(make);
      return readSchema(client, EXPECTED_SCHEMA);
    });
    expect(kept).toEqual(EXPECTED_SCHEMA);
  });
});

describe('the role of the application', () => {
  const asApp = (sql: string): Promise<unknown> =>
    within(async (client) => {
      await client.query(`SET LOCAL ROLE ${APP_ROLE}`);
      return client.query(sql);
    });

  it.each([
    'UPDATE payment SET amount = 1',
    'UPDATE payment SET currency = $$USD$$',
    'DELETE FROM payment',
    'INSERT INTO payment (gateway, trade_no, order_id, family_id, amount, currency, seen_by, verdict, refunded_before) VALUES ($$a$$, $$b$$, 1, 1, 1, $$CNY$$, $$query$$, $$credit$$, 5)',
    'UPDATE account_log SET amount = amount',
    'UPDATE account_log SET hash = hash',
    'DELETE FROM account_log',
    'TRUNCATE account_log',
    'ALTER TABLE account_log DISABLE TRIGGER account_log_append_only',
    'ALTER TABLE account_log DROP CONSTRAINT account_log_seq_check',
    'DROP TRIGGER account_log_append_only ON account_log',
    'INSERT INTO member_account (user_id, family_id, usable_char_num) VALUES (1, 1, 1000)',
    'UPDATE member_account SET user_id = user_id',
    'DELETE FROM member_account',
    'UPDATE translation_log SET charged = 0',
    'DELETE FROM translation_log',
    'UPDATE manager_action SET reason = reason',
    'DELETE FROM manager_action',
    'UPDATE earlier_refund SET amount = 1',
    'UPDATE recharge_order SET amount = 1',
    'DELETE FROM recharge_order',
    'UPDATE mailbox_gift SET char_num = 1',
    'DELETE FROM mailbox_gift',
    'INSERT INTO channel_price (tran_channel_id, price, effective_at, reason) VALUES (1, 1, now(), $$x$$)',
    'UPDATE member SET family_id = 1',
    'UPDATE tran_channel SET id = 9',
    'DELETE FROM usage_day',
    'SELECT * FROM mikro_orm_migrations',
    'SET session_replication_role = replica',
    'CREATE TABLE mine (n int)',
    'CREATE TEMPORARY TABLE mine (n int)',
    'SELECT next_version(NULL)',
    `SELECT setval('member_id_seq', 1)`,
    `SELECT nextval('payment_id_seq')`,
  ])('may not: %s', async (sql) => {
    await expect(asApp(sql)).rejects.toThrow(/permission denied|must be owner/);
  });
});

describe('in production', () => {
  const start = async (url: URL): Promise<void> => {
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: url.href,
      REDIS_URL: process.env['REDIS_URL'] ?? '',
      WEB_DIR: '/nonexistent',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@b.example',
      PUBLIC_URL: 'https://a.example',
      LOG_LEVEL: 'fatal',
      APP_SECRET: randomBytes(32).toString('hex'),
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    };
    await (await buildHttp(loadConfig(env))).close();
  };

  it('refuses to connect as a superuser or as the owner of the tables', async () => {
    await expect(start(new URL(database.url))).rejects.toThrow(/DATABASE_URL: signs in as a superuser/);
    const name = `login_${randomBytes(6).toString('hex')}`;
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'word'];
    await database.owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'word' IN ROLE ${APP_ROLE}`);
    try {
      await start(url);
      await database.owner.query(`ALTER TABLE order_event OWNER TO ${name}`);
      await expect(start(url)).rejects.toThrow(/DATABASE_URL: signs in as the owner of the tables/);
    } finally {
      await database.owner.query(`ALTER TABLE order_event OWNER TO CURRENT_USER; DROP ROLE ${name}`);
    }
  });
});
