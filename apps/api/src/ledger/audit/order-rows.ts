import { billingModeOf, type Difference } from '@yiqiao/domain/ledger';
import type { OrderChannel, PayStatus } from '@yiqiao/domain/orders';
import type { BillingMode } from '@yiqiao/domain/plans';
import type pg from 'pg';
import { priceAtSql } from '../rows/price-at.js';
import { within, type Scope } from './audit-rows.js';
import { CopyRows } from './copy-rows.js';

/** The columns of an order that the audit needs. `num` and the gifts are per unit; amounts in fen. */
export type StoredOrder = {
  id: number;
  no: string;
  userId: number;
  payChannel: OrderChannel;
  payStatus: PayStatus;
  amount: number;
  memberGroupId: number;
  billingMode: BillingMode | null;
  num: number;
  voiceNum: number;
  imageNum: number;
  salesNum: number;
  /** Micro-yuan per character through the reference channel, by the snapshot. */
  referencePrice: number;
  paidBy: number | null;
  /** Nothing can be returned to a closed account. */
  memberClosed: boolean;
  /** The first copied field that differs from the plan version or the price list. */
  snapshot: Difference | null;
};

/** An entry with an order id. */
export type OrderEntry = {
  orderId: number;
  userId: number;
  seq: number;
  type: number;
  amount: number;
  charChange: number;
  minChange: number;
  voiceChange: number;
  imageChange: number;
  memberGroupId: number | null;
  cmdId: string;
  /** Micro-yuan per character through the account's channel at the time; 0 if unknown. */
  charPrice: number;
  /** The account's channel and billing mode at the time. */
  tariff: string;
};

export type StoredPayment = {
  orderId: number;
  id: number;
  gateway: string;
  tradeNo: string;
  amount: number;
  currency: string;
  verdict: string;
  /** Empty without a refund. */
  refundState: string;
  refundCmd: string | null;
  /** fen: of the last refund, and of the earlier ones, without those made after the account was closed. */
  refundAmount: number;
  refundedBefore: number;
  /** One of them was made in the gateway’s console. */
  refundedByGateway: boolean;
};

const COPIED = {
  memberGroupId: 'member_group_id',
  billingMode: 'billing_mode',
  num: 'num',
  voiceNum: 'voice_num',
  imageNum: 'image_num',
  minutePrice: 'minute_price',
  salePrice: 'sale_price',
  tranChannelId: 'tran_channel_id',
  referenceChannelId: 'reference_channel_id',
};
const copied = (table: string): string[] => Object.values(COPIED).map((column) => `${table}.${column}`);

// Empty if everything matches the plan version. Older orders got their version from a migration. The reference price was read shortly before
// the order was stored.
const SNAPSHOT = `
CASE WHEN o.created_at < (SELECT executed_at FROM mikro_orm_migrations WHERE name = '0009-price-versions') THEN ''
  WHEN (${copied('o').join(', ')}, o.amount) IS DISTINCT FROM (${copied('v').join(', ')}, v.sale_price * o.sales_num) THEN (
    SELECT concat_ws('|', field, coalesce(expected, 'none'), coalesce(found, 'none'))
    FROM (VALUES ${Object.entries(COPIED)
      .map(([field, column]) => `('${field}', v.${column}::text, o.${column}::text)`)
      .join(', ')}, ('amount', (v.sale_price * o.sales_num)::text, o.amount::text)) AS pairs (field, expected, found)
    WHERE expected IS DISTINCT FROM found LIMIT 1)
  WHEN NOT EXISTS (SELECT 1 FROM channel_price p WHERE p.tran_channel_id = o.reference_channel_id AND p.price = o.reference_price
    AND p.effective_at <= o.created_at) THEN concat('referencePrice|a price of channel ', o.reference_channel_id, '|', o.reference_price)
  ELSE '' END`;

function differenceOf(text: string): Difference | null {
  const [field = '', expected = '', found = ''] = text.split('|');
  return text === '' ? null : { field: `snapshot: ${field}`, expected, found };
}

