/** A main account's webhooks (docs/decisions/0073). Not in the specification. */
import { WEBHOOK_NAME_MAX, WEBHOOK_SIGN_SECRET_MAX, WEBHOOK_URL_MAX, WEBHOOKS_MAX } from '@yiqiao/domain/limits';
import { codePoints, isSafeName, isSafeText, tidy, visibleCodePoints } from '@yiqiao/domain/members';
import { WEBHOOK_EVENTS, WEBHOOK_FAILURES, WEBHOOK_FORMATS, WEBHOOK_STATES } from '@yiqiao/domain/webhooks';
import { z } from 'zod';
import { endpoint } from './endpoint.js';
import { filter, flag, id, orMissing, page, paging, queryId } from './fields.js';
import type { FieldCode } from './field-messages.js';

const keysOf = <K extends string>(table: Record<K, unknown>): [K, ...K[]] => Object.keys(table) as [K, ...K[]];
const wrong = (code: FieldCode): { error: FieldCode; abort: true } => ({ error: code, abort: true });

const eventName = z.enum(keysOf(WEBHOOK_EVENTS), { error: 'WRONG_VALUE' });
const format = z.enum(keysOf(WEBHOOK_FORMATS), { error: orMissing('REQUIRED', 'WRONG_VALUE') });
const language = z.enum(['zh', 'en'], { error: orMissing('REQUIRED', 'WRONG_VALUE') });
const state = z.enum(keysOf(WEBHOOK_STATES), { error: 'WRONG_VALUE' });
const messageType = z.enum([...keysOf(WEBHOOK_EVENTS), 'test'], { error: 'WRONG_VALUE' });
const failure = z.enum(keysOf(WEBHOOK_FAILURES));

/** Neither credentials, which would be shown to whoever sees the list, nor a fragment, which is not sent. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/i;
const isWebAddress = (text: string): boolean => WEB_ADDRESS.test(text) && z.url().safeParse(text).success;

/** The fields of an endpoint, each by itself. Whether http and this host are allowed depends on the installation: the server tells. */
export const webhookFields = {
  name: z
    .string({ error: orMissing('NAME_REQUIRED') })
    .transform(tidy)
    .refine((text) => text !== '', wrong('NAME_REQUIRED'))
    .refine((text) => codePoints(text) <= WEBHOOK_NAME_MAX, wrong('TOO_LONG'))
    .refine((text) => isSafeName(text) && visibleCodePoints(text) >= 1, wrong('UNSAFE_TEXT')),
  url: z
    .string({ error: orMissing('URL_REQUIRED') })
    .transform(tidy)
    .refine((text) => text !== '', wrong('URL_REQUIRED'))
    .refine((text) => text.length <= WEBHOOK_URL_MAX, wrong('TOO_LONG'))
    .refine((text) => isSafeText(text) && isWebAddress(text), wrong('URL_FORMAT')),
  events: z
    .array(eventName, { error: orMissing('EVENTS_REQUIRED') })
    .min(1, { error: 'EVENTS_REQUIRED' satisfies FieldCode })
    .max(keysOf(WEBHOOK_EVENTS).length, { error: 'TOO_LONG' satisfies FieldCode })
    .transform((events) => [...new Set(events)]),
  format,
  /** Of the texts for robots. */
  language,
  enabled: flag,
  /** The secret that Feishu or DingTalk gave the robot, if it checks signatures. Left out: as before; empty: none. */
  signSecret: z
    .string({ error: 'WRONG_TYPE' })
    .transform((text) => text.trim())
    .refine((text) => text.length <= WEBHOOK_SIGN_SECRET_MAX, wrong('TOO_LONG'))
    .refine(isSafeText, wrong('UNSAFE_TEXT'))
    .optional(),
};

