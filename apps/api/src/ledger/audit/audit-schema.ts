import type pg from 'pg';
import { EXPECTED_SCHEMA } from './expected-schema.js';
import type { Findings } from './findings.js';

/** The database objects that the ledger depends on, each with its properties, in any order. */
type Schema = Record<string, string[]>;

/**
 * Compares tables, constraints, unique indexes, triggers, functions, owners and grants with EXPECTED_SCHEMA, which ships with the code,
 * because an attacker of the database could change an expectation stored there. Runs first, since everything else depends on it. Of
 * additions it reports only those that act on these tables or grant writing: an installation may have its own tables, indexes and
 * functions, and roles that read. Definitions are compared as PostgreSQL 18 prints them (docs/decisions/0036).
 */
export async function auditSchema(client: pg.ClientBase, findings: Findings): Promise<void> {
  // Rolls back the settings made to read the catalogue: rows are read in the same transaction.
  await client.query('SAVEPOINT before_schema');
  const schema = await readSchema(client, EXPECTED_SCHEMA);
  await client.query('ROLLBACK TO SAVEPOINT before_schema');
  const isPartitioned = Object.keys(PARTITIONED).some((what) => what in schema && !(what in EXPECTED_SCHEMA));
  const must = isPartitioned ? { ...EXPECTED_SCHEMA, ...PARTITIONED } : EXPECTED_SCHEMA;
  for (const { what, expected, found } of differences(must, schema)) {
    if (findings.full) return;
    // A database of another release explains every other difference.
    findings.add({ userId: 0, seq: null, field: what, expected, found }, [what], [MIGRATIONS]);
  }
}

/** What differs where both logs are split (docs/decisions/0070). */
const PARTITIONED: Schema = {
  'parts of account_log': ['whole'],
  'parts of translation_log': ['whole'],
  'unique index account_log_id on account_log': [
    'valid',
    'CREATE UNIQUE INDEX account_log_id ON account_log USING btree (id, user_id)',
  ],
  'unique index account_log_order on account_log': [
    'valid',
    'CREATE UNIQUE INDEX account_log_order ON account_log USING btree (order_id, user_id) WHERE order_id IS NOT NULL AND log_type = 1',
  ],
  'constraint account_log_order_buyer on account_log': [
    'enabled',
    'FOREIGN KEY (order_id, user_id) REFERENCES recharge_order(id, user_id) DEFERRABLE INITIALLY DEFERRED',
  ],
  'constraint recharge_order_buyer on recharge_order': ['enabled', 'UNIQUE (id, user_id)'],
};

type SchemaDifference = { what: string; expected: string; found: string };

function differences(expected: Schema, found: Schema): SchemaDifference[] {
  const names = [...new Set([MIGRATIONS, ...Object.keys(expected), ...Object.keys(found)])];
  return names.flatMap((what) => {
    const [must, is] = [expected[what], found[what]];
    if (!must && is && isHarmless(what, is, found)) return [];
    if (!is) return [{ what, expected: must?.[0] ?? 'none', found: 'none' }];
    const [missing, added] = [without(must ?? [], is), without(is, must ?? [])];
    if (missing.length === 0 && added.length === 0) return [];
    return [{ what, expected: missing.join('; ') || 'none', found: added.join('; ') || 'none' }];
  });
}

const without = (all: string[], known: string[]): string[] => all.filter((one) => !known.includes(one));

/** A function with its caller's rights can do nothing that the caller could not do. */
function isHarmless(what: string, is: string[], found: Schema): boolean {
  const name = /^(?:EXECUTE of \S+ on )?(function .*)$/s.exec(what)?.[1];
  return name !== undefined && !(name === what ? is : (found[name] ?? [])).includes(DEFINER);
}

const MIGRATIONS = 'migrations';
const DEFINER = 'security definer';

