import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { auditLedger } from '../../ledger/audit/audit.js';
import { canonicalMailbox } from '../../members/canonical-mailbox.js';
import { type Actor, appendAction, executeOn } from '../../platform/action-chain.js';
import { CommandError } from '../../platform/cli-messages.js';
import type { Config } from '../../platform/config.js';
import { EXPECTED_MIGRATIONS } from '../../platform/database-probe.js';
import { Vault } from '../../platform/vault.js';
import { FamilyFileWriter, type FamilyHead, familyKeyOf, FORMAT, type Row } from './family-file.js';
import { MOVES, type Moving } from './tables.js';

/** What an export works with. `owner`: a pool of the owner of the schema, six connections. */
export type Move = { owner: pg.Pool; config: Config; actor: Actor };
export type Exported = { file: string; rows: number; accounts: number };

/** Translations that began before the family became read-only have ended by then: a hold lives for 90 s, and is released 15 s later. */
const HOLDS_MS = 150_000;
const FETCH = 2_000;

/**
 * Makes a family read-only for money and writes everything of it into the sealed file at `path`. When anything fails the family goes on as before.
 * Throws CommandError.
 */
export async function exportFamily(move: Move, familyId: number, path: string): Promise<Exported> {
  const key = familyKeyOf(move.config);
  const writer = await FamilyFileWriter.create(path, key);
  let begun = false;
  try {
    const userIds = await inTransaction(move.owner, (client) =>
      begin(client, move.actor, { familyId, file: writer.file }),
    );
    begun = true;
    await noHolds(move.owner, familyId);
    const { findings } = await auditLedger(move.owner, { scope: { userIds }, timeZone: move.config.env.APP_TIMEZONE });
    if (findings[0])
      throw new CommandError({
        zh: `这个家庭的账本有 ${findings.length} 处差异，不能迁移：先运行 ledger audit --family ${familyId}`,
        en: `The ledger of this family has ${findings.length} differences, so it cannot move: see ledger audit --family ${familyId}.`,
      });
    const rows = await writeAll(move, familyId, writer);
    await writer.finish();
    return { file: writer.file, rows, accounts: userIds.length };
  } catch (error) {
    await writer.discard();
    const why = { actor: move.actor, reason: 'the export failed' };
    if (begun) await inTransaction(move.owner, (client) => letGo(client, familyId, why));
    throw error;
  }
}

async function begin(client: pg.PoolClient, actor: Actor, of: { familyId: number; file: string }): Promise<number[]> {
  const { familyId, file } = of;
  const { rows } = await client.query<{ user_id: number; read_only: boolean }>(
    'SELECT user_id, read_only FROM member_account WHERE family_id = $1 ORDER BY user_id FOR NO KEY UPDATE',
    [familyId],
  );
  if (rows.length === 0) throw new CommandError({ zh: `没有家庭 ${familyId}`, en: `There is no family ${familyId}.` });
  const { rows: archived } = await client.query<{ user_id: string }>(
    'SELECT user_id FROM account_archive h JOIN member_account a USING (user_id) WHERE a.family_id = $1 ORDER BY user_id',
    [familyId],
  );
  if (archived.length > 0) {
    const thaw = archived.map(({ user_id: userId }) => `ledger thaw ${userId}`).join('; ');
    throw new CommandError({
      zh: `这个家庭有翻译在冷文件里，迁移前请先放回：${thaw}`,
      en: `Translations of this family are in cold files. Put them back before it moves: ${thaw}`,
    });
  }
  const { rows: moves } = await client.query<{ state: string }>(
    `SELECT state FROM family_move WHERE family_id = $1 AND state IN ('moved', 'exported', 'received')`,
    [familyId],
  );
  const [moving] = moves;
  if (moving?.state === 'moved')
    throw new CommandError({ zh: `家庭 ${familyId} 已经迁走`, en: `Family ${familyId} has moved away.` });
  if (moving)
    throw new CommandError({
      zh: `家庭 ${familyId} 已经在迁移：用 family moved 确认，或用 family keep 取消`,
      en: `Family ${familyId} is moving already: confirm it with family moved, or give up with family keep.`,
    });
  if (rows.some(({ read_only: readOnly }) => readOnly))
    throw new CommandError({
      zh: `家庭 ${familyId} 因账本差异而只读，不能迁移`,
      en: `Family ${familyId} is read-only because of a difference, so it cannot move.`,
    });
  const { rows: closed } = await client.query('SELECT FROM member WHERE id = $1 AND closed_at IS NOT NULL', [familyId]);
  if (closed.length > 0)
    throw new CommandError({ zh: `家庭 ${familyId} 已注销`, en: `Family ${familyId} was closed.` });
  const { rows: held } = await client.query(
    `SELECT FROM invite_hold h JOIN member m ON m.id IN (h.user_id, h.inviter_id) WHERE m.family_id = $1 AND h.decision IS NULL`,
    [familyId],
  );
  if (held.length > 0)
    throw new CommandError({
      zh: `家庭 ${familyId} 还有未决定的邀请奖励：先用 invites release 或 refuse 决定`,
      en: `Family ${familyId} has invite rewards to decide about first: invites release or refuse.`,
    });
  await client.query('UPDATE member_account SET read_only = true WHERE family_id = $1', [familyId]);
  await client.query(`INSERT INTO family_move (file, family_id, direction, state) VALUES ($1, $2, 'out', 'exported')`, [
    file,
    familyId,
  ]);
  const target = { kind: 'member', id: String(familyId) };
  await appendAction(executeOn(client), actor, { action: 'family.export', target, after: { file }, at: new Date() });
  return rows.map((row) => Number(row.user_id));
}

