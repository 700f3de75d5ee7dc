import type { OrderChannel, Payment } from '@yiqiao/domain/orders';

/** An order for a gateway. `amount` in fen; `expiresAt`: until when it may be paid. */
export type GatewayOrder = {
  /** For the return URL; gateways know an order by its number. */
  id: number;
  no: string;
  payChannel: OrderChannel;
  userId: number;
  amount: number;
  createdAt: Date;
  expiresAt: Date;
};

/** A payment from a message or answer of the gateway with a valid signature, made to us. */
export type GatewayPayment = Payment & { orderNo: string; paidAt: Date | null };

/**
 * The state of an order at the gateway. `absent`: unknown there, as before anybody opened the form. `refunded`: paid and refunded: Alipay
 * reports this for a whole refund, WeChat Pay for any.
 */
export type TradeState =
  | { state: 'paid'; payment: GatewayPayment }
  | { state: 'unpaid' }
  | { state: 'closed' }
  | { state: 'refunded' }
  | { state: 'absent' };

/** A refund of a payment or a part of it. `refundNo` is ours and the same for every try: the gateway refunds once per number. */
export type GatewayRefund = {
  order: GatewayOrder;
  tradeNo: string;
  refundNo: string;
  /** fen */
  amount: number;
  /** fen, of the payment */
  total: number;
  reason: string;
};
/** `refused`: definitely, with the gateway's reason. */
export type RefundState = { state: 'done' | 'pending' } | { state: 'refused'; why: string };

/**
 * A payment channel (decisions §5). Every call is idempotent by the order's number. Throws Refusal GATEWAY_REFUSED when the gateway
 * rejects the call, GATEWAY_UNKNOWN when no answer with a valid signature came in time, after one safe retry.
 */
export interface PayChannel {
  /** Creates the payment and returns the HTML of a form or the content of a QR code. */
  createPayment(order: GatewayOrder): Promise<string>;
  query(order: GatewayOrder): Promise<TradeState>;
  /** Closes the order at the gateway, so that nobody can pay it. Returns the payment when that was faster. */
  close(order: GatewayOrder): Promise<TradeState>;
  /** Never throws GATEWAY_REFUSED: a definite rejection is returned, any other is GATEWAY_UNKNOWN. */
  refund(refund: GatewayRefund): Promise<RefundState>;
}

/** A message to our notification address: `headers` in lower case, `body` as the signed bytes. */
export type RawNotification = { headers: Readonly<Record<string, string | undefined>>; body: Buffer };

/**
 * A verified message. `subject` names the transaction and its event, to recognize repetitions. `forged`: the signature is wrong, missing
 * or too old, or the message is unreadable. `stranger`: signed, but for another merchant or app. `other`: signed, ours, and no payment (a
 * refund, a closed trade): nothing to do.
 */
export type VerifiedNotification =
  | { kind: 'payment'; subject: string; payment: GatewayPayment }
  | { kind: 'other'; subject: string; orderNo: string | null }
  | { kind: 'stranger'; subject: string; orderNo: string | null }
  | { kind: 'forged'; why: string };

/** The answer in the gateway's format. */
export type NotificationAnswer = { status: number; contentType: string; body: string };

/** Reads the notifications of a gateway. */
export interface NotificationReader {
  read(notification: RawNotification): Promise<VerifiedNotification>;
  /** The gateway need not send it again. */
  readonly accepted: NotificationAnswer;
  /** The gateway may send it again. */
  readonly refused: NotificationAnswer;
}

/** A configured gateway: its channels and its notifications. */
export type GatewayConnection = {
  channels: Partial<Record<OrderChannel, PayChannel>>;
  notifications: NotificationReader;
};
