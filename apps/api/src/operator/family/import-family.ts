import type pg from 'pg';
import { auditLedger } from '../../ledger/audit/audit.js';
import { type ActionRecord, type Actor, appendAction, executeOn } from '../../platform/action-chain.js';
import { CommandError } from '../../platform/cli-messages.js';
import { EXPECTED_MIGRATIONS } from '../../platform/database-probe.js';
import { refuseCollisions } from './collisions.js';
import { ACTION, inTransaction, type Move } from './export-family.js';
import {
  damaged,
  type FamilyHead,
  familyKeyOf,
  FORMAT,
  type Line,
  readFamilyFile,
  receiptOf,
  type Row,
} from './family-file.js';
import { RestoredRows } from './restored-rows.js';
import { MOVES, type MovingTable } from './tables.js';

/** `again`: the rows were here already, from a run whose audit found a difference. */
export type Imported = { familyId: number; rows: number; entries: number; again: boolean; receipt: string };

/** Rows of one statement. */
const AT_ONCE = 2_000;

/**
 * Takes a family in from the sealed file at `path`. Its rows are written in one transaction, for nobody to use yet; then the family is audited, and
 * opened only if every check passes. A run whose audit finds a difference leaves it closed and can be repeated. Throws CommandError.
 */
export async function importFamily(move: Move, path: string): Promise<Imported> {
  const key = familyKeyOf(move.config);
  // Read to its end before anything is written: a damaged file changes nothing.
  const { head, rows } = await check(path, key);
  const again = await inTransaction(move.owner, (client) => takeIn(client, move, { path, key, head }));
  const entries = await audit(move, head.familyId);
  await inTransaction(move.owner, (client) => openFamily(client, move, head));
  return { familyId: head.familyId, rows, entries, again, receipt: receiptOf(key, head.file) };
}

async function check(path: string, key: string): Promise<{ head: FamilyHead; rows: number }> {
  let head: FamilyHead | null = null;
  let end: Record<string, number> | null = null;
  const counts = new Map<string, number>();
  for await (const text of readFamilyFile(path, key)) {
    const line = JSON.parse(text) as Partial<FamilyHead & Line & { counts: Record<string, number> }>;
    if (!head) head = headOf(line as FamilyHead, path);
    else if (line.counts) end = line.counts;
    else if (line.table) counts.set(line.table, (counts.get(line.table) ?? 0) + 1);
  }
  if (!head || !end) throw damaged(path);
  for (const [table, n] of Object.entries(end)) if ((counts.get(table) ?? 0) !== n) throw damaged(path);
  return { head, rows: Object.values(end).reduce((sum, n) => sum + n, 0) };
}

function headOf(head: FamilyHead, path: string): FamilyHead {
  const format: string = head.format;
  if (format !== FORMAT)
    throw new CommandError({
      zh: `${path} 的格式是 ${format}，本版本只认 ${FORMAT}`,
      en: `${path} has the format ${format}; this version reads ${FORMAT}.`,
    });
  const here = EXPECTED_MIGRATIONS.at(-1) ?? '';
  if (head.schema !== here)
    throw new CommandError({
      zh: `${path} 来自表结构 ${head.schema}，这里是 ${here}：先把两处升级到同一版本`,
      en: `${path} is of the schema ${head.schema}, this installation of ${here}: bring both to the same version first.`,
    });
  return head;
}

type Taken = { path: string; key: string; head: FamilyHead };

/** Writes every row; the accounts are read-only, and nobody can sign in. True if an earlier run has written them. */
async function takeIn(client: pg.PoolClient, move: Move, { path, key, head }: Taken): Promise<boolean> {
  const { familyId, file } = head;
  // One import at a time: collisions are looked for before rows are written.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('family import', 0))");
  const { rows: moves } = await client.query<{ state: string; file: string }>(
    'SELECT state, file FROM family_move WHERE family_id = $1 ORDER BY began_at DESC LIMIT 1',
    [familyId],
  );
  const [known] = moves;
  if (known?.file === file && known.state === 'received') return true;
  if (known?.file === file && known.state === 'open')
    throw new CommandError({
      zh: `家庭 ${familyId} 已经从这个文件导入`,
      en: `Family ${familyId} was imported from this file before.`,
    });
  const batches = new Batches(client, new RestoredRows(move, head, await columnsOf(client)));
  for await (const text of readFamilyFile(path, key)) {
    const line = JSON.parse(text) as Partial<Line>;
    if (line.table && line.row) await batches.add(line.table, line.row);
  }
  await batches.finish();
  await client.query(
    `INSERT INTO family_move (file, family_id, direction, state, enabled) VALUES ($1, $2, 'in', 'received', $3)`,
    [file, familyId, batches.wasEnabled],
  );
  return false;
}