// By id, like the two below: the three are read in parallel, each in index order.
const ordersOf = (scope: Scope): string => `
SELECT o.id, o.no, o.user_id, o.pay_channel, o.pay_status::text, o.amount, o.member_group_id, o.billing_mode, o.num, o.voice_num, o.image_num,
  o.sales_num, o.paid_by, (m.closed_at IS NOT NULL)::int, o.reference_price, ${SNAPSHOT}
FROM recharge_order o LEFT JOIN member m ON m.id = o.user_id LEFT JOIN plan_version v ON v.id = o.plan_version_id
WHERE ${within(scope, 'o.user_id')} ORDER BY o.id`;

export const openOrders = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, ordersOf(scope), 16);

export const orderFrom = (rows: CopyRows): StoredOrder => ({
  id: rows.int(0),
  no: rows.text(1),
  userId: rows.int(2),
  payChannel: rows.text(3) as OrderChannel,
  payStatus: rows.text(4) as PayStatus,
  amount: rows.int(5),
  memberGroupId: rows.int(6),
  billingMode: billingModeOf(rows.int(7)),
  num: rows.int(8),
  voiceNum: rows.int(9),
  imageNum: rows.int(10),
  salesNum: rows.int(11),
  paidBy: rows.intOrNull(12),
  memberClosed: rows.int(13) === 1,
  referencePrice: rows.int(14),
  snapshot: differenceOf(rows.text(15)),
});

const orderEntriesOf = (scope: Scope): string => `
SELECT order_id, user_id, seq, log_type, amount, char_change, min_change, voice_change, image_change, member_group_id, cmd_id,
  coalesce(${priceAtSql('e.last_tran_channel_id', 'e.created_at')}, 0),
  concat(last_tran_channel_id, ':', last_billing_mode)
FROM account_log e WHERE order_id IS NOT NULL AND ${within(scope, 'user_id')} ORDER BY order_id, user_id, seq`;

export const openOrderEntries = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, orderEntriesOf(scope), 13);

export const orderEntryFrom = (rows: CopyRows): OrderEntry => ({
  orderId: rows.int(0),
  userId: rows.int(1),
  seq: rows.int(2),
  type: rows.int(3),
  amount: rows.int(4),
  charChange: rows.int(5),
  minChange: rows.int(6),
  voiceChange: rows.int(7),
  imageChange: rows.int(8),
  memberGroupId: rows.intOrNull(9),
  cmdId: rows.uuid(10),
  charPrice: rows.int(11),
  tariff: rows.text(12),
});

const paymentsOf = (scope: Scope): string => `
SELECT p.order_id, p.id, p.gateway, p.trade_no, p.amount, p.currency, p.verdict, coalesce(p.refund_state, ''), p.refund_cmd,
  coalesce(p.refund_amount, p.amount), p.refunded_before - coalesce((
    SELECT sum(e.amount) FROM earlier_refund e JOIN recharge_order r ON r.id = p.order_id JOIN member m ON m.id = r.user_id
    WHERE e.payment_id = p.id AND e.source = 'gateway' AND m.closed_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM account_log l WHERE l.cmd_id = e.cmd_id AND l.user_id = r.user_id)), 0)::bigint,
  (coalesce(p.refund_source, '') = 'gateway' OR EXISTS (
    SELECT 1 FROM earlier_refund e WHERE e.payment_id = p.id AND e.source = 'gateway'))::int
FROM payment p ${scope.userIds ? 'JOIN recharge_order o ON o.id = p.order_id' : ''}
WHERE ${scope.userIds ? within(scope, 'o.user_id') : 'true'} ORDER BY p.order_id`;

export const openPayments = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, paymentsOf(scope), 12);

export const paymentFrom = (rows: CopyRows): StoredPayment => ({
  orderId: rows.int(0),
  id: rows.int(1),
  gateway: rows.text(2),
  tradeNo: rows.text(3),
  amount: rows.int(4),
  currency: rows.text(5),
  verdict: rows.text(6),
  refundState: rows.text(7),
  refundCmd: rows.isNull(8) ? null : rows.uuid(8),
  refundAmount: rows.int(9),
  refundedBefore: rows.int(10),
  refundedByGateway: rows.int(11) === 1,
});
