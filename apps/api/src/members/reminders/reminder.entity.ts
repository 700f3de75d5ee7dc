import { defineEntity, p } from '@mikro-orm/core';

const settingsSchema = defineEntity({
  name: 'MemberReminder',
  properties: {
    userId: p.bigint('number').primary().autoincrement(false),
    familyId: p.bigint('number'),
    /** 0: never; null, like the next two: the default. */
    lowCharNum: p.bigint('number').strictNullable(),
    expiryDays: p.integer().strictNullable(),
    byMail: p.boolean().strictNullable(),
    /** The member was reminded; up to this ledger entry the balance has stayed low since. Null: the next drop is reported. */
    lowToldSeq: p.bigint('number').strictNullable(),
    /** The same for a balance that is used up, which webhooks were told of. */
    exhaustedToldSeq: p.bigint('number').strictNullable(),
    /** The expiry that the member was reminded of. */
    expiryToldFor: p.datetime().strictNullable(),
  },
});

/** A member's reminder thresholds, and the reminders already sent. */
export class MemberReminder extends settingsSchema.class {}
settingsSchema.setClass(MemberReminder);

const reminderSchema = defineEntity({
  name: 'Reminder',
  properties: {
    id: p.bigint('number').primary(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    toldAt: p.datetime().defaultRaw('now()'),
    charNum: p.bigint('number').strictNullable(),
    least: p.bigint('number').strictNullable(),
    expireAt: p.datetime().strictNullable(),
    /** Set before the mail is sent, so that it is not sent twice. */
    mailedAt: p.datetime().strictNullable(),
  },
});

/** A mail to a member whose balance dropped below `least`, or whose package ends at `expireAt`. */
export class Reminder extends reminderSchema.class {}
reminderSchema.setClass(Reminder);
