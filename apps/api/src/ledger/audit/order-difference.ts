import { purchased } from '@yiqiao/domain/conversion';
import { ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { differ, differs } from './entry-fold.js';
import type { OrderEntry, StoredOrder, StoredPayment } from './order-rows.js';

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_ADJUST } = ENTRY_TYPES;

/** What belongs to one order. */
export type OrderPapers = { entries: readonly OrderEntry[]; payments: readonly StoredPayment[] };

/** A difference at an entry, or at the order itself. */
export type OrderDifference = Difference & { seq: number | null };

/** Money was taken back to be refunded, or is on its way. */
const TAKEN_BACK = ['started', 'done'];

type Quantities = Pick<OrderEntry, 'amount' | 'charChange' | 'minChange' | 'voiceChange' | 'imageChange'>;
const FIELDS = ['amount', 'charChange', 'minChange', 'voiceChange', 'imageChange'] as const;

/**
 * An order against what the ledger and its payments say (decisions §5): paid means one payment that was credited and one recharge of
 * just what was bought; a refund means that all of it was taken back; anything else means nothing.
 */
export function orderDifference(order: StoredOrder, papers: OrderPapers): OrderDifference | null {
  const bought = boughtWith(order);
  return (
    rechargeDifference(order, papers, bought) ??
    paymentDifference(order, papers) ??
    refundDifference(order, papers, bought)
  );
}

/** What the recharge of this order says. */
function boughtWith({
  memberGroupId,
  amount,
  billingMode,
  num,
  voiceNum,
  imageNum,
  salesNum,
}: StoredOrder): Quantities {
  const purchase = { memberGroupId, billingMode: billingMode ?? 'char', num, voiceNum, imageNum, quantity: salesNum };
  const { charChange = 0, minChange = 0, voiceChange = 0, imageChange = 0 } = purchased(purchase, null, 0);
  return { amount, charChange, minChange, voiceChange, imageChange };
}

function rechargeDifference(order: StoredOrder, { entries }: OrderPapers, bought: Quantities): OrderDifference | null {
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
  papers: OrderPapers,
): OrderDifference | null {
  const credited = papers.payments.filter(({ verdict }) => verdict === 'credit');
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

/** A refund that the gateway refused gave back what it had taken, unless there was no account any more. */
function refundDifference(
  order: StoredOrder,
  { entries, payments }: OrderPapers,
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
  const lost = state === 'refused' && order.memberClosed && adjusted.length % 2 === 1;
  const taken = TAKEN_BACK.includes(state) || lost;
  const wrong = sameQuantities(
    `taken back for a refund that is ${state || 'not there'}`,
    taken ? negative(bought) : negative(null),
    sumOf(adjusted),
  );
  if (wrong) return at(last, wrong);
  if (!taken || adjusted.some(({ cmdId }) => cmdId === payment?.refundCmd)) return null;
  return at(last, differs('command of the refund', payment?.refundCmd ?? 'one', last?.cmdId ?? 'none'));
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
const negative = (quantities: Quantities | null): Quantities => of((field) => 0 - (quantities?.[field] ?? 0));
const sumOf = (all: readonly Quantities[]): Quantities =>
  of((field) => all.reduce((sum, quantities) => sum + quantities[field], 0));

const at = (entry: OrderEntry | undefined, wrong: Difference): OrderDifference => ({
  ...wrong,
  seq: entry?.seq ?? null,
});
