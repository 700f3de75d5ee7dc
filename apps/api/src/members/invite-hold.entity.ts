import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'InviteHold',
  properties: {
    /** The invited member whose reward waits for an operator. */
    userId: p.bigint('number').primary().autoincrement(false),
    inviterId: p.bigint('number'),
    heldAt: p.datetime(),
    decision: p.enum(['released', 'refused'] as const).strictNullable(),
    decidedAt: p.datetime().strictNullable(),
    managerId: p.bigint('number').strictNullable(),
    reason: p.string().strictNullable(),
  },
});

export class InviteHold extends schema.class {}
schema.setClass(InviteHold);
