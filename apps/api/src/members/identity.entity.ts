import { defineEntity, p } from '@mikro-orm/core';

export const IDENTITY_KINDS = ['email', 'username'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

const schema = defineEntity({
  name: 'Identity',
  properties: {
    kind: p.enum(IDENTITY_KINDS).primary(),
    /** Case-folded: what is unique over all members, sub-accounts included (decisions §3). */
    uniqueKey: p.string().primary(),
    /** As the member wrote it. */
    shown: p.string(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
  },
});

/** A name or an address by which a member signs in. Its row goes at deletion, and then the name is free again. */
export class Identity extends schema.class {}
schema.setClass(Identity);
