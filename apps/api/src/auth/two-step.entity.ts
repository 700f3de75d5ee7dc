import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'TwoStepRow',
  tableName: 'two_step',
  properties: {
    userId: p.bigint('number').primary(),
    familyId: p.bigint('number'),
    sealedSecret: p.text(),
    createdAt: p.datetime(),
    /** Null until a first code has been entered. */
    confirmedAt: p.datetime().strictNullable(),
    /** The time step of the last accepted code. */
    lastStep: p.bigint('number').strictNullable(),
    recoveryDigests: p.array<string>().defaultRaw("'{}'"),
  },
});

/** Two-step sign-in of a main account: switched on, or about to be. */
export class TwoStepRow extends schema.class {}
schema.setClass(TwoStepRow);
