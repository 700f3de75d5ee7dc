import type pg from 'pg';
import { CELL_IDS } from '@yiqiao/domain/limits';
import { CommandError } from '../../platform/cli-messages.js';
import type { Row } from './family-file.js';
import type { MovingTable } from './tables.js';

/** Tables whose ids the hashes of the ledger cover, or that refer to each other by them: they keep them. */
export const KEPT_IDS = ['manager', 'member', 'recharge_order', 'payment', 'api_key'] as const;

const cellOf = (id: number): number => Math.floor(id / CELL_IDS);

/** Throws CommandError when one of these rows is here already, or could be given the id of a new one later. */
export async function refuseCollisions(client: pg.ClientBase, table: MovingTable, rows: readonly Row[]): Promise<void> {
  if (table === 'member') await refuseUnknown(client, rows);
  for (const keys of UNIQUE[table] ?? []) {
    const { rows: found } = await client.query<{ what: string }>(
      `SELECT concat_ws(' ', ${keys.map((key) => `t.${key}`).join(', ')}) AS what
       FROM ${table} t JOIN json_populate_recordset(NULL::${table}, $1::json) d USING (${keys.join(', ')}) LIMIT 1`,
      [JSON.stringify(rows)],
    );
    const [taken] = found;
    if (taken)
      throw new CommandError({
        zh: `这里已经有 ${table} ${taken.what}（${keys.join(', ')}），不能导入。各安装的编号区间见 family cell`,
        en: `There is a ${table} ${taken.what} (${keys.join(', ')}) here already, so nothing was imported. family cell gives installations ids of their own.`,
      });
  }
  const kept = KEPT_IDS.find((name) => name === table);
  if (kept !== undefined) await refuseOurRange(client, kept, rows);
}

/** What is unique over all families, and what has ids of its own. A manager of the same id and name is the same one. */
const UNIQUE: Partial<Record<MovingTable, readonly (readonly string[])[]>> = {
  member: [['id'], ['invite_code']],
  identity: [['kind', 'unique_key']],
  recharge_order: [['id'], ['no'], ['pay_cmd']],
  payment: [['id'], ['gateway', 'trade_no']],
  api_key: [['id'], ['digest']],
  manager_action: [['cmd_id']],
  earlier_refund: [['no']],
};

/** An id that the sequence has not given yet would be given to somebody else. */
async function refuseOurRange(
  client: pg.ClientBase,
  table: (typeof KEPT_IDS)[number],
  rows: readonly Row[],
): Promise<void> {
  const { rows: last } = await client.query<{ last: string | null }>(
    `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass), 0) AS last`,
    [table],
  );
  const ours = Number(last[0]?.last ?? 0);
  if (table === 'manager') await refuseOtherManagers(client, rows);
  const clash = rows.map((row) => Number(row['id'])).find((id) => cellOf(id) === cellOf(ours) && id > ours);
  if (clash !== undefined)
    throw new CommandError({
      zh: `${table} ${clash} 在本安装自己的编号区间内，以后会与新编号冲突：先用 family cell <n> 给每个安装不同的区间`,
      en: `${table} ${clash} is within this installation's own ids, so a new one would get it later: give each installation a range with family cell <n> first.`,
    });
}

async function refuseOtherManagers(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
  const { rows: found } = await client.query<{ id: string; name: string }>(
    `SELECT m.id, m.name FROM manager m JOIN json_populate_recordset(NULL::manager, $1::json) d USING (id)
     WHERE m.name <> d.name AND m.name <> concat(d.name, ' (', d.id, ')') LIMIT 1`,
    [JSON.stringify(rows)],
  );
  const [other] = found;
  if (other)
    throw new CommandError({
      zh: `管理员 ${other.id} 在这里是 ${other.name}，在文件里是另一个人：账本的哈希含此编号，不能导入`,
      en: `Manager ${other.id} is ${other.name} here and somebody else in the file. The ledger's hashes cover this id, so nothing was imported.`,
    });
}

/** Plans that members and orders of the file refer to. */
async function refuseUnknown(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => Number(row['member_group_id'])))];
  const { rows: missing } = await client.query<{ id: number }>(
    'SELECT id FROM unnest($1::int[]) AS id WHERE id NOT IN (SELECT id FROM member_group) LIMIT 1',
    [ids],
  );
  const [plan] = missing;
  if (plan) throw new CommandError({ zh: `这里没有套餐 ${plan.id}`, en: `There is no plan ${plan.id} here.` });
}

/**
 * The plan version of this installation that an order was placed at; null for one that is older than the price history here. Throws CommandError when
 * this installation sold something else then.
 */
export async function versionOf(client: pg.ClientBase, order: Row): Promise<number | null> {
  const { rows } = await client.query<{ id: string | null; is_judged: boolean }>(
    `SELECT (SELECT v.id FROM plan_version v
       WHERE (v.member_group_id, v.billing_mode, v.num, v.voice_num, v.image_num, v.minute_price, v.sale_price, v.reference_channel_id)
         = (o.member_group_id, o.billing_mode, o.num, o.voice_num, o.image_num, o.minute_price, o.sale_price, o.reference_channel_id)
         AND v.tran_channel_id IS NOT DISTINCT FROM o.tran_channel_id AND v.effective_at <= o.created_at
         AND EXISTS (SELECT FROM channel_price p WHERE p.tran_channel_id = o.reference_channel_id AND p.price = o.reference_price
           AND p.effective_at <= o.created_at)
       ORDER BY v.effective_at DESC LIMIT 1) AS id,
       o.created_at >= (SELECT executed_at FROM mikro_orm_migrations WHERE name = '0009-price-versions') AS is_judged
     FROM json_populate_record(NULL::recharge_order, $1::json) o`,
    [JSON.stringify(order)],
  );
  const [found] = rows;
  if (found && found.id !== null) return Number(found.id);
  if (!found?.is_judged) return null;
  throw new CommandError({
    zh: `订单 ${String(order['no'])} 按这里当时没有的套餐或价格下单：两处的价目须一致`,
    en: `Order ${String(order['no'])} was placed at a plan or price that this installation did not have then: both need the same price list.`,
  });
}
