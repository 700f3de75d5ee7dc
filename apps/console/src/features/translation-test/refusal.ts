import { AUTO } from './abilities.js';

/** What a person can do about a refusal; the page draws one button for it. */
export type NextStep = 'recharge' | 'choose-language' | 'other-channel' | 'wait' | 'retry' | 'shorten' | 'none';

/** `charged`: 'no' for certain ('said' when the message says so itself), or 'unknown' when no answer came back (a retry with the same key then never charges twice). */
export type RefusalReading = { next: NextStep; charged: 'no' | 'said' | 'unknown' };

const READINGS: Readonly<Record<string, RefusalReading>> = {
  QUOTA_NOT_ENOUGH: { next: 'recharge', charged: 'no' },
  PACKAGE_EXPIRED: { next: 'recharge', charged: 'no' },
  SAME_LANGUAGE: { next: 'choose-language', charged: 'no' },
  LANGUAGE_NOT_DETECTED: { next: 'choose-language', charged: 'no' },
  PAIR_NOT_SUPPORTED: { next: 'other-channel', charged: 'no' },
  CHANNEL_UNAVAILABLE: { next: 'other-channel', charged: 'no' },
  MAIN_ACCOUNT_ONLY: { next: 'other-channel', charged: 'no' },
  NOT_FOUND: { next: 'other-channel', charged: 'no' },
  CHANNEL_CHANGED: { next: 'retry', charged: 'no' },
  TOO_MANY_REQUESTS: { next: 'wait', charged: 'no' },
  // How it ended is not known: asked again under the same key it is charged once.
  SERVICE_BUSY: { next: 'retry', charged: 'unknown' },
  UPSTREAM_FAILED: { next: 'retry', charged: 'said' },
  UPSTREAM_TIMEOUT: { next: 'retry', charged: 'said' },
  NOT_TRANSLATED: { next: 'other-channel', charged: 'said' },
  CONTENT_REFUSED: { next: 'other-channel', charged: 'said' },
  VALIDATION_FAILED: { next: 'shorten', charged: 'no' },
  NETWORK: { next: 'retry', charged: 'unknown' },
  TIMEOUT: { next: 'retry', charged: 'unknown' },
};

/** How to go on after a refusal with `code`; an unknown one may be tried again, and what it cost is not claimed. */
export const readRefusal = (code: string): RefusalReading => READINGS[code] ?? { next: 'retry', charged: 'unknown' };

/** The language that the server found in a text sent as `auto`, when it refused because of that language. */
export const detectedIn = (askedSource: string, { source }: Readonly<Record<string, unknown>>): string | null =>
  askedSource === AUTO && typeof source === 'string' ? source : null;

/** What was attempted, and under which Idempotency-Key. */
export type Attempt = { body: string; key: string };

/**
 * The key of the next attempt (decisions §1): a new one each time, except that the same text sent again after an unknown outcome
 * goes under the old key, so that the server answers with the first result and nothing is charged twice.
 */
export const keyOf = (
  body: string,
  last: (Attempt & { outcome: 'known' | 'unknown' }) | undefined,
  fresh: string,
): string => (last !== undefined && last.outcome === 'unknown' && last.body === body ? last.key : fresh);
