/** Both logs in parts by a hash of the member: nothing is lost, nothing may be rewritten, and the audit sees every part (docs/decisions/0070). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { translateText } from '@yiqiao/contracts/translation';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { migrateOnly } from '../src/operator/prepare.js';
import { requireStopped } from '../src/operator/require-stopped.js';
import { loadConfig } from '../src/platform/config.js';
import { startApi, type TestApi } from './support/api.js';
import { freshDatabase } from './support/database.js';
import { makeMain, makeSub } from './support/family.js';
import { openOrder, paymentFor, rechargesOf, settle } from './support/orders.js';
import { runCommand } from './support/run-command.js';
import type { TestMember } from './support/test-members.js';

const LOGS = ['account_log', 'translation_log'];

let api: TestApi;
let main: TestMember;
let orderId: number;

beforeAll(async () => {
  api = await startApi({}, { parts: 1 });
  main = await makeMain(api);
  orderId = await openOrder(api, main);
  await settle(api, await paymentFor(api, orderId));
  for (const who of [main, await makeSub(api, main, 500), await makeMain(api)]) await use(who);
});
afterAll(() => api.stop());

const use = (who: TestMember) => who.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '国家' });
/** The command beside the api of this suite, as if it were stopped. */
const partition = (...args: string[]) =>
  runCommand(() =>
    ledgerCommand(['partition', ...args], loadConfig(api.env), { requireStopped: () => Promise.resolve() }),
  );
const findings = async (): Promise<string[]> =>
  (await auditLedger(api.db)).findings.map((one) => `${one.field}: ${String(one.found)}`);
const textOf = async (sql: string, db = api.db): Promise<string> => {
  const { rows } = await db.query<{ text: string }>(`SELECT (${sql})::text AS text`);
  return rows[0]?.text ?? '';
};
/** Every row, and the id that comes next. */
const content = (): Promise<string[]> =>
  Promise.all(
    LOGS.map((name) =>
      textOf(
        `SELECT md5(string_agg(t::text, '|' ORDER BY id)) || (SELECT last_value FROM ${name}_id_seq) FROM ${name} t`,
      ),
    ),
  );
const partsOf = (db = api.db): Promise<string[]> =>
  Promise.all(LOGS.map((name) => textOf(`SELECT count(*) FROM pg_inherits WHERE inhparent = '${name}'::regclass`, db)));
/** The part that holds the main account's entries. */
const partOf = (name: string): Promise<string> =>
  textOf(`SELECT tableoid::regclass FROM ${name} WHERE user_id = ${main.session.userId} LIMIT 1`);

describe('a new installation', () => {
  it.each([
    ['32 parts', undefined, '32'],
    ['as many parts as LEDGER_PARTS says', '4', '4'],
    ['one table for LEDGER_PARTS=1', '1', '0'],
  ])('gets %s for each log', async (_, LEDGER_PARTS, parts) => {
    const { url, owner, drop } = await freshDatabase({ parts: 1 });
    try {
      const config = loadConfig({ ...api.env, DATABASE_MIGRATION_URL: url, ...(LEDGER_PARTS && { LEDGER_PARTS }) });
      // Twice at the same time, and again with a new version.
      expect(await Promise.all([migrateOnly(config), migrateOnly(config)])).toEqual([0, 0]);
      expect(await migrateOnly(config)).toBe(0);
      expect(await partsOf(owner)).toEqual([parts, parts]);
      expect((await auditLedger(owner)).findings).toEqual([]);
    } finally {
      await drop();
    }
  });
});

