import type pg from 'pg';
import type { Scope } from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { about, type Findings } from './findings.js';
import { orderDifferences, type OrderDifference } from './order-difference.js';
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

const ORDERS_PER_CHECK = 5_000;

/**
 * Checks every order of these accounts against its entries and payments and returns the number of orders. The connections share a snapshot
 * and are idle. `mayGoOn` throws to end the audit.
 */
export async function auditOrders(
  [first, second, third]: readonly pg.PoolClient[],
  { userIds }: Scope,
  { findings, mayGoOn }: { findings: Findings; mayGoOn: () => void },
): Promise<number> {
  const scope: Scope = userIds ? { userIds } : {};
  if (!first || !second || !third) throw new Error('orders are read over three connections');
  // The orders of a few accounts are found by account and then sorted.
  if (userIds) for (const client of [first, second, third]) await client.query('SET LOCAL enable_sort = on');
  const orphan = (left: OrderEntry | StoredPayment): void => addOrphan(findings, left);
  const orders = await openOrders(first, scope);
  const entries = new ByOrder(await openOrderEntries(second, scope), orderEntryFrom, orphan);
  const payments = new ByOrder(await openPayments(third, scope), paymentFrom, orphan);
  let count = 0;
  for (; orders.live; orders.next() || (await orders.fill())) {
    if (count++ % ORDERS_PER_CHECK === 0) mayGoOn();
    const order = orderFrom(orders);
    const records = { entries: await entries.of(order.id), payments: await payments.of(order.id) };
    for (const wrong of orderDifferences(order, records)) addOrder(findings, order, wrong);
    if (findings.full) break;
  }
  await entries.of(Number.POSITIVE_INFINITY);
  await payments.of(Number.POSITIVE_INFINITY);
  while (orders.live) if (!orders.next()) await orders.fill();
  return count;
}

function addOrder(findings: Findings, { id, no, userId }: StoredOrder, { seq, ...wrong }: OrderDifference): void {
  // An entry that was already found altered or missing explains its order.
  const causes = seq === null ? [about.missing(userId)] : [about.entry(userId, seq)];
  findings.add({ ...wrong, userId, seq, field: `order ${no}: ${wrong.field}` }, [about.order(id)], causes);
}

/** An entry or a payment whose order is missing or belongs to another account. */
function addOrphan(findings: Findings, left: OrderEntry | StoredPayment): void {
  const none = { expected: 'an order', found: 'none' };
  const topics = [about.order(left.orderId)];
  if ('seq' in left) {
    const { userId, seq, orderId } = left;
    findings.add({ userId, seq, field: `order ${orderId} of the entry`, ...none }, topics, [about.entry(userId, seq)]);
    return;
  }
  const field = `order ${left.orderId} of payment ${left.gateway} ${left.tradeNo}`;
  findings.add({ userId: 0, seq: null, field, ...none }, topics);
}

/** Rows sorted by order id. */
class ByOrder<T extends { orderId: number }> {
  constructor(
    private readonly rows: CopyRows,
    private readonly make: (rows: CopyRows) => T,
    private readonly onOrphan: (row: T) => void,
  ) {}

  /** The rows of this order; rows of earlier orders are orphans. */
  async of(orderId: number): Promise<T[]> {
    const found: T[] = [];
    const { rows } = this;
    for (; rows.live; rows.next() || (await rows.fill())) {
      const named = rows.int(0);
      if (named > orderId) break;
      const row = this.make(rows);
      if (named === orderId) found.push(row);
      else this.onOrphan(row);
    }
    return found;
  }
}
