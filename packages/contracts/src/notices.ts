import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { done, endpoint, eventStream, nothing } from './endpoint.js';

/** Made by the client at random, once for each stream (decisions §1). */
const clientId = z.string({ error: 'REQUIRED' }).regex(/^[A-Za-z0-9_-]{8,64}$/, { error: 'WRONG_VALUE' });

const payStatus = z.enum(Object.keys(PAY_STATUSES) as [PayStatus, ...PayStatus[]]);

/** A public notice, in the language of the request (specification §3). `content` is HTML of a few harmless elements. */
const shownNotice = z.object({
  id: z.int(),
  name: z.string(),
  title: z.string(),
  subTitle: z.string(),
  content: z.string(),
});
export type ShownNotice = z.output<typeof shownNotice>;

/** Every notice that is shown now, the newest first. */
export const listNotices = endpoint({
  method: 'GET',
  path: '/notice/list',
  access: 'public',
  request: nothing,
  response: z.array(shownNotice),
});

/** The events of the stream (decisions §9). `account` and `order` mean that data changed and must be read again. */
export const noticeEvents = {
  /**
   * The first event: later changes will be sent. `accountVersion`: the caller's at this moment, as in `GET /user/get`; null for visitors
   * and while the database is away.
   */
  ready: z.object({ clientId: z.string(), accountVersion: z.string().nullable() }),
  /** One that is shown from now on, or reads otherwise now; in the language of the request that opened the stream. */
  notice: shownNotice,
  /** One that is shown no more. */
  'notice-removed': z.object({ id: z.int() }),
  /** The caller's balance, plan, channel or expiry. Signed streams only. */
  account: z.object({}),
  /** An order of the caller, a main account. Signed streams only. */
  order: z.object({ id: z.int(), payStatus }),
} as const;

/** One event as delivered to the stream's listener. */
export type Notice = { [Name in keyof NoticeEvents]: { event: Name; data: NoticeEvents[Name] } }[keyof NoticeEvents];
export type NoticeEvents = { [Name in keyof typeof noticeEvents]: z.output<(typeof noticeEvents)[Name]> };

/**
 * Server-sent events, to be read with fetch because of the signed headers. A comment line keeps the connection alive; it may end at
 * any moment, and ends soon after the session of its signature does.
 */
export const openNotices = endpoint({
  method: 'GET',
  path: '/notice/openSse/:clientId',
  access: 'public',
  mayBeSigned: true,
  request: z.strictObject({ clientId }),
  response: eventStream,
  stream: noticeEvents,
});

/** Closes a stream of the same caller. For an unknown or foreign one: true, without effect. */
export const closeNotices = endpoint({
  method: 'DELETE',
  path: '/notice/closeSse/:clientId',
  access: 'public',
  mayBeSigned: true,
  request: z.strictObject({ clientId }),
  response: done,
});