/** The actual schema, in the transaction of `client`: the objects of `of`, or all. */
export async function readSchema(client: pg.ClientBase, of: Schema | null): Promise<Schema> {
  // So that definitions omit the schema name, whatever the role's search_path is.
  await client.query('SET LOCAL search_path = public');
  await client.query('SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on; SET LOCAL enable_sort = on');
  const { rows } = await client.query<{ what: string; facets: string[] }>(CATALOGUE, [
    of && namesIn(of, /^column ([^.]+)\./),
    of && namesIn(of, /^function (.*)$/s),
  ]);
  return Object.fromEntries(rows.map(({ what, facets }) => [what, facets]));
}

const namesIn = (schema: Schema, pattern: RegExp): string[] => [
  ...new Set(Object.keys(schema).flatMap((what) => pattern.exec(what)?.[1] ?? [])),
];

const TRIGGER_STATE = `CASE t.tgenabled WHEN 'O' THEN 'enabled' WHEN 'D' THEN 'disabled' WHEN 'R' THEN 'enabled for replicas only'
  ELSE 'always enabled' END`;
const ROLE = `CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee)::text END`;
// Everything that the application may do, whatever it is; of other roles what lets them write.
const COUNTS = `a.grantee <> owner AND (a.grantee = 0 OR pg_get_userbyid(a.grantee) = 'yiqiao_app' OR a.privilege_type <> 'SELECT')`;
const PRIVILEGE = `a.privilege_type || CASE WHEN a.is_grantable THEN ' with grant option' ELSE '' END`;
const notOfExtension = (catalogue: string, oid: string): string => `NOT EXISTS (SELECT FROM pg_depend d
  WHERE d.classid = '${catalogue}'::regclass AND d.objid = ${oid} AND d.deptype = 'e')`;

// Columns, CHECKs and unique indexes of a part are those of its table t; a trigger can be switched off, and one on statements left out or made
// another, part by part.
const PARTS = 'FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid';
const OF_T = 'WHERE h.inhparent = t.oid AND NOT h.inhdetachpending';
const PROBLEMS_OF_PARTS = `
  SELECT 'by ' || pg_get_partkeydef(t.oid) WHERE pg_get_partkeydef(t.oid) <> 'HASH (user_id)'
  UNION ALL
  SELECT format('%s parts of %s', count(*), coalesce(max(size)::text, 'none')) FROM (
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'modulus (\\d+)')::int AS size ${PARTS} ${OF_T}) AS sizes
  HAVING count(*) IS DISTINCT FROM max(size)
  UNION ALL
  SELECT c.relname || ' is another kind of table' ${PARTS} ${OF_T}
    AND (c.relkind <> 'r' OR c.relpersistence <> 'p' OR c.relowner <> t.relowner OR c.relrowsecurity OR c.relforcerowsecurity OR c.relhasrules)
  UNION ALL
  SELECT format('trigger %s of %s is %s', g.tgname, c.relname, CASE WHEN g.tgenabled = 'O' THEN 'its own' ELSE 'disabled' END)
  ${PARTS} JOIN pg_trigger g ON g.tgrelid = c.oid ${OF_T} AND (g.tgenabled <> 'O' OR g.tgparentid = 0 AND NOT g.tgisinternal
    AND NOT EXISTS (SELECT FROM pg_trigger o WHERE o.tgrelid = t.oid
      AND pg_get_triggerdef(o.oid, true) = replace(pg_get_triggerdef(g.oid, true), ' ON ' || c.relname || ' ', ' ON ' || t.name || ' ')))
  UNION ALL
  SELECT format('%s lacks trigger %s', c.relname, o.tgname) ${PARTS} JOIN pg_trigger o ON o.tgrelid = t.oid
  ${OF_T} AND NOT o.tgisinternal AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = o.tgname)
  UNION ALL
  SELECT format('index %s of %s is invalid', x.relname, c.relname) ${PARTS} JOIN pg_index i ON i.indrelid = c.oid
    JOIN pg_class x ON x.oid = i.indexrelid ${OF_T} AND i.indisunique AND NOT i.indisvalid`;

