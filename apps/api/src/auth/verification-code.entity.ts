import { defineEntity, p } from '@mikro-orm/core';

export const CODE_PURPOSES = ['register', 'reset'] as const;
export type Purpose = (typeof CODE_PURPOSES)[number];

const schema = defineEntity({
  name: 'VerificationCode',
  properties: {
    id: p.bigint('number').primary(),
    /** A keyed digest of the mailbox (`mailboxKeyOf`). */
    mailboxKey: p.string(),
    purpose: p.enum(CODE_PURPOSES),
    codeHmac: p.string(),
    /** Address, language and code, encrypted until the mail is sent, then null. */
    sealedLetter: p.text().strictNullable(),
    tries: p.integer().defaultRaw('0'),
    /** Tries by keyed digest of the client's network. */
    triesFrom: p.json<Record<string, number>>().defaultRaw("'{}'"),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
    sentAt: p.datetime().strictNullable(),
  },
});

export class VerificationCode extends schema.class {}
schema.setClass(VerificationCode);
