import { defineEntity, p } from '@mikro-orm/core';
import type { Gateway, PaymentVerdict } from '@yiqiao/domain/orders';

/** How the payment became known. */
export type SeenBy = 'notification' | 'query';

const payment = defineEntity({
  name: 'Payment',
  properties: {
    id: p.bigint('number').primary(),
    gateway: p.string().$type<Gateway>(),
    /** The gateway's number of the transaction. */
    tradeNo: p.string(),
    orderId: p.bigint('number'),
    familyId: p.bigint('number'),
    /** fen */
    amount: p.bigint('number'),
    currency: p.string(),
    paidAt: p.datetime().strictNullable(),
    seenBy: p.string().$type<SeenBy>(),
    verdict: p.string().$type<PaymentVerdict>(),
    /** This and the other `refund` columns describe the last refund. */
    refundState: p.string().$type<'started' | 'done' | 'refused'>().strictNullable(),
    refundNo: p.string().strictNullable(),
    /** fen */
    refundAmount: p.bigint('number').strictNullable(),
    /** fen, by refunds before the last one */
    refundedBefore: p.bigint('number').defaultRaw('0'),
    refundCmd: p.uuid().strictNullable(),
    refundManagerId: p.bigint('number').strictNullable(),
    refundReason: p.string().strictNullable(),
    refundSource: p.string().$type<'operator' | 'gateway'>().strictNullable(),
    refundAnswer: p.string().strictNullable(),
    refundedAt: p.datetime().strictNullable(),
    receivedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A transaction of a gateway that is proven to be for one of our orders. */
export class Payment extends payment.class {}
payment.setClass(Payment);

const earlierRefund = defineEntity({
  name: 'EarlierRefund',
  properties: {
    no: p.string().primary(),
    paymentId: p.bigint('number'),
    /** fen */
    amount: p.bigint('number'),
    cmdId: p.uuid().strictNullable(),
    managerId: p.bigint('number'),
    reason: p.string(),
    source: p.string().$type<'operator' | 'gateway'>(),
    refundedAt: p.datetime(),
  },
});

/** A refund that was done before the last one of its payment. */
export class EarlierRefund extends earlierRefund.class {}
earlierRefund.setClass(EarlierRefund);