describe('nothing changes', () => {
  afterEach(async () => {
    expect(await findings()).toEqual([]);
    expect(await partsOf()).toEqual(['0', '0']);
  });

  it('for an unknown number of parts, or with --dry-run', async () => {
    for (const args of [[], ['--parts', '3'], ['--parts', '8', 'now']])
      expect(await partition(...args)).toMatchObject({ code: 2 });
    const dry = await partition('--parts', '8', '--dry-run');
    expect(dry.out).toMatch(/^account_log: \d+ MB\. It is copied.*\ntranslation_log: \d+ MB\./);
  });

  it('when another version is prepared', async () => {
    expect(await migrateOnly(loadConfig(api.env))).toBe(0);
  });

  it('while the service runs', async () => {
    const config = loadConfig(api.env);
    const refused = await runCommand(() =>
      ledgerCommand(['partition', '--parts', '8'], config, { requireStopped: (pid) => requireStopped(config, pid) }),
    );
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^Stop api, worker, operators and backup first; still running: yiqiao/);
    expect(refused.err).not.toContain('partition');
    // Who cannot tell does not begin.
    const unknown = await runCommand(() => ledgerCommand(['partition', '--parts', '8'], config));
    expect([unknown.code, unknown.err]).toEqual([1, 'Nothing can tell here whether the service is stopped.\n']);
  });

  it('where an index, a view or an entry could not be kept', async () => {
    const refuses = async (make: string, undo: string, because: string): Promise<void> => {
      await api.db.query(make);
      expect(await partition('--parts', '8')).toMatchObject({ code: 1, err: expect.stringContaining(because) });
      await api.db.query(undo);
    };
    const index = 'CREATE UNIQUE INDEX of_all ON translation_log (created_at, id)';
    await refuses(index, 'DROP INDEX of_all', 'of_all is unique over all members');
    await refuses('CREATE VIEW seen AS SELECT seq FROM account_log', 'DROP VIEW seen', 'depend on the logs: seen.');
    const stranger = `INSERT INTO account_log OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(e, '{"id": 9000000, "user_id": 9000000, "log_type": 4}')).* FROM account_log e WHERE order_id = ${orderId}`;
    const gone = 'ALTER TABLE account_log DISABLE TRIGGER USER; DELETE FROM account_log WHERE id = 9000000';
    const undo = `${gone}; ALTER TABLE account_log ENABLE TRIGGER USER`;
    await refuses(stranger, undo, 'order of another account, or none that exists: 1.');
  });
});

const dropGuard = (part: string): string => `DROP TRIGGER account_log_no_truncate ON ${part}`;
const makeGuard = (part: string, when = ''): string =>
  `CREATE TRIGGER account_log_no_truncate BEFORE TRUNCATE ON ${part} FOR EACH STATEMENT ${when} EXECUTE FUNCTION refuse_rewriting()`;

