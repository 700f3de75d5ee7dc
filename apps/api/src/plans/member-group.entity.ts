import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'MemberGroup',
  properties: {
    id: p.integer().primary().autoincrement(false),
    name: p.string(),
    enName: p.string(),
    tier: p.string(),
    /** 1 char, 2 time: `billingModeOf` of the domain. */
    billingMode: p.smallint(),
    /** Characters, or minutes for time packages. */
    num: p.bigint('number'),
    /** fen */
    salePrice: p.integer(),
    /** micro-yuan per minute */
    minutePrice: p.integer(),
    voiceNum: p.integer(),
    imageNum: p.integer(),
    createChildUser: p.boolean(),
    tranChannelId: p.integer().strictNullable(),
    /** The channel at whose price the package holds `num`. */
    referenceChannelId: p.integer(),
    onSale: p.boolean(),
    position: p.integer(),
  },
});

/** A plan. A package on sale IS a member group; group 1 is the free trial (decisions §4). */
export class MemberGroup extends schema.class {}
schema.setClass(MemberGroup);
