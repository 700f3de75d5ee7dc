import { defineEntity, p } from '@mikro-orm/core';
import type { OrderChannel, PayStatus } from '@yiqiao/domain/orders';

const schema = defineEntity({
  name: 'RechargeOrder',
  properties: {
    id: p.bigint('number').primary(),
    /** Ours, and the one that gateways and members know it by. */
    no: p.string(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    /** The command that placed it: repeated, it finds its order again. */
    payCmd: p.uuid(),
    payChannel: p.string().$type<OrderChannel>(),
    payStatus: p.string().$type<PayStatus>(),
    memberGroupId: p.integer(),
    /** The version of the plan that all this is a copy of. */
    planVersionId: p.bigint('number'),
    groupName: p.string(),
    groupEnName: p.string(),
    /** 1 char, 2 time: `billingModeOf` of the domain. */
    billingMode: p.smallint(),
    /** Of one unit: characters, or minutes of a time package. */
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
    /** fen, of one unit */
    salePrice: p.bigint('number'),
    /** fen */
    amount: p.bigint('number'),
    /** The text of the QR code, once the gateway gave it. */
    offer: p.text().strictNullable(),
    /** How often the gateway was asked about it by itself. */
    asked: p.integer(),
    /** The payment that made it P. */
    paidBy: p.bigint('number').strictNullable(),
    /** The plan that a refund leads back to. */
    groupBefore: p.integer().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    paidAt: p.datetime().strictNullable(),
  },
});

/** An order of a package, with a copy of all that is bought: a price list that changes later changes no order (decisions §5). */
export class RechargeOrder extends schema.class {}
schema.setClass(RechargeOrder);
