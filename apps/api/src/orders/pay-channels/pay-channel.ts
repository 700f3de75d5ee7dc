import type { OrderChannel, Payment } from '@yiqiao/domain/orders';

/** What a gateway has to know of an order. `amount` in fen; `expiresAt`: until when it may be paid. */
export type GatewayOrder = {
  /** For the address that the member comes back to; gateways know an order by its number. */
  id: number;
  no: string;
  payChannel: OrderChannel;
  userId: number;
  amount: number;
  createdAt: Date;
  expiresAt: Date;
};

/** A payment that a gateway vouches for: its signature was right, and it was made to us. */
export type GatewayPayment = Payment & { orderNo: string; paidAt: Date | null };

/**
 * Where an order stands at the gateway. `absent`: it has never heard of it, which is how one looks that nobody opened yet. `refunded`: paid,
 * and given back: Alipay says so of a whole refund, WeChat Pay of any.
 */
export type Standing =
  | { state: 'paid'; payment: GatewayPayment }
  | { state: 'unpaid' }
  | { state: 'closed' }
  | { state: 'refunded' }
  | { state: 'absent' };

/** A refund of a payment or of a part of it. `refundNo` is ours and the same at every try: the gateway refunds once under it. */
export type GatewayRefund = {
  order: GatewayOrder;
  tradeNo: string;
  refundNo: string;
  /** fen */
  amount: number;
  /** fen: what was paid */
  total: number;
  reason: string;
};
/** `refused`: for good, with the gateway's own words. */
export type RefundState = { state: 'done' | 'pending' } | { state: 'refused'; why: string };

/**
 * A way to pay (decisions §5). Every call may be repeated: the order's number is the same at every try, and the gateway knows it.
 * Throws Refusal GATEWAY_REFUSED when the gateway says no, GATEWAY_UNKNOWN when it could not be learnt what it says: no answer in
 * time, or one whose signature is wrong, after one safe retry.
 */
export interface PayChannel {
  /** Makes the order payable and answers what the member is shown: a form's HTML, or the text of a QR code. */
  offer(order: GatewayOrder): Promise<string>;
  query(order: GatewayOrder): Promise<Standing>;
  /** Ends it at the gateway: from now on nobody can pay it. Where that is too late the answer is the payment. */
  close(order: GatewayOrder): Promise<Standing>;
  /** Never GATEWAY_REFUSED: a no that leaves no doubt is an answer, and any other is GATEWAY_UNKNOWN. */
  refund(refund: GatewayRefund): Promise<RefundState>;
}

/** A message that came to our notification address: `headers` in lower case, `body` as the bytes that were signed. */
export type RawNotification = { headers: Readonly<Record<string, string | undefined>>; body: Buffer };

/**
 * What a message says, once its signature is right. `subject` names the transaction and what happened to it, so that a repetition is
 * known. `forged`: the signature is wrong or missing, too old, or the message cannot be read. `stranger`: signed, and about another
 * merchant or app. `other`: signed, ours, and no payment (a refund, a closed trade): nothing to do.
 */
export type Reading =
  | { kind: 'payment'; subject: string; payment: GatewayPayment }
  | { kind: 'other'; subject: string; orderNo: string | null }
  | { kind: 'stranger'; subject: string; orderNo: string | null }
  | { kind: 'forged'; why: string };

/** How a gateway wants to be answered. */
export type NotificationAnswer = { status: number; contentType: string; body: string };

/** The side of a gateway that calls us. */
export interface NotificationReader {
  read(notification: RawNotification): Promise<Reading>;
  /** It need not be sent again. */
  readonly accepted: NotificationAnswer;
  /** It was not taken: the gateway may send it again. */
  readonly refused: NotificationAnswer;
}

/** A gateway with all its doors. */
export type GatewayDoors = { channels: Partial<Record<OrderChannel, PayChannel>>; notifications: NotificationReader };
