import pg from 'pg';
import { CommandError, UsageError } from '../../platform/cli-messages.js';
import { type CommandContext, parseCommandLine, print } from './command-line.js';
import { MESSAGES } from './messages.js';
import { duration, grouped } from './progress.js';

const LOGS = ['account_log', 'translation_log'] as const;
const PARTS = ['2', '4', '8', '16', '32', '64'];
const ALREADY = { zh: '两个日志表已经分区。', en: 'Both logs are partitioned already.' };

/**
 * What a unique index without the member becomes, since each part has an index of its own. Ids come from one sequence; an order is credited to
 * its buyer, by the foreign key, and there once.
 */
const UNIQUE: Readonly<Record<string, { without: string; columns: string }>> = {
  account_log_id: { without: '(id)', columns: '(id, user_id)' },
  account_log_order: { without: '(order_id)', columns: '(order_id, user_id)' },
};
const BUYER = `
ALTER TABLE recharge_order ADD CONSTRAINT recharge_order_buyer UNIQUE (id, user_id);
ALTER TABLE account_log ADD CONSTRAINT account_log_order_buyer FOREIGN KEY (order_id, user_id)
  REFERENCES recharge_order (id, user_id) DEFERRABLE INITIALLY DEFERRED;
`;

/** `operator ledger partition`: both logs in parts by a hash of the member (docs/decisions/0070). */
export async function partitionCommand(args: string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    parts: { type: 'string' },
    'dry-run': { type: 'boolean' },
  });
  if (positionals.length > 0 || values.parts === undefined || !PARTS.includes(values.parts))
    throw new UsageError({
      zh: `ledger partition 需要 --parts ${PARTS.join('|')}，可加 --dry-run`,
      en: `ledger partition requires --parts ${PARTS.join('|')} and accepts --dry-run`,
    });
  const { pool, language, requireStopped } = context;
  const messages = MESSAGES[language];
  const client = await pool.connect();
  try {
    if (await isPartitioned(client)) throw new CommandError(ALREADY);
    const { rows } = await client.query<{ name: string; bytes: number; pid: number }>(
      `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes, pg_backend_pid() AS pid
       FROM pg_class c WHERE c.oid = ANY ($1::regclass[]) ORDER BY 1`,
      [LOGS],
    );
    for (const { name, bytes } of rows)
      print(messages.toPartition({ name, megabytes: grouped(Math.ceil(bytes / 1e6)) }));
    if (values['dry-run']) return 0;
    await requireStopped(rows[0]?.pid ?? 0);
    await partitionLogs(client, Number(values.parts), ({ name, rows: n, seconds }) =>
      print(messages.partitionedLog({ name, rows: grouped(n), took: duration(seconds) })),
    );
    print(messages.partitioned(values.parts));
    // Autovacuum analyzes the parts; what is asked of all of them at once is planned with statistics that only this makes.
    await client.query(`SET statement_timeout = 0; ANALYZE ${LOGS.join(', ')}`);
    return 0;
  } finally {
    client.release(true);
  }
}

/** For two that prepare an installation at the same time. */
const SPLITTING = 0x9a_27;

/**
 * Splits the logs of the database at `url`, which signs in as the owner of the schema, into `parts` parts each while nothing is in them, as in a
 * new installation. Otherwise, and with one part, they stay as they are.
 */
export async function partitionEmptyLogs(url: string, parts: number): Promise<void> {
  if (parts <= 1) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [SPLITTING]);
    const { rowCount } = await client.query('SELECT FROM account_log UNION ALL SELECT FROM translation_log LIMIT 1');
    if (rowCount === 0 && !(await isPartitioned(client))) await partitionLogs(client, parts);
  } finally {
    await client.end();
  }
}

async function isPartitioned(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_partitioned_table WHERE partrelid = ANY ($1::regclass[])', [
    LOGS,
  ]);
  return rowCount !== 0;
}

type Done = { name: string; rows: number; seconds: number };

