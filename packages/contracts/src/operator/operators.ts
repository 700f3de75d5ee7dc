/** The operators of the console, and what each may do with the own account (operators §2). */
import { operatorRoles } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done, nothing } from '../endpoint.js';
import { orAbsent, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';
import { oneTimeCode } from './requests.js';
import { newPassword, operatorName } from './session.js';

const role = z.enum(operatorRoles, { error: 'WRONG_VALUE' });

const operatorRow = z.object({
  id: z.int(),
  name: z.string(),
  role,
  /** `invited`: the enrolment link has not been used. */
  state: z.enum(['invited', 'active', 'ended']),
  lastSignInAt: z.string().nullable(),
  sessions: z.int(),
  recoveryCodesLeft: z.int().nullable(),
  createdAt: z.string(),
});

/** Recovery codes that are left: one's own, and everybody's to owners. */
export const listOperators = operatorEndpoint({
  method: 'GET',
  path: '/operators',
  action: 'read',
  request: nothing,
  response: z.object({ rows: z.array(operatorRow), total: z.int() }),
});

/** The enrolment link, shown once: it holds a secret. */
const link = z.object({ id: z.int(), link: z.string(), expiresAt: z.string() });

/** 409 OPERATOR_EXISTS, also for one who has ended: names in the action log stay unmistakable. */
export const inviteOperator = operatorEndpoint({
  method: 'POST',
  path: '/operators',
  action: 'operator.create',
  request: z.strictObject({ name: operatorName, role, code: oneTimeCode }),
  response: link,
});

/** A new link for one who lost password or app; ends the sessions. */
export const renewOperator = operatorEndpoint({
  method: 'POST',
  path: '/operators/:id/renew',
  action: 'operator.create',
  request: z.strictObject({ id: queryId, code: oneTimeCode }),
  response: link,
});

/** Ends all sessions of an operator. Role and end of an operator are requests. */
export const signOutOperator = operatorEndpoint({
  method: 'POST',
  path: '/operators/:id/sign-out',
  action: 'operator.signOut',
  request: z.strictObject({ id: queryId }),
  response: done,
});

export const listOwnSessions = operatorEndpoint({
  method: 'GET',
  path: '/own/sessions',
  action: 'self.manage',
  request: nothing,
  response: z.object({
    rows: z.array(
      z.object({
        /** The first digits of its digest, as in the action log. */
        id: z.string(),
        ip: z.string(),
        userAgent: z.string(),
        startedAt: z.string(),
        lastUsedAt: z.string(),
        current: z.boolean(),
      }),
    ),
    total: z.int(),
  }),
});

/** Ends one other session of one's own; without `id` all others. */
export const endOwnSessions = operatorEndpoint({
  method: 'POST',
  path: '/own/sessions/end',
  action: 'self.manage',
  request: z.strictObject({
    id: z
      .string()
      .regex(/^[0-9a-f]{12}$/, { error: 'WRONG_VALUE' })
      .optional(),
  }),
  response: z.object({ ended: z.int() }),
});

/** Ends one's other sessions. 422 WRONG_OLD_PASSWORD. */
export const changeOwnPassword = operatorEndpoint({
  method: 'POST',
  path: '/own/password',
  action: 'self.secure',
  request: z.strictObject({
    oldPassword: z.string({ error: orAbsent }).min(1, { error: 'REQUIRED' }).max(128, { error: 'TOO_LONG' }),
    password: newPassword,
    code: oneTimeCode,
  }),
  response: done,
});

/** Ten new recovery codes, shown once; the old ones are void. */
export const renewRecoveryCodes = operatorEndpoint({
  method: 'POST',
  path: '/own/recovery-codes',
  action: 'self.secure',
  request: z.strictObject({ code: oneTimeCode }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
});