const CATALOGUE = `
WITH tables AS (
  SELECT c.oid, c.relname::text AS name, c.relowner, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND ($1::text[] IS NULL OR c.relname = ANY ($1))
), functions AS (
  SELECT p.oid, p.oid::regprocedure::text AS name, p.proowner, p.proacl, p.prosecdef FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND ${notOfExtension('pg_proc', 'p.oid')}
), relations AS (
  SELECT c.oid, c.oid::regclass::text AS name, c.relowner AS owner,
    coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END, c.relowner)) AS acl
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND ${notOfExtension('pg_class', 'c.oid')}
), rights AS (
  SELECT ${PRIVILEGE} AS privilege, ${ROLE} AS role, r.name, ARRAY['all columns'] AS facets, 1 AS rank
  FROM relations r, aclexplode(r.acl) a WHERE ${COUNTS}
  UNION ALL
  SELECT ${PRIVILEGE}, ${ROLE}, r.name, array_agg(c.attname::text ORDER BY c.attnum), 2
  FROM relations r JOIN pg_attribute c ON c.attrelid = r.oid AND c.attacl IS NOT NULL, aclexplode(c.attacl) a
  WHERE ${COUNTS} GROUP BY 1, 2, 3
)
SELECT 'migrations' AS what, (SELECT array_agg(name::text ORDER BY id) FROM mikro_orm_migrations) AS facets
UNION ALL
SELECT 'column ' || t.name || '.' || c.attname, array_remove(ARRAY[format_type(c.atttypid, c.atttypmod),
  CASE WHEN c.attnotnull THEN 'not null' END,
  CASE c.attidentity WHEN 'a' THEN 'identity, always' WHEN 'd' THEN 'identity by default' END,
  CASE WHEN c.attgenerated <> '' THEN 'generated as ' ELSE 'default ' END || pg_get_expr(d.adbin, d.adrelid, true)], NULL)
FROM tables t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = c.attnum
UNION ALL
SELECT 'constraint ' || c.conname || ' on ' || t.name, ARRAY[
  CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgconstraint = c.oid AND t.tgenabled <> 'O')
    OR EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = c.conindid AND NOT i.indisvalid) THEN 'disabled' ELSE 'enabled' END,
  pg_get_constraintdef(c.oid, true)]
FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype IN ('c', 'f', 'p', 'u', 'x')
UNION ALL
SELECT 'unique index ' || c.relname || ' on ' || t.name, ARRAY[CASE WHEN i.indisvalid THEN 'valid' ELSE 'invalid' END,
  replace(pg_get_indexdef(i.indexrelid, 0, true), ' ON ONLY ', ' ON ')]
FROM tables t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique JOIN pg_class c ON c.oid = i.indexrelid
WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
UNION ALL
SELECT 'trigger ' || t.tgname || ' on ' || r.name, ARRAY[${TRIGGER_STATE}, pg_get_triggerdef(t.oid, true)]
FROM tables r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
UNION ALL
SELECT 'rule ' || w.rulename || ' on ' || t.name, ARRAY[pg_get_ruledef(w.oid)]
FROM tables t JOIN pg_rewrite w ON w.ev_class = t.oid
UNION ALL
SELECT 'policy ' || p.polname || ' on ' || t.name, ARRAY[coalesce(pg_get_expr(p.polqual, p.polrelid), 'true')]
FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
UNION ALL
SELECT 'row security of ' || t.name, ARRAY[CASE WHEN t.relforcerowsecurity THEN 'forced' ELSE 'on' END]
FROM tables t WHERE t.relrowsecurity OR t.relforcerowsecurity
UNION ALL
SELECT 'persistence of ' || t.name, ARRAY['unlogged'] FROM tables t WHERE t.relpersistence <> 'p'
UNION ALL
SELECT 'inheritance of ' || t.name, array_agg(i.inhrelid::regclass::text) FROM tables t JOIN pg_inherits i ON i.inhparent = t.oid
WHERE NOT EXISTS (SELECT FROM pg_partitioned_table p WHERE p.partrelid = t.oid) GROUP BY t.name
UNION ALL
SELECT 'parts of ' || t.name, coalesce((SELECT array_agg(problem) FROM (${PROBLEMS_OF_PARTS}) AS problems (problem)), ARRAY['whole'])
FROM tables t JOIN pg_partitioned_table p ON p.partrelid = t.oid
UNION ALL
SELECT 'function ' || f.name, array_remove(ARRAY['language ' || l.lanname, 'returns ' || pg_get_function_result(p.oid),
  CASE WHEN p.prosecdef THEN '${DEFINER}' END, array_to_string(p.proconfig, ', '), btrim(p.prosrc, E' \\n'), pg_get_function_sqlbody(p.oid)], NULL)
FROM functions f JOIN pg_proc p ON p.oid = f.oid JOIN pg_language l ON l.oid = p.prolang
UNION ALL
SELECT what, facets FROM (SELECT DISTINCT ON (what) privilege || ' of ' || role || ' on ' || name AS what, facets FROM rights
  ORDER BY what, rank) AS widest
UNION ALL
SELECT ${PRIVILEGE} || ' of ' || ${ROLE} || ' on function ' || f.name, ARRAY['granted']
FROM functions f, aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a WHERE a.grantee <> f.proowner
UNION ALL
SELECT ${PRIVILEGE} || ' of ' || ${ROLE} || ' on schema public', ARRAY['granted']
FROM pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a
WHERE n.nspname = 'public' AND (a.grantee = 0 AND a.privilege_type <> 'USAGE' OR pg_get_userbyid(a.grantee) = 'yiqiao_app')
UNION ALL
SELECT ${PRIVILEGE} || ' of ' || ${ROLE} || ' on the database', ARRAY['granted']
FROM pg_database b, aclexplode(coalesce(b.datacl, acldefault('d', b.datdba))) a
WHERE b.datname = current_database() AND a.privilege_type <> 'CONNECT' AND (a.grantee = 0 OR pg_get_userbyid(a.grantee) = 'yiqiao_app')
UNION ALL
SELECT 'role yiqiao_app', array_remove(ARRAY['works with the rights above', CASE WHEN r.rolsuper THEN 'SUPERUSER' END,
  CASE WHEN r.rolcreaterole THEN 'CREATEROLE' END, CASE WHEN r.rolcreatedb THEN 'CREATEDB' END,
  CASE WHEN r.rolreplication THEN 'REPLICATION' END, CASE WHEN r.rolbypassrls THEN 'BYPASSRLS' END,
  (SELECT 'member of ' || string_agg(pg_get_userbyid(m.roleid), ', ') FROM pg_auth_members m WHERE m.member = r.oid)], NULL)
FROM pg_roles r WHERE r.rolname = 'yiqiao_app'
UNION ALL
SELECT 'owner of tables and functions', CASE WHEN count(DISTINCT owner) > 1 THEN array_agg(DISTINCT pg_get_userbyid(owner)::text)
  WHEN bool_or(pg_get_userbyid(owner) = 'yiqiao_app') THEN ARRAY['yiqiao_app'] ELSE ARRAY['one role, not yiqiao_app'] END
FROM (SELECT relowner AS owner FROM tables UNION ALL SELECT proowner FROM functions WHERE $2::text[] IS NULL OR name = ANY ($2)) AS owners
UNION ALL
SELECT 'session_replication_role', ARRAY[reset_val] FROM pg_settings WHERE name = 'session_replication_role'
UNION ALL
SELECT 'session_replication_role of ' || coalesce(pg_get_userbyid(nullif(s.setrole, 0))::text, 'every role'), ARRAY[c]
FROM pg_db_role_setting s, unnest(s.setconfig) AS c
WHERE c LIKE 'session\\_replication\\_role=%' AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
UNION ALL
SELECT ${PRIVILEGE} || ' of ' || ${ROLE} || ' on parameter ' || p.parname, ARRAY['granted']
FROM pg_parameter_acl p, aclexplode(p.paracl) a WHERE p.parname = 'session_replication_role' AND a.grantee <> 10`;
