import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '@yiqiao/contracts/envelope';

const schema = defineEntity({
  name: 'Member',
  properties: {
    id: p.bigint('number').primary(),
    /** The main account's id, which is the member's own id for a main account. */
    familyId: p.bigint('number'),
    parentId: p.bigint('number').strictNullable(),
    nickname: p.string().strictNullable(),
    passwordHash: p.string().strictNullable(),
    inviteCode: p.string().strictNullable(),
    inviterId: p.bigint('number').strictNullable(),
    memberGroupId: p.integer(),
    autoDistribution: p.boolean(),
    /** Main accounts only: another channel at no higher price may serve when its own fails. */
    channelFailover: p.boolean(),
    /** Its translations use the family's translation memory; hits are free. */
    translationCache: p.boolean(),
    enabled: p.boolean(),
    /** Of the last sign-in. */
    language: p.string().$type<Language>().strictNullable(),
    registeredAt: p.datetime(),
    /** Set at log-off; the row stays without personal data, because ledger entries refer to it (decisions §3). */
    closedAt: p.datetime().strictNullable(),
    /** A deleted sub-account's username, for its main account's log until that closes, too. */
    lastName: p.string().strictNullable().lazy(),
  },
});

/** A main account or a sub-account. */
export class Member extends schema.class {
  isMain(): boolean {
    return this.parentId === null;
  }
}
schema.setClass(Member);
