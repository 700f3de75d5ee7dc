import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'TranChannel',
  properties: {
    id: p.integer().primary().autoincrement(false),
    code: p.string(),
    name: p.string(),
    enName: p.string(),
    /** micro-yuan per character */
    price: p.integer(),
    enabled: p.boolean().default(true),
  },
});

/** A translation channel with the operator's price; its capabilities are code (`CHANNELS`). */
export class TranChannel extends schema.class {}
schema.setClass(TranChannel);
