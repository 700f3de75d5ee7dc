import type pg from 'pg';
import type { Scope } from './audit-rows.js';
import type { CopyRows } from './copy-rows.js';
import { about, type Findings } from './findings.js';
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
import { purchased } from '@yiqiao/domain/conversion';
import { ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { differ, differs } from './entry-replay.js';

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

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_ADJUST } = ENTRY_TYPES;

/** The records of one order. */
type OrderRecords = { entries: readonly OrderEntry[]; payments: readonly StoredPayment[] };

/** A difference at an entry, or at the order itself. */
type OrderDifference = Difference & { seq: number | null };

/** Refund states in which quota was taken back. */
const TAKEN_BACK = ['started', 'done'];

type Quantities = Pick<OrderEntry, 'amount' | 'charChange' | 'minChange' | 'voiceChange' | 'imageChange'>;
const FIELDS = ['amount', 'charChange', 'minChange', 'voiceChange', 'imageChange'] as const;

/**
 * Checks an order against its entries and payments (decisions §5): a paid order has one credited payment and one recharge of exactly what
 * was bought; a refund has taken back its share; any other order has neither.
 */
function orderDifferences(order: StoredOrder, records: OrderRecords): OrderDifference[] {
  const bought = boughtWith(order, records);
  return [
    rechargeDifference(order, records, bought),
    paymentDifference(order, records),
    refundDifference(order, records, bought),
    order.snapshot && at(undefined, order.snapshot),
  ].filter((wrong) => wrong !== null);
}

/** The expected recharge of this order, at the price of the account's channel at the time. */
function boughtWith(order: StoredOrder, { entries }: OrderRecords): Quantities {
  const { memberGroupId, amount, billingMode, num, referencePrice, voiceNum, imageNum, salesNum: quantity } = order;
  const recharge = entries.find(({ type }) => type === RECHARGE_ORDER_BY_MEMBER_GROUP.code);
  const purchase = {
    memberGroupId,
    billingMode: billingMode ?? 'char',
    num,
    referencePrice,
    voiceNum,
    imageNum,
    quantity,
  };
  const where = { expireAt: null, charPrice: Math.max(1, recharge?.charPrice ?? referencePrice) };
  const { charChange = 0, minChange = 0, voiceChange = 0, imageChange = 0 } = purchased(purchase, where, 0);
  return { amount, charChange, minChange, voiceChange, imageChange };
}

function rechargeDifference(order: StoredOrder, { entries }: OrderRecords, bought: Quantities): OrderDifference | null {
  const recharges = entries.filter(({ type }) => type === RECHARGE_ORDER_BY_MEMBER_GROUP.code);
  const expected = order.payStatus === 'P' ? 1 : 0;
  const [recharge] = recharges;
  if (recharges.length !== expected)
    return at(recharge, differs(`recharges of an order that is ${order.payStatus}`, expected, recharges.length));
  if (!recharge) return null;
  const wrong =
    differ('account of the recharge', order.userId, recharge.userId) ??
    sameQuantities('recharge', bought, recharge) ??
    differ('recharge: memberGroupId', order.memberGroupId, recharge.memberGroupId);
  return wrong && at(recharge, wrong);
}

function paymentDifference(
  { payChannel, payStatus, amount, paidBy }: StoredOrder,
  records: OrderRecords,
): OrderDifference | null {
  const credited = records.payments.filter(({ verdict }) => verdict === 'credit');
  const expected = payStatus === 'P' ? 1 : 0;
  if (credited.length !== expected)
    return at(undefined, differs(`credited payments of an order that is ${payStatus}`, expected, credited.length));
  const [payment] = credited;
  if (!payment) return paidBy === null ? null : at(undefined, differs('paidBy', null, paidBy));
  const of = `payment ${payment.gateway} ${payment.tradeNo}`;
  const wrong =
    differ('paidBy', payment.id, paidBy) ??
    differ(`${of}: gateway`, PAY_CHANNELS[payChannel].gateway, payment.gateway) ??
    differ(`${of}: amount`, amount, payment.amount) ??
    differ(`${of}: currency`, 'CNY', payment.currency);
  return wrong && at(undefined, wrong);
}

/**
 * The quota taken back must match the refunded money, and must not exceed its share of the purchase (docs/decisions/0043). A refund that
 * the gateway refused returned what it had taken, unless the account was closed by then.
 */
