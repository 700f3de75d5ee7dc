/** What operators do to members (operators §10): each with a reason, recorded in the action log. */
import { CHANGE_MAX, DAYS_CHANGE_MAX, SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { isSafeText, tidy } from '@yiqiao/domain/members';
import { z } from 'zod';
import { done } from '../endpoint.js';
import { flag, id, orAbsent, queryId, queryInt } from '../fields.js';
import { invoice } from '../invoices.js';
import { operatorEndpoint } from './endpoint.js';

const userId = queryId;
const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };
const line = (least: number, most: number) =>
  z
    .string({ error: orAbsent })
    .transform(tidy)
    .pipe(z.string().min(least, { error: 'TOO_SHORT' }).max(most, { error: 'TOO_LONG' }))
    .refine(isSafeText, { error: 'UNSAFE_TEXT' });
const reason = line(10, 500);

/** Opens masked personal data; which of it is in the action log. */
export const revealMember = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/reveal',
  action: 'personalData.reveal',
  request: z.strictObject({
    userId,
    what: z.array(z.enum(['account', 'addresses', 'invoices'])).min(1, { error: 'REQUIRED' }),
  }),
  response: z.object({
    account: z.string().nullable(),
    /** Of sessions by their id. */
    addresses: z.array(z.object({ sessionId: z.int(), loginIp: z.string().nullable() })).nullable(),
    invoices: z.array(invoice).nullable(),
  }),
});

/** Ends one session, or all of them. */
export const signMemberOut = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/sign-out',
  action: 'member.signOut',
  request: z.strictObject({ userId, sessionId: id.optional(), reason }),
  response: z.object({ count: z.int() }),
});

/** A disabled main account keeps its sub-accounts out as well; their own setting stays. */
export const setMemberEnabled = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/enabled',
  action: 'member.enable',
  request: z.strictObject({ userId, enabled: flag, reason }),
  response: done,
});

/** Mails a code to reset the password with. SUB_WITHOUT_MAILBOX for a sub-account. */
export const mailMemberPassword = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/password-mail',
  action: 'member.passwordMail',
  request: z.strictObject({ userId }),
  response: done,
});

export const addMemberNote = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/notes',
  action: 'member.note',
  request: z.strictObject({ userId, text: line(1, 500) }),
  response: done,
});

const changed = (most: number) =>
  z.int({ error: orAbsent }).min(-most, { error: 'TOO_SMALL' }).max(most, { error: 'TOO_BIG' });

/** What a request of kind `quota.adjust` carries. */
export const adjustment = z
  .strictObject({
    charNum: changed(CHANGE_MAX).default(0),
    voiceNum: changed(CHANGE_MAX).default(0),
    imageNum: changed(CHANGE_MAX).default(0),
    days: changed(DAYS_CHANGE_MAX).default(0),
  })
  .refine((change) => Object.values(change).some((n) => n !== 0), { error: 'REQUIRED', path: ['charNum'] });

/** What a request of kind `plan.grant` carries. */
export const grant = z.strictObject({
  memberGroupId: id,
  quantity: z.int({ error: orAbsent }).min(1, { error: 'TOO_SMALL' }).max(SALES_NUM_MAX, { error: 'TOO_BIG' }),
});

const holdings = z.object({
  ...quantities,
  expireDateTime: z.string().nullable(),
  translationBillingMode: z.enum(['char', 'time']),
  tranChannelId: z.int().nullable(),
  memberGroup: z.string(),
});
/** `applied`: false for a repeated idempotency key. */
const quotaChange = z.object({ before: holdings, after: holdings, applied: z.boolean() });

/** Within the limits of one operator; APPROVAL_REQUIRED beyond. */
export const adjustQuota = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/adjust',
  action: 'quota.adjust',
  request: z.strictObject({ userId, change: adjustment, reason }),
  response: quotaChange,
});

export const grantPlan = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/grant',
  action: 'plan.grant',
  request: z.strictObject({ userId, change: grant, reason }),
  response: quotaChange,
});

/** What a grant would leave, and whether it takes a second person. */
export const previewGrant = operatorEndpoint({
  method: 'GET',
  path: '/members/:userId/grant',
  action: 'read',
  request: z.strictObject({ userId, memberGroupId: queryId, quantity: queryInt }),
  response: z.object({ before: holdings, after: holdings, needsApproval: z.boolean() }),
});

/** A link, good for a minute and once, that opens the member's console read-only for a quarter of an hour. */
export const viewAsMember = operatorEndpoint({
  method: 'POST',
  path: '/members/:userId/view-as',
  action: 'member.viewAs',
  request: z.strictObject({ userId }),
  response: z.object({ url: z.string(), until: z.string() }),
});
