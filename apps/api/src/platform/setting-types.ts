/** Types of settings. Each says what it expects, for the person who set something else. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { readRedisUrl } from './redis-address.js';

/** Digits alone: `1e3`, `0x10` and ` 5 ` are mistakes. */
export const wholeNumber = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most}`;
  return z
    .string(expected)
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .pipe(z.number().min(least, expected).max(most, expected));
};

/** A part of a whole. */
export const share = z
  .string('a number from 0 to 1')
  .regex(/^(0|1|0?\.\d{1,6})$/, 'a number from 0 to 1')
  .transform(Number);

/** HTTP headers as OpenTelemetry's exporter reads them: blanks around names and values do not count. */
export const headers = z
  .string()
  .refine(
    (text) => text.split(',').every((part) => /^\s*[^\s=]+\s*=\s*\S/.test(part)),
    'name=value, more of them after commas',
  );

const LIMIT_MOST = 1_000_000_000;

/** A rate limit; each can be set by the environment (decisions §3). */
export const limit = (points: number) => wholeNumber(1, LIMIT_MOST).default(points);

export const listOf = (initial: string) =>
  z
    .string()
    .default(initial)
    .transform((s) =>
      s
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    );

/** An address with one of these protocols; the first is the recommended one. */
export const addressOf = (first: `${string}:`, ...others: readonly `${string}:`[]) =>
  z.string().refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return hostname !== '' && [first, ...others].some((one) => one === protocol);
  }, `an address that begins with ${first}//`);

export const databaseUrl = addressOf('postgresql:', 'postgres:');
export const webUrl = addressOf('https:', 'http:');

export const redisUrl = z
  .string()
  .refine(
    (text) => readRedisUrl(text) !== null,
    'an address that begins with redis:// or rediss://, or redis+sentinel://[user:password@]host:port,host:port/name',
  );

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

export const timeZone = z.string().refine(isTimeZone, 'a time zone such as Asia/Shanghai');

/** An address, a network such as 10.0.0.0/8, or one of the names of private networks. */
const isProxy = (text: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  return version !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};

export const proxies = listOf('').refine((all) => all.every(isProxy), 'addresses or networks, separated by commas');

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What zod says where a setting's type says nothing itself. */
export const expectedBy: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'required';
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') return 'an address that begins with https://';
  return undefined;
};

const SECRET =
  /SECRET|PASSWORD|(^|_)(KEY|TOKEN)|_(CERT|HEADERS)$|^(LEDGER_|BACKUP_|STANDBY_)?DATABASE_(MIGRATION_)?URL$|^(REDIS|SMTP)_URL$/;
const SHOWN_MOST = 60;

/** `PORT: a whole number from 0 to 65535, not "80a"`. A secret, or an address that may hold one, is not shown. */
export function problemOf({ path, message }: Issue, given: Readonly<Record<string, string | undefined>>): string {
  const [name = ''] = path.map(String);
  const value = given[name];
  const isShown = value !== undefined && !SECRET.test(name) && !/[@?#]/.test(value) && message !== 'required';
  const where = path.map(String).join('.');
  return isShown ? `${where}: ${message}, not ${JSON.stringify(shortened(value))}` : `${where}: ${message}`;
}

const shortened = (text: string): string => (text.length > SHOWN_MOST ? `${text.slice(0, SHOWN_MOST - 1)}…` : text);
