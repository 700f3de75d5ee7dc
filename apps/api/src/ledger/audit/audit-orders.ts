import type pg from 'pg';
import type { LedgerDifference } from './audit-account.js';
import type { Scope } from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { orderDifference } from './order-difference.js';
import {
  openOrderEntries,
  openOrders,
  openPayments,
  orderEntryFrom,
  orderFrom,
  paymentFrom,
  type OrderEntry,
  type StoredOrder,
  type StoredPayment,
} from './order-rows.js';

export type AuditedOrders = { orders: number; difference: LedgerDifference | null };

const EVERY_ORDERS = 5_000;

/**
 * Proves every order of these accounts against the entries and payments that name it, and stops at the first difference. The
 * connections see one moment and are free. `mayGoOn` throws when the audit is to end.
 */
export async function auditOrders(
  [first, second, third]: readonly [pg.PoolClient, pg.PoolClient, pg.PoolClient, ...pg.PoolClient[]],
  { userIds }: Scope,
  mayGoOn: () => void,
): Promise<AuditedOrders> {
  const scope: Scope = userIds ? { userIds } : {};
  // A few accounts' orders are found by the account, and then put into their order.
  if (userIds) for (const client of [first, second, third]) await client.query('SET LOCAL enable_sort = on');
  const orders = await openOrders(first, scope);
  const entries = new ByOrder(await openOrderEntries(second, scope), orderEntryFrom);
  const payments = new ByOrder(await openPayments(third, scope), paymentFrom);
  const result: AuditedOrders = { orders: 0, difference: null };
  for (; orders.live; orders.next() || (await orders.fill())) {
    if (result.orders % EVERY_ORDERS === 0) mayGoOn();
    const order = orderFrom(orders);
    const papers = { entries: await entries.of(order.id), payments: await payments.of(order.id) };
    result.difference = orphan(entries.left ?? payments.left) ?? named(order, orderDifference(order, papers));
    if (result.difference) return result;
    result.orders++;
  }
  await entries.of(Number.POSITIVE_INFINITY);
  await payments.of(Number.POSITIVE_INFINITY);
  result.difference = orphan(entries.left ?? payments.left);
  return result;
}

const named = ({ no, userId }: StoredOrder, wrong: ReturnType<typeof orderDifference>): LedgerDifference | null =>
  wrong && { ...wrong, userId, field: `order ${no}: ${wrong.field}` };

/** An entry or a payment of an order that is not there, or not the account's. */
function orphan(left: OrderEntry | StoredPayment | null): LedgerDifference | null {
  if (!left) return null;
  const none = { expected: 'an order', found: 'none' };
  if ('seq' in left)
    return { userId: left.userId, seq: left.seq, field: `order ${left.orderId} of the entry`, ...none };
  return { userId: 0, seq: null, field: `order ${left.orderId} of payment ${left.gateway} ${left.tradeNo}`, ...none };
}

/** Rows that come in the order of the orders that they name. */
class ByOrder<T extends { orderId: number }> {
  /** The first row that was passed over. */
  left: T | null = null;

  constructor(
    private readonly rows: CopyRows,
    private readonly make: (rows: CopyRows) => T,
  ) {}

  /** The rows of this order; those of orders before it are passed over. */
  async of(orderId: number): Promise<T[]> {
    const found: T[] = [];
    const { rows } = this;
    for (; rows.live; rows.next() || (await rows.fill())) {
      const named = rows.int(0);
      if (named > orderId) break;
      const row = this.make(rows);
      if (named === orderId) found.push(row);
      else this.left ??= row;
    }
    return found;
  }
}
