import type { ApiError } from '../../../shared/api/api-error.js';
import type { BillingMode } from '@yiqiao/domain/plans';
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

/** `main`: a main account, which alone changes the channel. `others`: another channel that it may choose can do what was refused. */
export type Switching = { main: boolean; others: boolean };

/** The steps that this account can take: another channel where it can choose one that helps, else only when there is no other step. */
export const stepsFor = <S extends string>({ next }: RefusalReading<S>, { main, others }: Switching): readonly S[] => {
  const own = main && others ? next : next.filter((step) => step !== 'channel');
  return own.length > 0 ? own : next;
};

/** The message about other channels, where one would help and there is no button for it. */
export const channelNote = (
  { next }: RefusalReading<string>,
  { main, others, mode }: Switching & { mode: BillingMode },
): 'askMainChannel' | 'noOther' | 'noOtherIncluded' | null => {
  if (!next.includes('channel') || (main && others)) return null;
  if (others) return 'askMainChannel';
  return mode === 'time' ? 'noOtherIncluded' : 'noOther';
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

/** Refusals whose message advises another channel, without that advice: a sub-account, or a member without another channel, cannot follow it. */
export const MESSAGES_WITHOUT_ADVICE = {
  PAIR_NOT_SUPPORTED: 'onlyPair',
  ONLY_GLOSS: 'onlyGloss',
  SPEECH_UNCLEAR: 'onlyUnclear',
  UPSTREAM_FAILED: 'onlyFailed',
  UPSTREAM_TIMEOUT: 'onlyTimeout',
  NOT_TRANSLATED: 'onlyNotTranslated',
  CONTENT_REFUSED: 'onlyContent',
} as const;

const isKnown = (code: string): code is keyof typeof MESSAGES_WITHOUT_ADVICE =>
  Object.hasOwn(MESSAGES_WITHOUT_ADVICE, code);

/** The message of a refusal for a member who can, or cannot, choose another channel. */
export const refusalText = (
  error: ApiError,
  { main, others, t }: Switching & { t: Translate<'translation-test'> },
): string => (!(main && others) && isKnown(error.code) ? t(MESSAGES_WITHOUT_ADVICE[error.code]) : error.message);
