import pg from 'pg';
import { z } from 'zod';

/** Columns of an order that begin anew: whether it was paid is for the gateway to say. */
const ANEW = { pay_status: 'W', paid_by: null, paid_at: null, group_before: null, asked: 0 };

const orderSchema = z.object({
  no: z.string(),
  /** The row without its id. */
  row: z.record(z.string(), z.unknown()),
  isRefunded: z.boolean(),
});

const refundSchema = z.object({ orderNo: z.string(), refundNo: z.string(), amount: z.coerce.number().int() });

/** What happened with money after the moment of a restore, which the restored database does not know. */
export const gapSchema = z.object({ orders: z.array(orderSchema), refunds: z.array(refundSchema) });
export type Gap = z.output<typeof gapSchema>;

/** Reads it in the discarded state. Raw SQL: a past schema has no entities. */
export async function readGap(connection: pg.ClientConfig, since: Date): Promise<Gap> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows: orders } = await client.query<Gap['orders'][number]>(
      `SELECT o.no, to_jsonb(o) - 'id' AS row,
         EXISTS (SELECT FROM payment p WHERE p.order_id = o.id AND p.refund_state IS NOT NULL) AS "isRefunded"
       FROM recharge_order o WHERE o.created_at > $1 ORDER BY o.id`,
      [since],
    );
    const { rows: refunds } = await client.query<Gap['refunds'][number]>(
      `SELECT o.no AS "orderNo", p.refund_no AS "refundNo", p.refund_amount AS amount
       FROM payment p JOIN recharge_order o ON o.id = p.order_id
       WHERE p.refund_state = 'done' AND p.refunded_at > $1 AND o.created_at <= $1 ORDER BY p.id`,
      [since],
    );
    return gapSchema.parse({ orders, refunds });
  } finally {
    await client.end();
  }
}

export type Taken = {
  /** Orders that are there again, open. */
  again: string[];
  /** Refunded, or of a member or a price that is not there: for a person to decide. */
  left: string[];
};

/** Enters the orders of the gap again as unpaid, under their numbers, so that their gateways can be asked. May be repeated. */
export async function takeGapOrders(connection: pg.ClientConfig, gap: Gap): Promise<Taken> {
  const client = new pg.Client(connection);
  await client.connect();
  const taken: Taken = { again: [], left: [] };
  try {
    for (const { no, row, isRefunded } of gap.orders) {
      const { rowCount } = await client.query('SELECT FROM recharge_order WHERE no = $1', [no]);
      if (rowCount) continue;
      (!isRefunded && (await enter(client, row)) ? taken.again : taken.left).push(no);
    }
  } finally {
    await client.end();
  }
  return taken;
}

const FOREIGN_KEY = '23503';

async function enter(client: pg.Client, row: Readonly<Record<string, unknown>>): Promise<boolean> {
  const columns = Object.keys(row)
    .map((name) => pg.escapeIdentifier(name))
    .join(', ');
  try {
    await client.query(
      `WITH entered AS (INSERT INTO recharge_order (${columns})
         SELECT ${columns} FROM jsonb_populate_record(NULL::recharge_order, $1) RETURNING id, family_id, created_at)
       INSERT INTO order_event (order_id, family_id, event, happened_at) SELECT id, family_id, 'created', created_at FROM entered`,
      [JSON.stringify({ ...row, ...ANEW })],
    );
    return true;
  } catch (error) {
    // Its member registered, or its price was set, after the moment of the restore.
    if (error instanceof Error && 'code' in error && error.code === FOREIGN_KEY) return false;
    throw error;
  }
}
