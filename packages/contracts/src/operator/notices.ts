/** Notices as operators write them: drafts, schedule, both languages (operators §10). */
import { NOTICE_CONTENT_MAX, NOTICE_NAME_MAX, NOTICE_SUBTITLE_MAX, NOTICE_TITLE_MAX } from '@yiqiao/domain/limits';
import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done } from '../endpoint.js';
import { dateTime, orAbsent, paging, page, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

/** One line of plain text; `least` 0: it may be empty. */
const line = (least: 0 | 1, most: number) =>
  z
    .string({ error: orAbsent })
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(least, { error: 'REQUIRED' })
        .max(most, { error: 'TOO_LONG' })
        .regex(/^[^\p{Cc}<>]*$/u, { error: 'UNSAFE_TEXT' }),
    );

const texts = (least: 0 | 1) =>
  z.strictObject({
    /** On the tab. */
    name: line(least, NOTICE_NAME_MAX),
    title: line(least, NOTICE_TITLE_MAX),
    subTitle: line(0, NOTICE_SUBTITLE_MAX).default(''),
    /** HTML; the server removes everything but paragraphs, lists, small headings, emphasis and links. */
    content: z.string({ error: orAbsent }).max(NOTICE_CONTENT_MAX, { error: 'TOO_LONG' }),
  });

/** What a published notice needs, in each language. */
export const noticeTexts = texts(1);
/** A draft may be unfinished. */
const draftTexts = texts(0);
export type NoticeTexts = z.output<typeof noticeTexts>;

/** In APP_TIMEZONE. `startsAt` null: when it is published; `endsAt` null: until it is withdrawn. */
const schedule = { startsAt: dateTime.nullable(), endsAt: dateTime.nullable() };
const reason = z
  .string({ error: orAbsent })
  .transform((given) => given.trim())
  .pipe(z.string().min(1, { error: 'REQUIRED' }).max(REQUEST_REASON_MAX, { error: 'TOO_LONG' }));
/** The one that was read: another in between refuses the change with EDITED_MEANWHILE. */
const version = z.int({ error: orAbsent }).min(0, { error: 'WRONG_VALUE' });

/** `shown` among the first NOTICES_MOST of them only. */
export const NOTICE_STATES = ['draft', 'scheduled', 'shown', 'ended', 'withdrawn'] as const;

const stored = z.object({ name: z.string(), title: z.string(), subTitle: z.string(), content: z.string() });

const notice = z.object({
  id: z.int(),
  state: z.enum(NOTICE_STATES),
  zh: stored,
  en: stored,
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  withdrawnAt: z.string().nullable(),
  changedAt: z.string(),
  changedBy: z.string(),
  version: z.int(),
});

/** Drafts first, then by their begin, newest first. `shown`: how many are shown now. */
export const listNotices = operatorEndpoint({
  method: 'GET',
  path: '/notices',
  action: 'read',
  request: z.strictObject(paging),
  response: page(notice).extend({ shown: z.int() }),
});

/** 404 for an unknown notice and for a draft that was thrown away. */
export const getNotice = operatorEndpoint({
  method: 'GET',
  path: '/notices/:id',
  action: 'read',
  request: z.strictObject({ id: queryId }),
  response: notice,
});

const saved = z.object({ id: z.int(), version: z.int() });

/** A new draft. */
export const addNotice = operatorEndpoint({
  method: 'POST',
  path: '/notices',
  action: 'notice.change',
  request: z.strictObject({ zh: draftTexts, en: draftTexts, ...schedule }),
  response: saved,
});

/** Keeps a draft. What is published is changed by {@link publishNotice} alone. */
export const saveNotice = operatorEndpoint({
  method: 'POST',
  path: '/notices/:id',
  action: 'notice.change',
  request: z.strictObject({ id: queryId, version, zh: draftTexts, en: draftTexts, ...schedule }),
  response: saved,
});

/** Publishes a draft, or a change of what is published: open pages follow at once, or when it starts. */
export const publishNotice = operatorEndpoint({
  method: 'POST',
  path: '/notices/:id/publish',
  action: 'notice.change',
  request: z.strictObject({
    id: queryId,
    version,
    zh: noticeTexts,
    en: noticeTexts,
    ...schedule,
    reason: reason.optional(),
  }),
  response: saved,
});

/** For good; open pages remove it. A draft is thrown away. */
export const withdrawNotice = operatorEndpoint({
  method: 'POST',
  path: '/notices/:id/withdraw',
  action: 'notice.change',
  request: z.strictObject({ id: queryId, reason }),
  response: done,
});

/** A draft of the other language by a channel of the house; no member pays and nothing is kept. 422 CHANNEL_UNAVAILABLE. */
export const translateNotice = operatorEndpoint({
  method: 'POST',
  path: '/notices/translate',
  action: 'notice.change',
  request: z.strictObject({ from: z.enum(['zh', 'en'], { error: 'WRONG_VALUE' }), texts: draftTexts }),
  response: z.object({ texts: stored, channel: z.string() }),
});
