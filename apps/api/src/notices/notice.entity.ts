import { defineEntity, p } from '@mikro-orm/core';
import type { ShownNotice } from '@yiqiao/contracts/notices';

export type NoticeTexts = Omit<ShownNotice, 'id'>;

const schema = defineEntity({
  name: 'Notice',
  properties: {
    id: p.bigint('number').primary(),
    /** Sanitized when it was written. */
    zh: p.json().$type<NoticeTexts>(),
    en: p.json().$type<NoticeTexts>(),
    /** Null in a draft: when it is published. */
    startsAt: p.datetime().strictNullable(),
    endsAt: p.datetime().strictNullable(),
    withdrawnAt: p.datetime().nullable(),
    /** Null: a draft, which only operators see. */
    publishedAt: p.datetime().strictNullable(),
    managerId: p.bigint('number'),
    createdAt: p.datetime().defaultRaw('now()'),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

/** A message from operators to everybody who opens the site. */
export class Notice extends schema.class {}
schema.setClass(Notice);