async function columnsOf(client: pg.ClientBase): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1) GROUP BY c.relname`,
    [Object.keys(MOVES)],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Collects the rows of a table and writes them together. */
class Batches {
  #table = '';
  #rows: Row[] = [];
  #paid: Row[] = [];
  wasEnabled = true;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly restored: RestoredRows,
  ) {}

  async add(table: string, row: Row): Promise<void> {
    if (table !== this.#table || this.#rows.length >= AT_ONCE) await this.#flush();
    if (table !== this.#table) await this.#settle(table);
    this.#table = table;
    if (table === 'member' && row['id'] === row['family_id']) this.wasEnabled = row['enabled'] === true;
    // An order is paid by a payment that refers to the order.
    if (table === 'recharge_order' && row['paid_by'] !== null) this.#paid.push(row);
    this.#rows.push(row);
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#settle('');
  }

  /** Once the payments are there. */
  async #settle(next: string): Promise<void> {
    if (this.#table !== 'payment' && next !== '') return;
    const paid = this.#paid;
    this.#paid = [];
    if (paid.length === 0) return;
    await this.client.query(
      `UPDATE recharge_order o SET pay_status = 'P', paid_by = d.paid_by, paid_at = d.paid_at
       FROM json_to_recordset($1::json) AS d (id bigint, paid_by bigint, paid_at timestamptz) WHERE o.id = d.id`,
      [JSON.stringify(paid)],
    );
  }

  async #flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    if (this.#table === ACTION) return this.#actions(rows);
    if (!(this.#table in MOVES)) throw new Error(`no table ${this.#table} moves`);
    const table = this.#table as MovingTable;
    await refuseCollisions(this.client, table, rows);
    const made = await this.restored.rows(this.client, table, rows);
    if (made.length === 0) return;
    const columns = this.restored
      .columns(table)
      .map((column) => `"${column}"`)
      .join(', ');
    await this.client.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(made)],
    );
  }

  /** Each explains an entry by its command, in this chain as it did in the other. */
  async #actions(rows: readonly Row[]): Promise<void> {
    for (const { n, body, hash } of rows) {
      // Session, address and request are of the other installation.
      const { actor, action, target, before, after, reason, cmdId, at } = JSON.parse(String(body)) as Logged;
      const what = {
        ...{ action, before: before ?? null, reason: reason ?? null, at: new Date() },
        ...(target && { target }),
        ...(cmdId !== undefined && { cmdId }),
        after: { ...after, movedFrom: { n, at, hash } },
      };
      await appendAction(executeOn(this.client), { actor }, what);
    }
  }
}

type Logged = Actor & ActionRecord & { at: number };

/** The number of its entries. Throws CommandError that names the first differences. */
async function audit({ owner, config }: Move, familyId: number): Promise<number> {
  const { rows } = await owner.query<{ user_id: number }>('SELECT user_id FROM member_account WHERE family_id = $1', [
    familyId,
  ]);
  const userIds = rows.map((row) => Number(row.user_id));
  const { findings, entries } = await auditLedger(owner, { scope: { userIds }, timeZone: config.env.APP_TIMEZONE });
  if (findings.length === 0) return entries;
  const named = findings
    .slice(0, 5)
    .map(
      ({ userId, seq, field, expected, found }) =>
        `${userId}/${seq ?? '-'} ${field}: ${String(expected)} ≠ ${String(found)}`,
    );
  throw new CommandError({
    zh: `家庭 ${familyId} 已写入，但核对有 ${findings.length} 处差异，所以没有开放：\n${named.join('\n')}\n解决后重新运行 family import`,
    en: `Family ${familyId} is here, but its audit found ${findings.length} differences, so it was not opened:\n${named.join('\n')}\nRun family import again when they are settled.`,
  });
}

/** Lets the members in, and asks the gateways about the open orders: one may have been paid since the export. */
async function openFamily(
  client: pg.PoolClient,
  { actor }: Move,
  { familyId, file, exportedAt }: FamilyHead,
): Promise<void> {
  const { rows } = await client.query<{ enabled: boolean }>(
    `UPDATE family_move SET state = 'open', ended_at = now() WHERE file = $1 AND state = 'received' RETURNING enabled`,
    [file],
  );
  const [taken] = rows;
  if (!taken) throw new CommandError({ zh: '这个家庭已由别人开放', en: 'Somebody else has opened this family.' });
  await client.query('UPDATE member_account SET read_only = false WHERE family_id = $1', [familyId]);
  await client.query('UPDATE member SET enabled = $2 WHERE id = $1', [familyId, taken.enabled]);
  await client.query(
    `INSERT INTO outbox (fact) SELECT jsonb_build_object('type', 'OrderPlaced', 'orderId', id, 'askAt', at, 'expiresAt', greatest(at, expires))
     FROM (SELECT id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at, (extract(epoch FROM expires_at) * 1000)::bigint AS expires
       FROM recharge_order WHERE family_id = $1 AND pay_status = 'W') AS o`,
    [familyId],
  );
  const target = { kind: 'member', id: String(familyId) };
  await appendAction(executeOn(client), actor, {
    action: 'family.import',
    target,
    after: { file, exportedAt },
    at: new Date(),
  });
}
