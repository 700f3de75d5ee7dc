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

const EVERY_ORDERS = 5_000;

/**
 * Proves every order of these accounts against the entries and payments that name it, and answers how many there are. The connections
 * see one moment and are free. `mayGoOn` throws when the audit is to end.
 */
export async function auditOrders(
  [first, second, third]: readonly pg.PoolClient[],
  { userIds }: Scope,
  { findings, mayGoOn }: { findings: Findings; mayGoOn: () => void },
): Promise<number> {
  const scope: Scope = userIds ? { userIds } : {};
  if (!first || !second || !third) throw new Error('orders are read over three connections');
  // A few accounts' orders are found by the account, and then put into their order.
  if (userIds) for (const client of [first, second, third]) await client.query('SET LOCAL enable_sort = on');
  const orphan = (left: OrderEntry | StoredPayment): void => addOrphan(findings, left);
  const orders = await openOrders(first, scope);
  const entries = new ByOrder(await openOrderEntries(second, scope), orderEntryFrom, orphan);
  const payments = new ByOrder(await openPayments(third, scope), paymentFrom, orphan);
  let count = 0;
  for (; orders.live; orders.next() || (await orders.fill())) {
    if (count++ % EVERY_ORDERS === 0) mayGoOn();
    const order = orderFrom(orders);
    const papers = { entries: await entries.of(order.id), payments: await payments.of(order.id) };
    for (const wrong of orderDifferences(order, papers)) addOrder(findings, order, wrong);
    if (findings.full) break;
  }
  await entries.of(Number.POSITIVE_INFINITY);
  await payments.of(Number.POSITIVE_INFINITY);
  while (orders.live) if (!orders.next()) await orders.fill();
  return count;
}

function addOrder(findings: Findings, { id, no, userId }: StoredOrder, { seq, ...wrong }: OrderDifference): void {
  // An entry that has been named already, or that is not there any more, explains its order.
  const causes = seq === null ? [about.missing(userId)] : [about.entry(userId, seq)];
  findings.add({ ...wrong, userId, seq, field: `order ${no}: ${wrong.field}` }, [about.order(id)], causes);
}

/** An entry or a payment of an order that is not there, or not the account's. */
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

/** Rows that come in the order of the orders that they name. */
class ByOrder<T extends { orderId: number }> {
  constructor(
    private readonly rows: CopyRows,
    private readonly make: (rows: CopyRows) => T,
    private readonly onPassed: (row: T) => void,
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
      else this.onPassed(row);
    }
    return found;
  }
}
