import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'MemberDevice',
  properties: {
    userId: p.bigint('number').primary(),
    /** Keyed digest of browser, system, client and network. */
    digest: p.string().primary(),
    familyId: p.bigint('number'),
    lastSeenAt: p.datetime(),
  },
});

/** A device that a main account has signed in from. */
export class MemberDevice extends schema.class {}
schema.setClass(MemberDevice);