/**
 * Copies both logs into `parts` parts each and lets those take their places, with their constraints, indexes, triggers, rights and sequences as
 * the catalogue has them, in one transaction: nobody reads or writes them meanwhile, and whatever goes wrong leaves them as they were. What can
 * be refused is refused before the copy, with a CommandError. `client` signs in as the owner of the schema.
 */
export async function partitionLogs(
  client: pg.ClientBase,
  parts: number,
  onLog: (done: Done) => void = () => undefined,
): Promise<void> {
  try {
    await client.query('BEGIN');
    // So that definitions omit the schema. A command that is killed ends on the server as well.
    await client.query(`SET LOCAL search_path = public; SET LOCAL client_connection_check_interval = '2s';
      SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'; SET LOCAL maintenance_work_mem = '512MB'`);
    await client.query(`LOCK TABLE ${LOGS.join(', ')}, recharge_order IN ACCESS EXCLUSIVE MODE`);
    if (await isPartitioned(client)) throw new CommandError(ALREADY);
    const plans: Plan[] = [];
    for (const name of LOGS) plans.push(await planOf(client, name, parts));
    await refuseStrangers(client);
    for (const plan of plans) {
      const startedAt = performance.now();
      const rows = await carryOut(client, plan);
      onLog({ name: plan.name, rows, seconds: (performance.now() - startedAt) / 1000 });
    }
    await client.query(BUYER);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Throws CommandError for what would stop the work after the copy. */
async function refuseStrangers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ views: string | null; strangers: string }>(
    `SELECT (SELECT string_agg(DISTINCT w.ev_class::regclass::text, ', ') FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY ($1::regclass[])
          AND w.ev_class <> d.refobjid) AS views,
      (SELECT count(*) FROM account_log e LEFT JOIN recharge_order o ON o.id = e.order_id AND o.user_id = e.user_id
        WHERE e.order_id IS NOT NULL AND o.id IS NULL) AS strangers`,
    [LOGS],
  );
  const { views = null, strangers = '0' } = rows[0] ?? {};
  if (views !== null)
    throw new CommandError({
      zh: `这些视图依赖日志表：${views}。请先删除，分区之后再建。`,
      en: `These views depend on the logs: ${views}. Drop them, and make them again afterwards.`,
    });
  if (Number(strangers) > 0)
    throw new CommandError({
      zh: `有 ${strangers} 条记录引用了不属于其账号的订单：请先运行 ledger audit。`,
      en: `Entries that name an order of another account, or none that exists: ${strangers}. Run ledger audit first.`,
    });
}

type Plan = { name: string; whole: string; create: string; finish: string };

/** Throws CommandError for a unique index that parts cannot keep. */
async function planOf(client: pg.ClientBase, name: string, parts: number): Promise<Plan> {
  const { rows } = await client.query<Definition>(DEFINITION, [name]);
  const of = rows[0];
  if (!of) throw new Error(`there is no table ${name}`);
  const whole = `${name}_whole`;
  const names = Array.from({ length: parts }, (_, i) => `${name}_${String(i).padStart(2, '0')}`);
  const storage = of.storage === null ? '' : ` WITH (${of.storage})`;
  const partsOfIt = names.map(
    (
      part,
      i,
    ) => `CREATE TABLE ${part} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${i})${storage};
      REVOKE ALL ON ${part} FROM PUBLIC, yiqiao_app, yiqiao_operator;`,
  );
  // A trigger on statements is not a part's by itself.
  const guards = of.statementTriggers.flatMap((trigger) =>
    names.map((part) => trigger.replaceAll(` ON ${name} `, ` ON ${part} `)),
  );
  const rights = [`REVOKE ALL ON ${name} FROM PUBLIC, yiqiao_app, yiqiao_operator`, ...of.rights];
  const owners = [name, ...names].map((each) => `ALTER TABLE ${each} OWNER TO ${of.owner}`);
  const made = [...of.keys, ...of.indexes.map(withMember), ...of.triggers, ...guards, ...rights, ...owners];
  return {
    name,
    whole,
    create: `ALTER TABLE ${name} RENAME TO ${whole}; ALTER SEQUENCE ${name}_id_seq RENAME TO ${whole}_id_seq;
      CREATE TABLE ${name} (LIKE ${whole} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (user_id);
      ${partsOfIt.join('\n')}`,
    finish: `DROP TABLE ${whole}; ${made.join('; ')}`,
  };
}

