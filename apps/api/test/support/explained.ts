/** What a statement of the product reads of the partitioned logs. */
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';

/** A statement as it was sent; with a name it is prepared, with a generic plan, as the ledger's writer has it. */
export type Sent = { name: string | undefined; text: string; values: readonly unknown[] };

/** The parts by log: those of the plan, and those that it really read. */
export type Read = Record<'planned' | 'read', { account_log: number; translation_log: number }>;

/** Collects what is read of the logs while `work` runs: by the writer's connection, and by these entity managers and their forks. */
export async function recorded(ems: readonly EntityManager[], work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const add = (one: Sent): void => {
    if (/\b(account_log|translation_log)\b/.test(one.text) && /^\s*(SELECT|WITH)/i.test(one.text)) sent.push(one);
  };
  const undo = [recordClients(add), ...ems.map((em) => recordOrm(em, add))];
  try {
    await work();
  } finally {
    for (const restore of undo) restore();
  }
  return sent;
}

function recordClients(add: (one: Sent) => void): () => void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its client
  const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { name?: string; text?: string; values?: unknown[] }];
    if (typeof first !== 'string') add({ name: first.name, text: first.text ?? '', values: first.values ?? [] });
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return () => (pg.Client.prototype.query = query as typeof pg.Client.prototype.query);
}

/** The ORM has a driver of its own, and sends values as literals. */
function recordOrm(em: EntityManager, add: (one: Sent) => void): () => void {
  const connection = em.getConnection();
  const execute = connection.execute.bind(connection) as (...args: unknown[]) => Promise<unknown>;
  connection.execute = ((...args: unknown[]) => {
    const [query, values] = args as [unknown, unknown[] | undefined];
    if (typeof query === 'string')
      add({ name: undefined, text: em.getPlatform().formatQuery(query, values ?? []), values: [] });
    return execute(...args);
  }) as typeof connection.execute;
  return () => (connection.execute = execute as typeof connection.execute);
}

// As the writer's connection has them.
const WRITER = `SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off; SET LOCAL jit = off`;

export async function partsOf(db: pg.Pool, sent: Sent): Promise<Read> {
  const nodes = await explained(db, sent);
  return { planned: count(nodes), read: count(nodes.filter((node) => node['Actual Loops'] > 0)) };
}

/** The rows of tables that it looks at, those that it then drops included. */
export async function rowsReadBy(db: pg.Pool, sent: Sent): Promise<number> {
  const scans = (await explained(db, sent)).filter((node) => node['Relation Name'] !== undefined);
  const each = scans.map(
    (node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
  );
  return each.reduce((sum, rows) => sum + rows, 0);
}

/** Runs a statement again, in a transaction that is rolled back. */
async function explained(db: pg.Pool, { name, text, values }: Sent): Promise<Node[]> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    if (name !== undefined) await client.query(WRITER);
    const given = values.length === 0 ? '' : ` (${values.map((value) => literal(client, value)).join(', ')})`;
    await client.query(`PREPARE asked AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked${given}`,
    );
    return rows[0] ? nodesOf(rows[0]['QUERY PLAN'][0].Plan) : [];
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
    client.release();
  }
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

function count(nodes: readonly Node[]): Read['read'] {
  const parts = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []));
  const of = (log: string): number => [...parts].filter((name) => name.startsWith(`${log}_p`)).length;
  return { account_log: of('account_log'), translation_log: of('translation_log') };
}

/** The writer sends bigint and bigint[] in their binary form. */
function literal(client: pg.PoolClient, value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (!Buffer.isBuffer(value)) return client.escapeLiteral(String(value as string | number));
  if (value.length === 8) return String(value.readBigInt64BE());
  const items: string[] = [];
  for (let at = 20; at < value.length;) {
    const length = value.readInt32BE(at);
    items.push(length < 0 ? 'NULL' : String(value.readBigInt64BE(at + 4)));
    at += 4 + Math.max(0, length);
  }
  return `'{${items.join(',')}}'`;
}
