import { defineEntity, p } from '@mikro-orm/core';

export const IDENTITY_KINDS = ['email', 'username'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

const schema = defineEntity({
  name: 'Identity',
  properties: {
    kind: p.enum(IDENTITY_KINDS).primary(),
    /** Case-folded; unique over all members, sub-accounts included (decisions §3). */
    uniqueKey: p.string().primary(),
    /** As the member wrote it. */
    shown: p.string(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
  },
});

/** A username or an address for signing in. Its row is deleted with the account, which frees the name. */
export class Identity extends schema.class {}
schema.setClass(Identity);