/** @returns the number of rows */
async function carryOut(client: pg.ClientBase, { name, whole, create, finish }: Plan): Promise<number> {
  await client.query(create);
  const { rowCount } = await client.query(`INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${whole}`);
  await client.query(`SELECT setval('${name}_id_seq', last_value, is_called) FROM ${whole}_id_seq`);
  await client.query(finish);
  return rowCount ?? 0;
}

type Definition = {
  owner: string;
  /** Storage parameters, which LIKE does not copy. */
  storage: string | null;
  keys: string[];
  indexes: { name: string; text: string; lacksMember: boolean }[];
  triggers: string[];
  statementTriggers: string[];
  rights: string[];
};

function withMember({ name, text, lacksMember }: Definition['indexes'][number]): string {
  if (!lacksMember) return text;
  const { without = '', columns = '' } = UNIQUE[name] ?? {};
  if (without !== '' && text.includes(` ${without}`)) return text.replace(` ${without}`, ` ${columns}`);
  throw new CommandError({
    zh: `索引 ${name} 对所有会员唯一，分区后无法保持：请先删除。`,
    en: `The index ${name} is unique over all members, which parts cannot keep: drop it first.`,
  });
}

const named = (what: string, from: string, order: string): string =>
  `coalesce((SELECT array_agg(${what} ORDER BY ${order}) ${from}), '{}')`;

/** The statements that make a table's keys, indexes, triggers and rights again. LIKE copies the rest: columns, CHECKs, comments. */
const DEFINITION = `
SELECT t.relowner::regrole::text AS owner, array_to_string(t.reloptions, ', ') AS storage,
  ${named(
    `format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))`,
    `FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype IN ('p', 'u', 'x', 'f')`,
    'c.conname',
  )} AS keys,
  coalesce((SELECT json_agg(json_build_object('name', c.relname, 'text', pg_get_indexdef(c.oid), 'lacksMember',
      i.indisunique AND NOT (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'user_id') = ANY (i.indkey))
      ORDER BY c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = t.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)), '[]') AS indexes,
  ${named('pg_get_triggerdef(g.oid, true)', 'FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal', 'g.tgname')} AS triggers,
  ${named(
    'pg_get_triggerdef(g.oid, true)',
    'FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal AND g.tgtype & 1 = 0',
    'g.tgname',
  )} AS "statementTriggers",
  ${named(
    `format('GRANT %s%s ON %s TO %s', r.privilege, r.columns, r.of, r.grantee)`,
    `FROM (
      SELECT a.privilege_type AS privilege, '' AS columns, t.relname::text AS of, a.grantee::regrole::text AS grantee
      FROM aclexplode(t.relacl) a WHERE a.grantee NOT IN (0, t.relowner)
      UNION ALL
      SELECT a.privilege_type, format(' (%I)', c.attname), t.relname, a.grantee::regrole::text
      FROM pg_attribute c, aclexplode(c.attacl) a WHERE c.attrelid = t.oid AND NOT c.attisdropped
      UNION ALL
      SELECT a.privilege_type, '', 'SEQUENCE ' || s.relname, a.grantee::regrole::text
      FROM pg_class s, aclexplode(s.relacl) a WHERE s.oid = (t.relname || '_id_seq')::regclass AND a.grantee NOT IN (0, s.relowner)
    ) r`,
    'r.of, r.privilege, r.columns, r.grantee',
  )} AS rights
FROM pg_class t WHERE t.oid = $1::regclass`;
