/** Passkeys (WebAuthn), which replace password and code in one step (operators §2). */
import { PASSKEY_NAME_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done, nothing } from '../endpoint.js';
import { orAbsent } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';
import { oneTimeCode } from './requests.js';
import { operatorSession } from './session.js';

const bytes = (most: number) =>
  z
    .string({ error: orAbsent })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'WRONG_VALUE' })
    .max(most, { error: 'TOO_LONG' });
/** A credential's id has at most 1,023 bytes. */
const credentialId = bytes(1_364);
const type = z.literal('public-key', { error: 'WRONG_VALUE' });
const transports = z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']));
const attachment = z.enum(['cross-platform', 'platform'], { error: 'WRONG_VALUE' }).optional();
const clientExtensionResults = z.looseObject({});
const userVerification = z.literal('required');

const assertion = z.strictObject({
  id: credentialId,
  rawId: credentialId,
  type,
  authenticatorAttachment: attachment,
  clientExtensionResults,
  response: z.strictObject({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(4_096),
    userHandle: bytes(128).optional(),
  }),
});

const attestation = z.strictObject({
  id: credentialId,
  rawId: credentialId,
  type,
  authenticatorAttachment: attachment,
  clientExtensionResults,
  response: z.strictObject({
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(65_536),
    authenticatorData: bytes(8_192).optional(),
    transports: transports.optional(),
    publicKeyAlgorithm: z.int({ error: 'WRONG_VALUE' }).optional(),
    publicKey: bytes(8_192).optional(),
  }),
});

/** What the browser hands to the authenticator. It names no credential, so that it says nothing about anybody. */
export const askPasskey = operatorEndpoint({
  method: 'POST',
  path: '/sign-in/passkey/challenge',
  action: 'signedOut',
  request: nothing,
  response: z.object({ challenge: z.string(), rpId: z.string(), timeout: z.int(), userVerification }),
});

/** Sets the session cookie. 422 OPERATOR_SIGN_IN_WRONG for any passkey that does not sign in; 429 LOGIN_LOCKED after five in 15 minutes. */
export const signInByPasskey = operatorEndpoint({
  method: 'POST',
  path: '/sign-in/passkey',
  action: 'signedOut',
  request: z.strictObject({ credential: assertion }),
  response: operatorSession,
});

export const listOwnPasskeys = operatorEndpoint({
  method: 'GET',
  path: '/own/passkeys',
  action: 'self.manage',
  request: nothing,
  response: z.object({
    rows: z.array(
      z.object({ id: z.string(), name: z.string(), createdAt: z.string(), lastUsedAt: z.string().nullable() }),
    ),
    total: z.int(),
  }),
});

/** Begins to add a passkey. 422 PASSKEYS_FULL for the eleventh. */
export const beginPasskey = operatorEndpoint({
  method: 'POST',
  path: '/own/passkeys/challenge',
  action: 'self.secure',
  request: z.strictObject({
    name: z
      .string({ error: orAbsent })
      .transform((name) => name.normalize('NFC').trim())
      .pipe(
        z
          .string()
          .min(1, { error: 'REQUIRED' })
          .max(PASSKEY_NAME_MAX, { error: 'TOO_LONG' })
          .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._()+-]*$/u, { error: 'UNSAFE_TEXT' }),
      ),
    code: oneTimeCode,
  }),
  response: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type, alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(z.object({ id: z.string(), type, transports: transports.optional() })),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
    attestation: z.literal('none'),
  }),
});

/** Keeps the new passkey, within five minutes of `beginPasskey` in the same browser. 422 PASSKEY_REFUSED when it cannot be verified. */
export const addPasskey = operatorEndpoint({
  method: 'POST',
  path: '/own/passkeys',
  action: 'self.manage',
  request: z.strictObject({ credential: attestation }),
  response: done,
});

export const removePasskey = operatorEndpoint({
  method: 'POST',
  path: '/own/passkeys/remove',
  action: 'self.secure',
  request: z.strictObject({ id: credentialId, code: oneTimeCode }),
  response: done,
});
