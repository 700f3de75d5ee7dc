import type { ApiError } from '../../../shared/api/api-error.js';
import type { Translate } from '../../../shared/i18n/messages.js';
import { AUTO } from './abilities.js';

/** The steps that a member can take after a refusal; the page has a button for each. */
export type NextStep = 'recharge' | 'language' | 'channel' | 'retry' | 'text';

/**
 * `next`: the most helpful step first. `charged`: 'no' for certain ('said' when the message says so itself), or 'unknown' when no response
 * came back (a retry with the same key then never charges twice).
 */
export type RefusalReading<S extends string = NextStep> = {
  next: readonly [S, ...S[]];
  charged: 'no' | 'said' | 'unknown';
};

const READINGS: Readonly<Record<string, RefusalReading>> = {
  QUOTA_NOT_ENOUGH: { next: ['recharge'], charged: 'no' },
  CAP_REACHED: { next: ['retry'], charged: 'no' },
  PACKAGE_EXPIRED: { next: ['recharge'], charged: 'no' },
  SAME_LANGUAGE: { next: ['language'], charged: 'no' },
  LANGUAGE_NOT_DETECTED: { next: ['language'], charged: 'no' },
  PAIR_NOT_SUPPORTED: { next: ['channel', 'language'], charged: 'no' },
  CHANNEL_NOT_INCLUDED: { next: ['channel'], charged: 'no' },
  CHANNEL_UNAVAILABLE: { next: ['channel'], charged: 'no' },
  MAIN_ACCOUNT_ONLY: { next: ['channel'], charged: 'no' },
  NOT_FOUND: { next: ['channel'], charged: 'no' },
  CHANNEL_CHANGED: { next: ['retry'], charged: 'no' },
  TOO_MANY_REQUESTS: { next: ['retry'], charged: 'no' },
  // The outcome is unknown: a retry with the same key is charged once.
  SERVICE_BUSY: { next: ['retry'], charged: 'unknown' },
  UPSTREAM_FAILED: { next: ['retry', 'channel'], charged: 'said' },
  UPSTREAM_TIMEOUT: { next: ['retry', 'channel'], charged: 'said' },
  NOT_TRANSLATED: { next: ['language', 'channel'], charged: 'said' },
  CONTENT_REFUSED: { next: ['text', 'channel'], charged: 'said' },
  TEXT_EMPTY: { next: ['text'], charged: 'no' },
  VALIDATION_FAILED: { next: ['text'], charged: 'no' },
  NETWORK: { next: ['retry'], charged: 'unknown' },
  TIMEOUT: { next: ['retry'], charged: 'unknown' },
};

/** The next steps after a refusal with `code`; an unknown code may be retried, with no claim about the cost. */
export const readRefusal = (code: string): RefusalReading => READINGS[code] ?? { next: ['retry'], charged: 'unknown' };

/** The steps that this account can take: only a main account changes the channel, so a sub-account gets that step only when there is no other. */
export const stepsFor = <S extends string>({ next }: RefusalReading<S>, main: boolean): readonly S[] => {
  const own = main ? next : next.filter((step) => step !== 'channel');
  return own.length > 0 ? own : next;
};

/** The language that the server detected in a text sent as `auto`, when it refused that language. */
export const detectedIn = (askedSource: string, { source }: Readonly<Record<string, unknown>>): string | null =>
  askedSource === AUTO && typeof source === 'string' ? source : null;

/** An attempt and its Idempotency-Key. */
export type Attempt = { body: string; key: string };

/**
 * The key of the next attempt (decisions §1): a new one each time, except that the same text sent again after an unknown outcome
 * uses the old key, so that the server returns the first result and charges once.
 */
export const keyOf = (
  body: string,
  last: (Attempt & { outcome: 'known' | 'unknown' }) | undefined,
  fresh: string,
): string => (last !== undefined && last.outcome === 'unknown' && last.body === body ? last.key : fresh);

/** Refusals whose message advises another channel, which only a main account can choose (specification §6). */
export const SUB_ACCOUNT_MESSAGES = {
  PAIR_NOT_SUPPORTED: 'subPair',
  ONLY_GLOSS: 'subGloss',
  SPEECH_UNCLEAR: 'subUnclear',
  UPSTREAM_FAILED: 'subFailed',
  UPSTREAM_TIMEOUT: 'subTimeout',
  NOT_TRANSLATED: 'subNotTranslated',
  CONTENT_REFUSED: 'subContent',
} as const;

const isKnown = (code: string): code is keyof typeof SUB_ACCOUNT_MESSAGES => Object.hasOwn(SUB_ACCOUNT_MESSAGES, code);

/** The message of a refusal for this kind of account. `main`: a main account. */
export const refusalText = (
  error: ApiError,
  { main, t }: { main: boolean; t: Translate<'translation-test'> },
): string => (!main && isKnown(error.code) ? t(SUB_ACCOUNT_MESSAGES[error.code]) : error.message);
