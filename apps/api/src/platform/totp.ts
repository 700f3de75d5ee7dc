import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app supports, and some of them nothing else. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Codes of the step before and after are accepted, for clocks that are off and people who type slowly. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** A new secret in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The `otpauth:` address of a secret, for a QR code. */
export const totpUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...SETTINGS, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** The time step of a valid code; null for a wrong one. A caller accepts each step once (RFC 6238 §5.2). `timestamp`: ms. */
export function totpStep(secret: string, code: string, timestamp: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = TOTP.validate({ ...SETTINGS, token, secret: Secret.fromBase32(secret), timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp }) + delta;
}

/** Letters and digits that are not easily confused: 32 of them, so each is five random bits. */
const RECOVERY_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const RECOVERY_LENGTH = 10;

/** A recovery code, without its hyphen. */
export const newRecoveryCode = (): string =>
  [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_LETTERS[byte % RECOVERY_LETTERS.length]).join('');

/** As it is shown: two groups of five. */
export const groupedRecoveryCode = (code: string): string =>
  `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`;

/** As it was made: without spaces, hyphens and small letters. */
export const plainRecoveryCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();
