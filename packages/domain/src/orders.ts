/**
 * Orders and their payments (specification §4, decisions §5). Only a gateway's signed message pays an order; its effect is decided here, in
 * one place, whether it comes late, twice or out of order.
 *
 * Units: amounts are integer fen, times are milliseconds since 1970.
 */

/** Payment gateways. Several pay channels may use one gateway. */
export type Gateway = 'alipay' | 'wechat' | 'lianlian';

/**
 * How a member can pay. `form`: a form that a new tab posts to the gateway · `qr`: a text shown as a QR code · `external`: a third-party
 * page, without an order.
 */
export const PAY_CHANNELS = {
  ALI_NATIVE: { kind: 'form', gateway: 'alipay', zh: '支付宝', en: 'Alipay' },
  WC_NATIVE: { kind: 'qr', gateway: 'wechat', zh: '微信支付', en: 'WeChat Pay' },
  ALI_LIAN: { kind: 'qr', gateway: 'lianlian', zh: '支付宝（连连）', en: 'Alipay (LianLian)' },
  WC_LIAN: { kind: 'qr', gateway: 'lianlian', zh: '微信支付（连连）', en: 'WeChat Pay (LianLian)' },
  USDT: { kind: 'external', gateway: null, zh: 'USDT', en: 'USDT' },
} as const satisfies Record<
  string,
  { kind: 'form' | 'qr' | 'external'; gateway: Gateway | null; zh: string; en: string }
>;

export type PayChannel = keyof typeof PAY_CHANNELS;
/** The channels that an order can be paid through: USDT makes no order. */
export type OrderChannel = Exclude<PayChannel, 'USDT'>;

/** W awaiting payment · P paid · T timed out · C cancelled (specification §4). */
export const PAY_STATUSES = {
  W: { zh: '待支付', en: 'Awaiting payment' },
  P: { zh: '已支付', en: 'Paid' },
  T: { zh: '已超时关闭', en: 'Timed out' },
  C: { zh: '已取消', en: 'Canceled' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type PayStatus = keyof typeof PAY_STATUSES;

/** The events of an order's timeline. */
export const ORDER_EVENTS = {
  created: { zh: '创建订单', en: 'Order placed' },
  shown: { zh: '已展示付款码', en: 'Payment code shown' },
  notified: { zh: '支付网关通知已付款', en: 'The gateway reported the payment' },
  queried: { zh: '向支付网关查询，确认已付款', en: 'The gateway confirmed the payment when asked' },
  credited: { zh: '额度到账', en: 'Quota credited' },
  cancelled: { zh: '已取消', en: 'Canceled' },
  timedOut: { zh: '超时关闭', en: 'Closed: timed out' },
  failed: { zh: '支付网关未接受订单', en: 'The gateway did not accept the order' },
  doublePaid: { zh: '重复付款，待退款', en: 'Paid twice, to be refunded' },
  paidAfterLogOff: { zh: '注销后付款，待退款', en: 'Paid after the account was closed, to be refunded' },
  wrongAmount: { zh: '付款金额与订单不符', en: 'The amount paid does not match the order' },
  tooLarge: { zh: '账户容不下该额度，待退款', en: 'More than the account can hold, to be refunded' },
  unanswered: { zh: '支付网关未应答，未能确认关闭', en: 'The gateway did not confirm that the order is closed' },
  refundStarted: { zh: '开始退款', en: 'Refund started' },
  refunded: { zh: '已退款', en: 'Refunded' },
  refundRefused: { zh: '支付网关拒绝退款', en: 'The gateway refused the refund' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type OrderEvent = keyof typeof ORDER_EVENTS;

/** A payment as a gateway reports it under its signature. */
export type Payment = {
  gateway: Gateway;
  /** The gateway's own number of the transaction: one payment, one number. */
  tradeNo: string;
  /** fen */
  amount: number;
  currency: string;
};

/** The state of an order that decides about a payment. `paidBy`: the transaction that paid it. */
export type Payable = {
  amount: number;
  gateway: Gateway;
  payStatus: PayStatus;
  paidBy: string | null;
  /** False once the member has logged off. */
  memberIsThere: boolean;
};

/**
 * The effect of a payment. `credit`: credits the order (also late, after T or C) · `again`: the payment that was credited already · `double`
 * and `afterLogOff`: must be refunded · `wrongAmount`: none, an operator decides.
 */
export type Verdict = 'credit' | 'again' | 'double' | 'afterLogOff' | 'wrongAmount';

/** As stored. `tooLarge`: the account cannot hold the purchase, so the payment must be refunded. */
export type PaymentVerdict = Exclude<Verdict, 'again'> | 'tooLarge';

/** Depends only on the current state of the order (decisions §5). */
export function judge(order: Payable, payment: Payment): Verdict {
  if (payment.gateway !== order.gateway || payment.currency !== 'CNY' || payment.amount !== order.amount)
    return 'wrongAmount';
  if (order.payStatus === 'P') return order.paidBy === payment.tradeNo ? 'again' : 'double';
  return order.memberIsThere ? 'credit' : 'afterLogOff';
}

/** `9900` → `"99.00"`: how Alipay and LianLian write money. Integer arithmetic only; `fen` is a safe integer ≥ 0. */
export const yuanOf = (fen: number): string => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;

/** `"99"`, `"99.5"`, `"99.00"` → fen; null unless it is an amount with at most two decimals. */
export function fenOf(yuan: string): number | null {
  const m = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(yuan);
  return m === null ? null : Number(m[1]) * 100 + Number((m[2] ?? '').padEnd(2, '0'));
}

/**
 * Seconds until the gateway is queried again about an unpaid order, by the number of queries so far: often while the member is paying, then
 * less often, but always within two minutes in case a notification is lost (decisions §5).
 */
export const askAgainAfterSeconds = (asked: number): number => [8, 12, 20, 30, 45, 60][asked] ?? 80;