/** Lets a family go on that has not moved. False if it is not moving. */
export async function letGo(
  client: pg.ClientBase,
  familyId: number,
  { actor, reason }: { actor: Actor; reason: string },
): Promise<boolean> {
  await client.query('SELECT FROM member_account WHERE family_id = $1 ORDER BY user_id FOR NO KEY UPDATE', [familyId]);
  const { rowCount } = await client.query(
    `UPDATE family_move SET state = 'kept', ended_at = now() WHERE family_id = $1 AND direction = 'out' AND state = 'exported'`,
    [familyId],
  );
  if (!rowCount) return false;
  await client.query('UPDATE member_account SET read_only = false WHERE family_id = $1', [familyId]);
  const target = { kind: 'member', id: String(familyId) };
  await appendAction(executeOn(client), actor, { action: 'family.keep', target, reason, at: new Date() });
  return true;
}

async function noHolds(owner: pg.Pool, familyId: number): Promise<void> {
  const open = 'SELECT count(*)::int AS n FROM ledger_hold WHERE family_id = $1 AND released_at IS NULL';
  for (const end = performance.now() + HOLDS_MS; ; await sleep(200)) {
    const { rows } = await owner.query<{ n: number }>(open, [familyId]);
    if (rows[0]?.n === 0) return;
    if (performance.now() > end)
      throw new CommandError({
        zh: `家庭 ${familyId} 还有未结束的翻译：worker 在运行吗？`,
        en: `Family ${familyId} still has translations under way: does the worker run?`,
      });
  }
}

/** From one snapshot. */
async function writeAll({ owner, config }: Move, familyId: number, writer: FamilyFileWriter): Promise<number> {
  const vault = new Vault(config);
  const counts: Record<string, number> = {};
  return inTransaction(owner, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const head: FamilyHead = {
      format: FORMAT,
      file: writer.file,
      familyId,
      schema: EXPECTED_MIGRATIONS.at(-1) ?? '',
      exportedAt: new Date().toISOString(),
      secret: secretOf(vault),
    };
    await writer.write(JSON.stringify(head));
    const { rows: addresses } = await client.query<{ shown: string }>(
      `SELECT shown FROM identity WHERE family_id = $1 AND kind = 'email'`,
      [familyId],
    );
    const mailboxes = new Map(
      addresses.map(({ shown }) => [vault.hmac('mailbox', canonicalMailbox(shown)), canonicalMailbox(shown)]),
    );
    for (const [table, moving] of Object.entries<Moving>(MOVES)) {
      counts[table] = 0;
      for await (const row of rowsOf(client, `SELECT * FROM ${table} WHERE ${moving.where}`, { familyId, ...moving })) {
        counts[table]++;
        await writer.write(JSON.stringify({ table, row: opened(table, row, { vault, mailboxes }) }));
      }
    }
    for await (const row of rowsOf(client, ACTIONS, { familyId }))
      await writer.write(JSON.stringify({ table: ACTION, row }));
    await writer.write(JSON.stringify({ counts }));
    return Object.values(counts).reduce((sum, n) => sum + n, 0);
  });
}

/** The lines with the actions of the log that explain entries. */
export const ACTION = 'operator_action';
const ACTIONS = `
SELECT n, body, encode(hash, 'hex') AS hash FROM operator_action
WHERE cmd_id IN (SELECT cmd_id FROM manager_action WHERE family_id = $1) ORDER BY n`;

/** Says whether two installations have the same APP_SECRET. */
export const secretOf = (vault: Vault): string => vault.hmac('family', 'the same secret').slice(0, 16);

/** The columns of a table that APP_SECRET seals. */
export const SEALED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  two_step: ['sealed_secret'],
  webhook_endpoint: ['sealed_url', 'sealed_secret', 'old_sealed_secret'],
};

/** These columns of a row, each changed unless it is null. */
export const sealedColumns = (row: Row, columns: readonly string[], change: (text: string) => string): Row =>
  Object.fromEntries(columns.map((column) => [column, typeof row[column] === 'string' ? change(row[column]) : null]));

/** What APP_SECRET protects here, in the clear: the file is sealed, and the other installation has a secret of its own. */
function opened(table: string, row: Row, { vault, mailboxes }: { vault: Vault; mailboxes: Map<string, string> }): Row {
  const columns = SEALED_COLUMNS[table];
  if (columns) return { ...row, ...sealedColumns(row, columns, (sealed) => vault.open(sealed)) };
  if (table !== 'mailbox_gift') return row;
  const mailbox = mailboxes.get(String(row['mailbox_hmac']));
  return mailbox === undefined ? row : { ...row, mailbox };
}

async function* rowsOf(
  client: pg.ClientBase,
  select: string,
  { familyId, order }: { familyId: number; order?: string },
): AsyncGenerator<Row> {
  const sorted = order === undefined ? select : `${select} ORDER BY ${order}`;
  await client.query(
    `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS row FROM (${sorted}) AS r`.replaceAll(
      '$1',
      String(familyId),
    ),
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${FETCH} FROM rows`);
    for (const { row } of rows) yield JSON.parse(row) as Row;
    if (rows.length < FETCH) break;
  }
  await client.query('CLOSE rows');
}

export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('BEGIN');
    const done = await work(client);
    await client.query('COMMIT');
    failed = false;
    return done;
  } finally {
    // Closing the connection rolls back.
    client.release(failed);
  }
}