describe('in eight parts', () => {
  it('both logs hold what they held, under the same rights', async () => {
    const rightsOf = (name: string): Promise<string> =>
      textOf(`SELECT string_agg(r, ', ' ORDER BY r) FROM (
        SELECT unnest(coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, relowner)))::text FROM pg_class WHERE oid IN ('${name}'::regclass, '${name}_id_seq'::regclass) UNION ALL
        SELECT attname || unnest(attacl)::text FROM pg_attribute WHERE attrelid = '${name}'::regclass) AS all_rights (r)`);
    const before = await content();
    const rights = await Promise.all(LOGS.map(rightsOf));
    const { code, out } = await partition('--parts', '8');
    expect(code).toBe(0);
    expect(out).toContain('Both logs have 8 parts now.');
    expect(await content()).toEqual(before);
    expect(await Promise.all(LOGS.map(rightsOf))).toEqual(rights);
    expect(await partsOf()).toEqual(['8', '8']);
    expect(await findings()).toEqual([]);
    const again = await partition('--parts', '8');
    expect([again.code, again.err]).toEqual([1, 'Both logs are partitioned already.\n']);
  });

  it('members buy, share and translate as before', async () => {
    const [buyer, before] = [await makeMain(api), await content()];
    const bought = await openOrder(api, buyer);
    expect(await settle(api, await paymentFor(api, bought))).toBe('credit');
    await use(await makeSub(api, buyer, 100));
    expect(await content()).not.toEqual(before);
    expect(await findings()).toEqual([]);
  });

  it('an order is credited to its buyer alone, and once', async () => {
    /** The order's entry once more, as a later one of an account. */
    const again = (userId: number): Promise<unknown> =>
      api.db.query(
        `INSERT INTO account_log OVERRIDING SYSTEM VALUE
         SELECT (jsonb_populate_record(e, jsonb_build_object('id', 9e6, 'user_id', $2::bigint, 'seq', 9000, 'type_seq', 9000,
           'cmd_id', gen_random_uuid()))).* FROM account_log e WHERE order_id = $1`,
        [orderId, userId],
      );
    await expect(again(main.session.userId)).rejects.toMatchObject({
      code: '23505',
      constraint: expect.stringMatching(/^account_log_\d\d_order_id_user_id_idx$/),
    });
    await expect(again(main.session.userId + 1)).rejects.toMatchObject({
      code: '23503',
      constraint: 'account_log_order_buyer',
    });
    expect(await rechargesOf(api, orderId)).toHaveLength(1);
  });

  it('nobody rewrites an entry, through the table or through its part', async () => {
    for (const name of ['account_log', await partOf('account_log')])
      for (const sql of [`UPDATE ${name} SET amount = 1`, `DELETE FROM ${name}`, `TRUNCATE ${name}`])
        await expect(api.db.query(sql)).rejects.toMatchObject({ code: '42501' });
    for (const name of LOGS) {
      const part = await partOf(name);
      const allowed = `SELECT bool_or(has_table_privilege(r, '${part}', p)) FROM unnest(ARRAY['yiqiao_app', 'yiqiao_operator']) r,
        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p`;
      expect(await textOf(allowed)).toBe('false');
    }
  });

  it.each([
    [
      'a disabled trigger',
      (part: string) => `ALTER TABLE ${part} DISABLE TRIGGER account_log_append_only`,
      (part: string) => `ALTER TABLE ${part} ENABLE TRIGGER account_log_append_only`,
      'parts of account_log: trigger account_log_append_only of PART is disabled',
    ],
    [
      'a missing trigger on statements',
      dropGuard,
      makeGuard,
      'parts of account_log: PART lacks trigger account_log_no_truncate',
    ],
    [
      'a trigger that never fires',
      (part: string) => `${dropGuard(part)}; ${makeGuard(part, 'WHEN (false)')}`,
      (part: string) => `${dropGuard(part)}; ${makeGuard(part)}`,
      'parts of account_log: trigger account_log_no_truncate of PART is its own',
    ],
    [
      'a right on a part',
      (part: string) => `GRANT UPDATE ON ${part} TO yiqiao_app`,
      (part: string) => `REVOKE UPDATE ON ${part} FROM yiqiao_app`,
      'UPDATE of yiqiao_app on PART: all columns',
    ],
    [
      'a part that is gone',
      (part: string) => `ALTER TABLE account_log DETACH PARTITION ${part}`,
      (part: string) =>
        `ALTER TABLE account_log ATTACH PARTITION ${part} FOR VALUES WITH (MODULUS 8, REMAINDER ${Number(part.slice(-2))})`,
      'parts of account_log: 7 parts of 8',
    ],
    [
      'the missing key of the buyer',
      () => 'ALTER TABLE account_log DROP CONSTRAINT account_log_order_buyer',
      () => `ALTER TABLE account_log ADD CONSTRAINT account_log_order_buyer FOREIGN KEY (order_id, user_id)
        REFERENCES recharge_order (id, user_id) DEFERRABLE INITIALLY DEFERRED`,
      'constraint account_log_order_buyer on account_log: none',
    ],
  ])('the audit reports %s', async (_, make, undo, found) => {
    const part = await partOf('account_log');
    await api.db.query(make(part));
    expect(await findings()).toContain(found.replace('PART', part));
    await api.db.query(undo(part));
    expect(await findings()).toEqual([]);
  });
});
