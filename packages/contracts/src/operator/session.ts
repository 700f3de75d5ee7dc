/** Signing in to the operator console (operators §2). */
import { operatorRoles } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done, nothing } from '../endpoint.js';
import { orAbsent } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const text = (most: number) =>
  z.string({ error: orAbsent }).min(1, { error: 'REQUIRED' }).max(most, { error: 'TOO_LONG' });
const name = text(64);
const code = text(32);
/** One line of visible characters; not the name under which the action log has what the product does by itself. */
export const operatorName = z
  .string({ error: orAbsent })
  .transform((name) => name.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, { error: 'REQUIRED' })
      .max(64, { error: 'TOO_LONG' })
      .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, { error: 'UNSAFE_TEXT' })
      .refine((name) => name.toLowerCase() !== 'system', { error: 'WRONG_VALUE' }),
  );
/** 12 to 128 characters, taken as typed. */
export const newPassword = z
  .string({ error: orAbsent })
  .min(12, { error: 'OPERATOR_PASSWORD_LENGTH' })
  .max(128, { error: 'OPERATOR_PASSWORD_LENGTH' });

/** The signed-in operator; every write carries `csrf` as `x-csrf-token`. */
export const operatorSession = z.object({ name: z.string(), role: z.enum(operatorRoles), csrf: z.string() });

/** Takes name and password, and asks for the code whatever they were. */
export const signIn = operatorEndpoint({
  method: 'POST',
  path: '/sign-in',
  action: 'signedOut',
  request: z.strictObject({ name, password: text(128) }),
  response: z.object({ step: z.literal('code') }),
});

/** Sets the session cookie. 422 OPERATOR_SIGN_IN_WRONG for any wrong name, password or code; 429 LOGIN_LOCKED after five in 15 minutes. */
export const enterCode = operatorEndpoint({
  method: 'POST',
  path: '/sign-in/code',
  action: 'signedOut',
  request: z.strictObject({ code }),
  response: operatorSession,
});

export const getSession = operatorEndpoint({
  method: 'GET',
  path: '/session',
  action: 'self.manage',
  request: nothing,
  response: operatorSession,
});

export const signOut = operatorEndpoint({
  method: 'POST',
  path: '/sign-out',
  action: 'self.manage',
  request: nothing,
  response: done,
});

/**
 * Who an enrolment link is for, and the secret to scan. The token is in the link's fragment and here in the body, so that no log has it.
 * 409 ENROLMENT_LINK_USED for one that is used, replaced or older than a day.
 */
export const openEnrolment = operatorEndpoint({
  method: 'POST',
  path: '/enrolments/open',
  action: 'signedOut',
  request: z.strictObject({ token: text(64) }),
  response: z.object({ name: z.string(), role: z.enum(operatorRoles), secret: z.string(), uri: z.string() }),
});

/** Sets password and authenticator app with a first code; returns the recovery codes, which are shown once. */
export const enrol = operatorEndpoint({
  method: 'POST',
  path: '/enrolments',
  action: 'signedOut',
  request: z.strictObject({ token: text(64), password: newPassword, code }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
});