export const webhookRow = z.object({
  id: z.int(),
  name: z.string(),
  /** Empty: it cannot be read any more, because the installation has another APP_SECRET, and is to be saved again. */
  url: z.string(),
  events: z.array(eventName),
  format,
  language,
  enabled: flag,
  /** Whether the platform's own secret signs the texts for its robot. */
  hasSignSecret: flag,
  /** Nothing is sent until `resumeWebhook`; what happens meanwhile waits. */
  pausedDateTime: z.string().nullable(),
  pauseReason: z.enum(['failures', 'gone']).nullable(),
  /** Since then nothing has been delivered. */
  failingSinceDateTime: z.string().nullable(),
  /** So long the replaced secret signs as well. */
  oldSecretUntilDateTime: z.string().nullable(),
  createDateTime: z.string(),
});

const webhookWithSecret = z.object({
  webhook: webhookRow,
  /** `whsec_…`, shown this once. Null where there is no new one. */
  secret: z.string().nullable(),
});

/** Newest first; at most WEBHOOKS_MAX, all in one page. */
export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhook/page',
  access: 'main',
  request: z.strictObject({ ...paging }),
  response: page(webhookRow),
});

/**
 * Without `id` adds an endpoint, with it edits one. The answer has the secret of a new endpoint of the format `standard`, and of one that
 * became so. 409 TOO_MANY_WEBHOOKS, 404 NOT_FOUND; URL_INSECURE, URL_PORT and URL_PRIVATE at `url`.
 */
export const saveWebhook = endpoint({
  method: 'POST',
  path: '/webhook/save',
  access: 'main',
  request: z.strictObject({ id: id.nullish().transform((n) => n ?? undefined), ...webhookFields }),
  response: webhookWithSecret,
});

/** Deletes endpoints with their logs, all or none: an id that is not the family's is NOT_FOUND. */
export const deleteWebhook = endpoint({
  method: 'POST',
  path: '/webhook/delete',
  access: 'main',
  request: z.strictObject({
    ids: z
      .array(id, { error: orMissing('REQUIRED') })
      .min(1, { error: 'REQUIRED' satisfies FieldCode })
      .max(WEBHOOKS_MAX, { error: 'TOO_LONG' satisfies FieldCode }),
  }),
  response: z.object({ count: z.int() }),
});

/** Replaces the secret. Both sign for WEBHOOK_OVERLAP_HOURS. 422 WEBHOOK_WITHOUT_SECRET for robots. */
export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/webhook/rotateSecret',
  access: 'main',
  request: z.strictObject({ id }),
  response: z.object({ webhook: webhookRow, secret: z.string() }),
});

/** Ends a pause: what waits is sent at once. */
export const resumeWebhook = endpoint({
  method: 'POST',
  path: '/webhook/resume',
  access: 'main',
  request: z.strictObject({ id }),
  response: webhookRow,
});

const attempt = {
  /** Of the answer; null without one. */
  httpStatus: z.int().nullable(),
  milliseconds: z.int().nullable(),
  failure: failure.nullable(),
  /** The first WEBHOOK_ANSWER_KEPT characters of the answer. */
  answer: z.string().nullable(),
};

/** Sends a `test` message now, also to an endpoint that is off or paused, and answers how that went. It is not retried. */
export const testWebhook = endpoint({
  method: 'POST',
  path: '/webhook/test',
  access: 'main',
  request: z.strictObject({ id }),
  response: z.object({ delivered: z.boolean(), ...attempt }),
});

export const webhookDelivery = z.object({
  id: z.int(),
  /** The `webhook-id` of every attempt. */
  messageId: z.string(),
  type: messageType,
  state,
  /** Attempts so far; the other fields are about the last of them. */
  attempts: z.int(),
  ...attempt,
  lastDateTime: z.string().nullable(),
  nextDateTime: z.string().nullable(),
  createDateTime: z.string(),
});

/** The deliveries to one endpoint, newest first, of the last WEBHOOK_DAYS days. */
export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/webhook/deliveries',
  access: 'main',
  request: z.strictObject({ ...paging, webhookId: queryId, state: filter(state), type: filter(messageType) }),
  response: page(webhookDelivery),
});

/** Sends a message once more, or at once if it waits. The message keeps its id. 409 WEBHOOK_STOPPED for an endpoint that is off or paused. */
export const resendWebhookDelivery = endpoint({
  method: 'POST',
  path: '/webhook/resend',
  access: 'main',
  request: z.strictObject({ id }),
  response: webhookDelivery,
});
