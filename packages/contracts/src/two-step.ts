/** Two-step sign-in of main accounts. Not in the specification (docs/decisions/0050). */
import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { flag, password, signInCode } from './fields.js';

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const getTwoStep = endpoint({
  method: 'GET',
  path: '/user/twoStep',
  access: 'main',
  request: nothing,
  response: z.object({ enabled: flag, sinceDateTime: z.string().nullable(), recoveryCodesLeft: z.int() }),
});

/**
 * Returns a new secret, as base32 and as an `otpauth:` address for a QR code. It is shown once, and counts for nothing until `confirm`.
 * 409 TWO_STEP_ON.
 */
export const enrolTwoStep = endpoint({
  method: 'POST',
  path: '/user/twoStep/enrol',
  access: 'main',
  request: z.strictObject({ password }),
  response: z.object({ secret: z.string(), uri: z.string() }),
});

/**
 * Switches it on with a first code of the app and ends all other sessions of the member; returns the recovery codes, which are shown once.
 * 409 ENROLMENT_EXPIRED.
 */
export const confirmTwoStep = endpoint({
  method: 'POST',
  path: '/user/twoStep/confirm',
  access: 'main',
  request: z.strictObject({ code: signInCode }),
  response: recoveryCodes,
});

/** Replaces the recovery codes. 409 TWO_STEP_OFF. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/user/twoStep/recoveryCodes',
  access: 'main',
  request: z.strictObject({ password, code: signInCode }),
  response: recoveryCodes,
});

/** Switches it off. 409 TWO_STEP_OFF. */
export const disableTwoStep = endpoint({
  method: 'POST',
  path: '/user/twoStep/disable',
  access: 'main',
  request: z.strictObject({ password, code: signInCode }),
  response: done,
});
