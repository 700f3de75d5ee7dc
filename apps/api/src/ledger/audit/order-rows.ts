import { billingModeOf } from '@yiqiao/domain/ledger';
import type { OrderChannel, PayStatus } from '@yiqiao/domain/orders';
import type { BillingMode } from '@yiqiao/domain/plans';
import type pg from 'pg';
import { within, type Scope } from './audit-rows.js';
import { CopyRows } from './copy-rows.js';

/** An order as far as the ledger is concerned. `num` and the gifts are of one unit; amounts in fen. */
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
  paidBy: number | null;
  /** Nothing can be given back to an account that was closed. */
  memberClosed: boolean;
};

/** An entry that names an order. */
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
};

export type StoredPayment = {
  orderId: number;
  id: number;
  gateway: string;
  tradeNo: string;
  amount: number;
  currency: string;
  verdict: string;
  /** Empty while nothing is given back. */
  refundState: string;
  refundCmd: string | null;
};

// By id, as are the two below: the three are read side by side, each in the order of an index.
const ordersOf = (scope: Scope): string => `
SELECT o.id, o.no, o.user_id, o.pay_channel, o.pay_status::text, o.amount, o.member_group_id, o.billing_mode, o.num, o.voice_num, o.image_num,
  o.sales_num, o.paid_by, (m.closed_at IS NOT NULL)::int
FROM recharge_order o LEFT JOIN member m ON m.id = o.user_id
WHERE ${within(scope, 'o.user_id')} ORDER BY o.id`;

export const openOrders = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, ordersOf(scope), 14);

export const orderFrom = (rows: CopyRows): StoredOrder => ({
  ...{ id: rows.int(0), no: rows.text(1), userId: rows.int(2) },
  ...{ payChannel: rows.text(3) as OrderChannel, payStatus: rows.text(4) as PayStatus, amount: rows.int(5) },
  ...{ memberGroupId: rows.int(6), billingMode: billingModeOf(rows.int(7)), num: rows.int(8) },
  ...{ voiceNum: rows.int(9), imageNum: rows.int(10), salesNum: rows.int(11) },
  ...{ paidBy: rows.intOrNull(12), memberClosed: rows.int(13) === 1 },
});

const orderEntriesOf = (scope: Scope): string => `
SELECT order_id, user_id, seq, log_type, amount, char_change, min_change, voice_change, image_change, member_group_id, cmd_id
FROM account_log WHERE order_id IS NOT NULL AND ${within(scope, 'user_id')} ORDER BY order_id, user_id, seq`;

export const openOrderEntries = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, orderEntriesOf(scope), 11);

export const orderEntryFrom = (rows: CopyRows): OrderEntry => ({
  ...{ orderId: rows.int(0), userId: rows.int(1), seq: rows.int(2), type: rows.int(3), amount: rows.int(4) },
  ...{ charChange: rows.int(5), minChange: rows.int(6), voiceChange: rows.int(7), imageChange: rows.int(8) },
  ...{ memberGroupId: rows.intOrNull(9), cmdId: rows.uuid(10) },
});

const paymentsOf = (scope: Scope): string => `
SELECT p.order_id, p.id, p.gateway, p.trade_no, p.amount, p.currency, p.verdict, coalesce(p.refund_state, ''), p.refund_cmd
FROM payment p ${scope.userIds ? 'JOIN recharge_order o ON o.id = p.order_id' : ''}
WHERE ${scope.userIds ? within(scope, 'o.user_id') : 'true'} ORDER BY p.order_id`;

export const openPayments = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, paymentsOf(scope), 9);

export const paymentFrom = (rows: CopyRows): StoredPayment => ({
  ...{ orderId: rows.int(0), id: rows.int(1), gateway: rows.text(2), tradeNo: rows.text(3), amount: rows.int(4) },
  ...{ currency: rows.text(5), verdict: rows.text(6), refundState: rows.text(7) },
  refundCmd: rows.isNull(8) ? null : rows.uuid(8),
});