function refundDifference(
  order: StoredOrder,
  { entries, payments }: OrderRecords,
  bought: Quantities,
): OrderDifference | null {
  const strange = entries.find(({ type }) => type !== RECHARGE_ORDER_BY_MEMBER_GROUP.code && type !== SYS_ADJUST.code);
  if (strange)
    return at(strange, differs('type of an entry of the order', 'a recharge or an adjustment', strange.type));
  const adjusted = entries.filter(({ type }) => type === SYS_ADJUST.code);
  const stranger = adjusted.find(({ userId }) => userId !== order.userId);
  if (stranger) return at(stranger, differs('account of the refund', order.userId, stranger.userId));
  const payment = payments.find(({ verdict }) => verdict === 'credit');
  const state = payment?.refundState ?? '';
  const last = adjusted.at(-1);
  const lost = state === 'refused' && order.memberClosed && isOpen(adjusted, payment?.refundCmd);
  // If the account was deleted before the gateway's refund, there is no entry.
  const unseen =
    payment?.refundedByGateway === true &&
    order.memberClosed &&
    !adjusted.some(({ cmdId }) => cmdId === payment.refundCmd);
  const taken = (TAKEN_BACK.includes(state) && !unseen) || lost;
  const money = state === '' ? 0 : (payment?.refundedBefore ?? 0) + (taken ? (payment?.refundAmount ?? 0) : 0);
  const label = `taken back for a refund that is ${state || 'not there'}`;
  const sum = sumOf(adjusted);
  const wrong = differ(`${label}: amount`, 0 - money, sum.amount);
  if (wrong) return at(last, wrong);
  if (taken && !adjusted.some(({ cmdId }) => cmdId === payment?.refundCmd))
    return at(last, differs('command of the refund', payment?.refundCmd ?? 'one', last?.cmdId ?? 'none'));
  const share = shareDifference(
    label,
    { sum, bought, money, count: adjusted.length },
    {
      isConverted: new Set(entries.map(({ tariff }) => tariff)).size > 1,
      byGateway: payment?.refundedByGateway ?? false,
    },
  );
  return share && at(last, share);
}

/** Whether the quota taken by refund `cmdId` was not returned: then it is the order's last adjustment. */
const isOpen = (adjusted: readonly OrderEntry[], cmdId: string | null | undefined): boolean =>
  adjusted.at(-1)?.cmdId === cmdId;

/** Tolerance for rounding in conversions, in characters or minutes. */
const ROUNDING = 8;

/** Compares quantities with money. After a conversion their units differ, and the audit of the account covers them. */
function shareDifference(
  label: string,
  { sum, bought, money, count }: { sum: Quantities; bought: Quantities; money: number; count: number },
  { isConverted, byGateway }: { isConverted: boolean; byGateway: boolean },
): Difference | null {
  const fields = isConverted ? (['voiceChange', 'imageChange'] as const) : FIELDS;
  for (const field of fields) {
    const [most, found] = [bought[field], 0 - sum[field]];
    if (found < 0 || found > most) return differs(`${label}: ${field}`, money === 0 ? 0 : `0 … -${most}`, sum[field]);
  }
  if (isConverted) return null;
  const field = bought.minChange > 0 ? 'minChange' : 'charChange';
  const [all, found] = [BigInt(bought[field]), BigInt(0 - sum[field])];
  const [paid, back, times] = [BigInt(bought.amount), BigInt(money), BigInt(count)];
  // Each refund rounds its money down; one made at the gateway rounds its quota up.
  const tooMuch = found * paid > (back + times) * all + times * paid;
  const tooLittle = !byGateway && back * all > paid * (found + BigInt(ROUNDING));
  if (!tooMuch && !tooLittle) return null;
  return differs(`${label}: ${field}`, `the share of ${money} of ${bought.amount}`, sum[field]);
}

function sameQuantities(of: string, expected: Quantities, found: Quantities): Difference | null {
  for (const field of FIELDS) {
    const wrong = differ(`${of}: ${field}`, expected[field], found[field]);
    if (wrong) return wrong;
  }
  return null;
}

const of = (value: (field: (typeof FIELDS)[number]) => number): Quantities =>
  Object.fromEntries(FIELDS.map((field) => [field, value(field)])) as Quantities;
const sumOf = (all: readonly Quantities[]): Quantities =>
  of((field) => all.reduce((sum, quantities) => sum + quantities[field], 0));

const at = (entry: OrderEntry | undefined, wrong: Difference): OrderDifference => ({
  ...wrong,
  seq: entry?.seq ?? null,
});
