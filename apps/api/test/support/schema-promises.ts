/** What a schema promises to the processes that run on it, and which of its promises another schema breaks. */
import type pg from 'pg';

/** By what is promised: `table member`, `column member.id`, `right INSERT on member of yiqiao_app`. */
export type Promises = ReadonlyMap<string, string>;

const ROLES = `ARRAY['yiqiao_app', 'yiqiao_operator']`;

const RELATIONS = `
SELECT 'relation ' || c.relname AS what, '' AS detail FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')`;

const COLUMNS = `
SELECT 'column ' || c.relname || '.' || a.attname AS what,
  format_type(a.atttypid, a.atttypmod) || CASE
    WHEN NOT a.attnotnull THEN ', may be left out'
    WHEN a.atthasdef OR a.attidentity <> '' THEN ', has a value by itself'
    ELSE ', must be given' END AS detail
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.attnum > 0 AND NOT a.attisdropped`;

/** Of tables, with the columns that they are about: each allows less than before. The NOT NULL of a column is its own. */
const RULES = `
SELECT 'rule ' || conrelid::regclass || ': ' || pg_get_constraintdef(k.oid) AS what,
  coalesce((SELECT string_agg(a.attname, ',') FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)), '') AS detail
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND k.contype IN ('c', 'f', 'x')
UNION ALL
SELECT 'rule ' || c.relname || ': unique ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', ''), ''
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND i.indisunique`;

const FUNCTIONS = `
SELECT 'function ' || p.oid::regprocedure AS what, pg_get_function_result(p.oid) AS detail FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype <> 'trigger'::regtype
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

const RIGHTS = `
SELECT DISTINCT 'right ' || x.privilege_type || ' on ' || c.relname || coalesce('.' || x.column_name, '') || ' of ' || x.role AS what, '' AS detail
FROM (
  SELECT a.oid AS relation, NULL AS column_name, g.privilege_type, g.grantee::regrole::text AS role
  FROM pg_class a, aclexplode(a.relacl) g
  UNION ALL
  SELECT a.attrelid, a.attname, g.privilege_type, g.grantee::regrole::text
  FROM pg_attribute a, aclexplode(a.attacl) g
) x JOIN pg_class c ON c.oid = x.relation
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND x.role = ANY (${ROLES})`;

export async function promisesOf(db: pg.Pool | pg.PoolClient): Promise<Promises> {
  const { rows } = await db.query<{ what: string; detail: string }>(
    [RELATIONS, COLUMNS, RULES, FUNCTIONS, RIGHTS].join('\nUNION ALL\n'),
  );
  return new Map(rows.map(({ what, detail }) => [what, detail]));
}

const tableOf = (what: string): string => /^\w+ (\w+)/.exec(what)?.[1] ?? '';

/** One line for each promise of `before` that `after` does not keep: a process made for `before` could fail. */
export function brokenPromises(before: Promises, after: Promises): string[] {
  const broken: string[] = [];
  for (const [what, detail] of before) {
    const now = after.get(what);
    // What is forbidden no longer, hinders nobody.
    if (what.startsWith('rule ')) continue;
    if (now === undefined) broken.push(`${what} is gone`);
    else if (now !== detail && !isWider(detail, now)) broken.push(`${what}: ${detail} became ${now}`);
  }
  for (const [what, detail] of after) {
    const isNew = !before.has(what) && before.has(`relation ${tableOf(what)}`);
    if (isNew && what.startsWith('rule ') && !isOfNewColumns(what, detail, before)) broken.push(`${what} is new`);
    if (isNew && what.startsWith('column ') && detail.endsWith('must be given')) broken.push(`${what} must be given`);
  }
  return broken.sort();
}

/** Nobody who runs writes to a column that was not there. A unique one has no columns here: its default would be there twice. */
const isOfNewColumns = (what: string, columns: string, before: Promises): boolean =>
  columns !== '' && columns.split(',').every((name) => !before.has(`column ${tableOf(what)}.${name}`));

/** Whoever gives a value may go on, and whoever gave none as well. */
const isWider = (before: string, after: string): boolean =>
  before.split(',')[0] === after.split(',')[0] &&
  !after.endsWith('must be given') &&
  !before.endsWith('may be left out');
