import { defineEntity, p } from '@mikro-orm/core';
import type { OrderChannel, OrderEvent, PayStatus } from '@yiqiao/domain/orders';

const order = defineEntity({
  name: 'RechargeOrder',
  properties: {
    id: p.bigint('number').primary(),
    /** Our number, by which gateways and members know the order. */
    no: p.string(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    /** The command that placed it, for idempotent retries. */
    payCmd: p.uuid(),
    payChannel: p.string().$type<OrderChannel>(),
    payStatus: p.string().$type<PayStatus>(),
    memberGroupId: p.integer(),
    /** The plan version that the fields below are copied from. */
    planVersionId: p.bigint('number'),
    groupName: p.string(),
    groupEnName: p.string(),
    /** 1 char, 2 time: `billingModeOf` of the domain. */
    billingMode: p.smallint(),
    /** Per unit: characters, or minutes of a time package. */
    num: p.bigint('number'),
    voiceNum: p.integer(),
    imageNum: p.integer(),
    /** micro-yuan */
    minutePrice: p.integer(),
    tranChannelId: p.integer().strictNullable(),
    referenceChannelId: p.integer(),
    /** micro-yuan per character through it when the order was placed */
    referencePrice: p.integer(),
    salesNum: p.integer(),
    /** fen per unit */
    salePrice: p.bigint('number'),
    /** fen */
    amount: p.bigint('number'),
    /** Content of the QR code, once the gateway has returned it. */
    qrCode: p.text().fieldName('offer').strictNullable(),
    /** Scheduled queries of the gateway so far. */
    queryCount: p.integer().fieldName('asked'),
    /** The payment that was credited. */
    paidBy: p.bigint('number').strictNullable(),
    /** The plan before this order, restored by a refund. */
    groupBefore: p.integer().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    paidAt: p.datetime().strictNullable(),
  },
});

/** An order of a package with a copy of the plan, so that later changes of the price list do not affect it (decisions §5). */
export class RechargeOrder extends order.class {}
order.setClass(RechargeOrder);

const event = defineEntity({
  name: 'OrderEventRecord',
  tableName: 'order_event',
  properties: {
    id: p.bigint('number').primary(),
    orderId: p.bigint('number'),
    familyId: p.bigint('number'),
    event: p.string().$type<OrderEvent>(),
    happenedAt: p.datetime(),
  },
});

/** A line of an order's timeline. */
export class OrderEventRecord extends event.class {}
event.setClass(OrderEventRecord);
