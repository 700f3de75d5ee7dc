import { defineEntity, p } from '@mikro-orm/core';

const price = defineEntity({
  name: 'ChannelPriceRecord',
  tableName: 'channel_price',
  properties: {
    id: p.bigint('number').primary(),
    tranChannelId: p.integer(),
    /** micro-yuan per character */
    price: p.integer(),
    effectiveAt: p.datetime(),
  },
});

/** A price of a channel and the time since which it applied. Triggers write it. */
export class ChannelPriceRecord extends price.class {}
price.setClass(ChannelPriceRecord);

const version = defineEntity({
  name: 'PlanVersionRecord',
  tableName: 'plan_version',
  properties: {
    id: p.bigint('number').primary(),
    memberGroupId: p.integer(),
    /** 1 char, 2 time: `billingModeOf` of the domain. */
    billingMode: p.smallint(),
    num: p.bigint('number'),
    /** fen */
    salePrice: p.integer(),
    /** micro-yuan per minute */
    minutePrice: p.integer(),
    voiceNum: p.integer(),
    imageNum: p.integer(),
    tranChannelId: p.integer().strictNullable(),
    referenceChannelId: p.integer(),
    effectiveAt: p.datetime(),
  },
});

/** A version of a plan and the time since which it applied. Triggers write it. */
export class PlanVersionRecord extends version.class {}
version.setClass(PlanVersionRecord);
