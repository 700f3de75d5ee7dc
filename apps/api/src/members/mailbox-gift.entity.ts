import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'MailboxGift',
  properties: {
    /** A keyed digest of the canonical mailbox. */
    mailboxHmac: p.string().primary(),
    gift: p.enum(['trial', 'invite'] as const).primary(),
    givenAt: p.datetime(),
    userId: p.bigint('number').strictNullable(),
    charNum: p.bigint('number').strictNullable(),
    voiceNum: p.bigint('number').strictNullable(),
    imageNum: p.bigint('number').strictNullable(),
  },
});

export class MailboxGift extends schema.class {}
schema.setClass(MailboxGift);
