/** Requests that two operators decide together, and how much one may give alone (operators §4). */
import {
  OPERATOR_ACTIONS,
  type OperatorAction,
  REQUEST_REASON_MAX,
  REQUEST_REASON_MIN,
  requestStates,
} from '@yiqiao/domain/operators';
import { CHANGE_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { filter, orAbsent, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

/** A code of the authenticator app, or a recovery code; it may also come in the header `x-one-time-code`. */
export const oneTimeCode = z.string({ error: orAbsent }).max(32, { error: 'TOO_LONG' }).optional();

const line = (least: number) =>
  z
    .string({ error: orAbsent })
    .transform((text) => text.normalize('NFC').trim())
    .pipe(z.string().min(least, { error: 'TOO_SHORT' }).max(REQUEST_REASON_MAX, { error: 'TOO_LONG' }));

/** Why something is asked for; where it changes a member's account the member reads it. */
export const requestReason = line(REQUEST_REASON_MIN);

/** An action that a second operator decides, always or above the limits. */
export const requestKind = z.enum(
  (Object.keys(OPERATOR_ACTIONS) as OperatorAction[]).filter((action) => 'approval' in OPERATOR_ACTIONS[action]),
  { error: 'WRONG_VALUE' },
);

const words = z.object({ zh: z.string(), en: z.string() });
/** A text in both languages, a name or an amount as it is, a number that the page groups; null for nothing. */
const value = z.union([words, z.string(), z.number(), z.null()]);

/** What a request is about, frozen when it was made; `amount` in fen. */
export const requestSummary = z.object({
  title: words,
  subject: words.nullable(),
  amount: z.int().nullable(),
  facts: z.array(z.object({ label: words, value })),
});

/** What carrying it out changes. */
export const requestChange = z.object({ label: words, before: value, after: value });

/** A precondition as it is now; `note` is only worth knowing. */
export const requestCheck = z.object({
  state: z.enum(['met', 'unmet', 'note']),
  text: words,
  detail: words.optional(),
});

const outcome = z.object({
  changes: z.array(requestChange).optional(),
  /** Why the command refused, when the request failed. */
  refusal: z.object({ code: z.string(), text: words }).optional(),
});

const row = z.object({
  id: z.int(),
  kind: requestKind,
  targetKind: z.string(),
  target: z.string(),
  ...requestSummary.pick({ title: true, subject: true, amount: true }).shape,
  reason: z.string(),
  state: z.enum(requestStates),
  maker: z.string(),
  mine: z.boolean(),
  madeAt: z.string(),
  expiresAt: z.string(),
  /** Until its end, or until now. */
  waitedSeconds: z.int(),
  /** Before it lapses; 0 after its end. */
  leftSeconds: z.int(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decisionReason: z.string().nullable(),
  outcome: outcome.nullable(),
});

/**
 * Newest first. `forMe`: open ones that the caller may decide; `deciders`: operators who could decide a request of the caller's; with none
 * it waits until there is a second operator.
 */
export const listRequests = operatorEndpoint({
  method: 'GET',
  path: '/requests',
  action: 'read',
  request: z.strictObject({
    ...paging,
    scope: z.enum(['all', 'forMe', 'mine'], { error: 'WRONG_VALUE' }).default('all'),
    state: filter(z.enum([...requestStates, 'decided'], { error: 'WRONG_VALUE' })),
    kind: filter(requestKind),
    target: filter(z.string().max(200, { error: 'TOO_LONG' })),
  }),
  response: page(row).extend({
    open: z.object({ all: z.int(), forMe: z.int(), mine: z.int() }),
    deciders: z.int(),
  }),
});

/** With what it would change and its preconditions now; of one that has ended, what it did change. */
export const getRequest = operatorEndpoint({
  method: 'GET',
  path: '/requests/:id',
  action: 'read',
  request: z.strictObject({ id: queryId }),
  response: row.extend({
    facts: requestSummary.shape.facts,
    payload: z.record(z.string(), z.unknown()),
    payloadHash: z.string(),
    makerIp: z.string().nullable(),
    changes: z.array(requestChange),
    checks: z.array(requestCheck),
    /** Why the caller cannot decide it; null if the caller can. */
    undecidable: z.enum(['ended', 'own', 'role']).nullable(),
    deciders: z.int(),
  }),
});

const result = z.object({ id: z.int(), state: z.enum(requestStates), outcome: outcome.nullable() });

/** 409 REQUEST_OPEN while one of the same kind for the same target waits. What `payload` holds depends on the kind. */
export const makeRequest = operatorEndpoint({
  method: 'POST',
  path: '/requests',
  action: 'request.make',
  request: z.strictObject({
    kind: requestKind,
    target: z.union([z.string(), z.int()], { error: orAbsent }).transform(String),
    payload: z.record(z.string(), z.unknown(), { error: orAbsent }).default({}),
    reason: requestReason,
  }),
  response: result,
});

const decision = z.strictObject({ id: queryId, reason: line(1), code: oneTimeCode });

/** Carries it out. 403 NOT_YOUR_OWN; 409 REQUEST_DECIDED. State `failed` when its command refuses. */
export const approveRequest = operatorEndpoint({
  method: 'POST',
  path: '/requests/:id/approve',
  action: 'request.decide',
  codeLater: true,
  request: decision,
  response: result,
});

export const rejectRequest = operatorEndpoint({
  method: 'POST',
  path: '/requests/:id/reject',
  action: 'request.decide',
  codeLater: true,
  request: decision,
  response: result,
});

/** By its maker: 403 ONLY_ITS_MAKER for anybody else. Takes no code. */
export const withdrawRequest = operatorEndpoint({
  method: 'POST',
  path: '/requests/:id/withdraw',
  action: 'request.withdraw',
  request: decision.partial({ reason: true }),
  response: result,
});

const most = z.int({ error: orAbsent }).min(0, { error: 'TOO_SMALL' }).max(CHANGE_MAX, { error: 'TOO_BIG' });
/** What one operator may give to a member without a second one; `amount`, its value, in fen. */
export const operatorLimits = z.object({ charNum: most, voiceNum: most, imageNum: most, amount: most });

export const getLimits = operatorEndpoint({
  method: 'GET',
  path: '/limits',
  action: 'read',
  request: nothing,
  response: operatorLimits,
});

export const changeLimits = operatorEndpoint({
  method: 'POST',
  path: '/limits',
  action: 'limits.change',
  request: z.strictObject({ ...operatorLimits.shape, reason: requestReason, code: oneTimeCode }),
  response: operatorLimits,
});
