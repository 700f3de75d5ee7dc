/** The gateways that stand here. */
export const GATEWAYS = ['alipay', 'wechat', 'lianlian'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** One payment as its gateway knows it. Money in fen, times in ms since 1970. Rows are never changed in place. */
export interface Trade {
  readonly gateway: GatewayName;
  /** The merchant's number. */
  readonly orderNo: string;
  /** The gateway's number. */
  readonly tradeNo: string;
  readonly wallet: 'alipay' | 'wechat';
  readonly subject: string;
  readonly amount: number;
  readonly notifyUrl: string | null;
  readonly returnUrl: string | null;
  readonly createdAt: number;
  /** Until when it may be paid. */
  readonly expiresAt: number | null;
  readonly state: TradeState;
  readonly paidAt: number | null;
  readonly closedAt: number | null;
  /** All that may not differ when the same number is sent again. */
  readonly terms: string;
  /** What the merchant gets back as it was sent, by the gateway's own field names. */
  readonly echo: Readonly<Record<string, string>>;
  readonly refunds: readonly Refund[];
  readonly notifications: readonly Notification[];
}

export type TradeState = 'waiting' | 'paid' | 'closed';

/** Money given back. `no` is the merchant's number, `refundNo` the gateway's. */
export interface Refund {
  readonly no: string;
  readonly refundNo: string;
  readonly amount: number;
  readonly reason: string;
  readonly notifyUrl: string | null;
  readonly at: number;
}

export type TradeEvent = 'paid' | 'refunded' | 'closed';

/** A message to the merchant, until it is answered as the gateway demands or the schedule ends. */
export interface Notification {
  readonly id: string;
  readonly event: TradeEvent;
  readonly url: string;
  /** The refund it is about. */
  readonly refund: string | null;
  readonly createdAt: number;
  /** When it is sent next; null when it never will be. */
  readonly dueAt: number | null;
  /** `withheld`: a switch says that it is never sent. */
  readonly state: 'pending' | 'delivered' | 'given-up' | 'withheld';
  readonly tries: readonly Try[];
  /** How often it came to its turn: a switch may make two tries of one turn. */
  readonly turns: number;
}

/** One delivery and the merchant's answer to it; `status` null when there was none. */
export interface Try {
  readonly at: number;
  readonly status: number | null;
  readonly answer: string;
  /** Switches that it met. */
  readonly faults: readonly string[];
}

/** fen given back so far */
export function refunded(trade: Trade): number {
  return trade.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

/** True when its time is over and nobody paid. */
export function isExpired(trade: Trade, now = Date.now()): boolean {
  return trade.state === 'waiting' && trade.expiresAt !== null && trade.expiresAt <= now;
}
