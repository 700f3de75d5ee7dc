/** What statements of the product read. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';

const OF_LOGS = /^\s*(?:SELECT|WITH)\b[^]*\b(?:account_log|translation_log)\b/i;

/**
 * Collects what an entity manager and its forks send while `work` runs: statements with their values as literals. `which`: by default those
 * that read the logs.
 */
export async function recorded(
  em: EntityManager,
  work: () => Promise<unknown>,
  which: RegExp = OF_LOGS,
): Promise<string[]> {
  const sent: string[] = [];
  const connection = em.getConnection();
  const execute = connection.execute.bind(connection) as (...args: unknown[]) => Promise<unknown>;
  connection.execute = ((...args: unknown[]) => {
    const [query, values] = args as [unknown, unknown[] | undefined];
    if (typeof query === 'string' && which.test(query)) sent.push(em.getPlatform().formatQuery(query, values ?? []));
    return execute(...args);
  }) as typeof connection.execute;
  try {
    await work();
  } finally {
    connection.execute = execute as typeof connection.execute;
  }
  return sent;
}

/** The rows of tables that a statement looks at, those that it then drops included. */
export async function rowsReadBy(db: pg.Pool, statement: string): Promise<number> {
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
  const nodes = rows[0] ? nodesOf(rows[0]['QUERY PLAN'][0].Plan) : [];
  return nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
    .reduce((sum, read) => sum + read, 0);
}

type Node = {
  'Relation Name'?: string;
  'Actual Loops': number;
  /** Per loop. */
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
};

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
