import { tradeTime } from './trade-clock.js';

/** The simulated gateways. */
export const GATEWAYS = ['alipay', 'wechat', 'lianlian'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** One payment at a gateway. Money in fen, times in epoch ms. Immutable. */
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
  /** Payment deadline. */
  readonly expiresAt: number | null;
  readonly state: TradeState;
  readonly paidAt: number | null;
  readonly closedAt: number | null;
  /** The fields that must not differ when the same number is sent again. */
  readonly terms: string;
  /** Fields echoed to the merchant, by the gateway's field names. */
  readonly echo: Readonly<Record<string, string>>;
  readonly refunds: readonly Refund[];
  readonly notifications: readonly Notification[];
}

export type TradeState = 'waiting' | 'paid' | 'closed';

/** A refund. `no` is the merchant's number, `refundNo` the gateway's. */
export interface Refund {
  readonly no: string;
  readonly refundNo: string;
  readonly amount: number;
  readonly reason: string;
  readonly notifyUrl: string | null;
  readonly at: number;
}

export type TradeEvent = 'paid' | 'refunded' | 'closed';

/** A notification to the merchant, retried until it is acknowledged or the schedule ends. */
export interface Notification {
  readonly id: string;
  readonly event: TradeEvent;
  readonly url: string;
  /** The number of its refund. */
  readonly refund: string | null;
  readonly createdAt: number;
  /** Time of the next attempt; null when there is none. */
  readonly dueAt: number | null;
  /** `withheld`: a fault prevents it from being sent. */
  readonly state: 'pending' | 'delivered' | 'given-up' | 'withheld';
  readonly tries: readonly DeliveryAttempt[];
  /** Scheduled rounds so far; a fault may make two attempts in one round. */
  readonly turns: number;
}

/** One delivery attempt and the merchant's response; `status` null without one. */
export interface DeliveryAttempt {
  readonly at: number;
  readonly status: number | null;
  readonly answer: string;
  /** Faults applied. */
  readonly faults: readonly string[];
}

/** Total refunded so far, in fen. */
export function refunded(trade: Trade): number {
  return trade.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

/** True when it is unpaid past its deadline. */
export function isExpired(trade: Trade, now = tradeTime()): boolean {
  return trade.state === 'waiting' && trade.expiresAt !== null && trade.expiresAt <= now;
}
