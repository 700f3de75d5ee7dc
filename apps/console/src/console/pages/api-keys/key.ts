/** What an API key is to the page, without its looks. */
import type { getApiKey } from '@yiqiao/contracts/api-keys';
import type { Response } from '@yiqiao/contracts/endpoint';
import { MINUTE_MS } from '@yiqiao/domain/limits';
import { wireMs } from '../../shared/wire-time.js';

export type ApiKey = Response<typeof getApiKey>;

const DAY_MS = 24 * 60 * MINUTE_MS;

/** How full a cap is, from 0 to 1; null without one. */
export const shareOf = (used: number, cap: number): number | null => (cap === 0 ? null : Math.min(1, used / cap));

const SOON_DAYS = 7;

/** Days until `at`, rounded down; null when it is more than a week away or past. Both are wire times. */
export function daysLeft(at: string, now: string): number | null {
  const days = Math.floor((wireMs(at) - wireMs(now)) / DAY_MS);
  return days < 0 || days >= SOON_DAYS ? null : days;
}

/** The choices of an expiry, in days, besides a date of one's own. */
export const EXPIRY_DAYS = [30, 90, 365] as const;
export type Expiry = 'never' | (typeof EXPIRY_DAYS)[number] | 'day';

const wireOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const END_OF_DAY = '23:59:59';

/**
 * The wire time that a form means. `day`: `YYYY-MM-DD`, for the choice of a date; it ends that day, unless it is the day of `before`, the
 * expiry that was edited.
 */
export function expiryOf(choice: Expiry, day: string, now: string, before: string | null = null): string | null {
  if (choice === 'never') return null;
  if (choice !== 'day') return wireOf(wireMs(now) + choice * DAY_MS);
  return before?.startsWith(day) ? before : `${day} ${END_OF_DAY}`;
}

/** Where Immersive Translate sends its requests with a URL token. */
export const immersiveAddress = (origin: string, token: string): string => `${origin}/immersive/${token}`;

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** One command that translates `text` with the key, for a shell. */
export function commandFor({ kind }: Pick<ApiKey, 'kind'>, secret: string, origin: string, text: string): string {
  const target = /\p{Script=Han}/u.test(text) ? 'en' : 'zh-Hans';
  const [address, header, body] =
    kind === 'url'
      ? [immersiveAddress(origin, secret), [], { source_lang: 'auto', target_lang: target, text_list: [text] }]
      : [`${origin}/v1/translate`, [`Authorization: Bearer ${secret}`], { text, target }];
  const headers = [...header, 'Content-Type: application/json'].map((line) => `-H ${quoted(line)}`);
  return [`curl ${quoted(address)}`, ...headers, `-d ${quoted(JSON.stringify(body))}`].join(' \\\n  ');
}
