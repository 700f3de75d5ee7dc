/** The field schemas: every rule of specification §5 and decisions §1, once. */
import {
  ACCOUNT_MIN,
  EMAIL_MAX,
  NAME_MAX,
  NAME_MIN,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  SIGN_IN_CODE_MAX,
} from '@yiqiao/domain/limits';
import {
  CLIENT_TYPES,
  codePoints,
  isEmail,
  isSafeName,
  isUsername,
  tidy,
  visibleCodePoints,
  type ClientType,
} from '@yiqiao/domain/members';
import { z } from 'zod';
import type { FieldCode } from './field-messages.js';

/** Maps zod's own issue to one of our codes: `missing` for a missing value, else `otherwise`. */
export const orMissing =
  (missing: FieldCode, otherwise: FieldCode = 'WRONG_TYPE') =>
  (issue: { input?: unknown }): FieldCode =>
    issue.input === undefined || issue.input === null ? missing : otherwise;

const required = (code: FieldCode) => z.string({ error: orMissing(code) });
const check = (test: (s: string) => boolean, error: FieldCode) => z.string().refine(test, { error, abort: true });

/** Names are normalised before they are checked (decisions §1). */
const name = (missing: FieldCode) =>
  required(missing)
    .transform(tidy)
    .pipe(check((s) => s.length > 0, missing));

export const username = name('USERNAME_REQUIRED')
  .pipe(check((s) => codePoints(s) >= NAME_MIN, 'USERNAME_MIN'))
  .pipe(check((s) => codePoints(s) <= NAME_MAX, 'USERNAME_MAX'))
  .pipe(check(isUsername, 'USERNAME_FORMAT'));

export const email = name('EMAIL_REQUIRED')
  .pipe(check((s) => codePoints(s) <= EMAIL_MAX, 'EMAIL_MAX'))
  .pipe(check(isEmail, 'EMAIL_FORMAT'));

export const nickname = name('NICKNAME_MIN')
  .pipe(check((s) => codePoints(s) >= NAME_MIN, 'NICKNAME_MIN'))
  .pipe(check((s) => codePoints(s) <= NAME_MAX, 'NICKNAME_MAX'))
  .pipe(check(isSafeName, 'UNSAFE_TEXT'))
  .pipe(check((s) => visibleCodePoints(s) >= NAME_MIN, 'NICKNAME_MIN'));

/** A username or an address, as typed into the login form. */
export const account = name('ACCOUNT_REQUIRED')
  .pipe(check((s) => codePoints(s) >= ACCOUNT_MIN, 'ACCOUNT_MIN'))
  .pipe(check((s) => codePoints(s) <= EMAIL_MAX && isSafeName(s), 'INVALID'));

/** Passwords are taken as sent: never trimmed, never normalised (decisions §3). */
const passwordOf = (short: FieldCode) =>
  required('PASSWORD_REQUIRED')
    .pipe(check((s) => codePoints(s) >= PASSWORD_MIN, short))
    .pipe(check((s) => codePoints(s) <= PASSWORD_MAX, 'PASSWORD_MAX'));
export const password = passwordOf('PASSWORD_MIN');
export const oldPassword = passwordOf('OLD_PASSWORD_MIN');

export const vcode = required('VCODE_REQUIRED')
  .transform(tidy)
  .pipe(check((s) => /^\d{6}$/.test(s), 'VCODE_FORMAT'));

/** A code of an authenticator app or a recovery code: with or without spaces and hyphens, checked as a whole. */
export const signInCode = required('VCODE_REQUIRED')
  .transform(tidy)
  .pipe(check((s) => s !== '', 'VCODE_REQUIRED'))
  .pipe(check((s) => codePoints(s) <= SIGN_IN_CODE_MAX, 'INVALID'));

export const clientType = z.enum(Object.keys(CLIENT_TYPES) as [ClientType, ...ClientType[]], { error: 'WRONG_VALUE' });
/** Browser with its major version and system of a sign-in; null when not recognized or not recorded. */
export const device = { browser: z.string().nullable(), system: z.string().nullable() };

/** For values that are not typed by users: null has the wrong type rather than being missing. */
export const orAbsent = ({ input }: { input?: unknown }): FieldCode =>
  input === undefined ? 'REQUIRED' : 'WRONG_TYPE';

export const id = z.int({ error: orAbsent }).positive({ error: 'WRONG_VALUE' });

/** 0 or 1, as a number. */
export const flag = z.literal([0, 1], { error: orMissing('REQUIRED', 'WRONG_VALUE') });

/** Whole numbers in a query string; `abc`, `1.5`, `1e3` and repeated parameters are refused. */
export const queryInt = z
  .string({ error: orMissing('REQUIRED') })
  .regex(/^\d{1,16}$/, { error: 'WRONG_TYPE' })
  .transform(Number);
export const queryId = queryInt.pipe(z.int().positive({ error: 'WRONG_VALUE' }));

/** Paging of every list (decisions §1). */
export const paging = {
  pageNum: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' })).default(1),
  pageSize: queryInt
    .pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(PAGE_SIZE_MAX, { error: 'TOO_BIG' }))
    .default(PAGE_SIZE),
};

/** `YYYY-MM-DD HH:mm:ss` that exists in the calendar. Read in APP_TIMEZONE by the server. */
const isDateTime = (s: string): boolean => {
  const m = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(s);
  if (!m) return false;
  const [y, mo, d, h, mi, se] = m.slice(1).map(Number) as [number, number, number, number, number, number];
  const date = new Date(Date.UTC(y, mo - 1, d, h, mi, se));
  return (
    date.getUTCMonth() === mo - 1 &&
    date.getUTCDate() === d &&
    date.getUTCHours() === h &&
    mi < 60 &&
    se < 60 &&
    y > 1999
  );
};
export const dateTime = z.string({ error: 'WRONG_TYPE' }).refine(isDateTime, { error: 'DATE_FORMAT' });
/** `YYYY-MM-DD` that exists in the calendar. */
export const calendarDay = z
  .string({ error: 'WRONG_TYPE' })
  .refine((s) => isDateTime(`${s} 00:00:00`), { error: 'DATE_FORMAT' });

/** Refuses a range whose begin is after its end; text order is time order in this format. */
export const inOrder =
  <B extends string, E extends string>(begin: B, end: E) =>
  (q: Partial<Record<B | E, string>>, ctx: z.RefinementCtx): void => {
    const [from, to] = [q[begin], q[end]];
    if (from !== undefined && to !== undefined && from > to)
      ctx.addIssue({ code: 'custom', path: [begin], message: 'RANGE_REVERSED' satisfies FieldCode });
  };

const isIp = (text: string): boolean =>
  /^[\da-f:.]+$/i.test(text) && (z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success);

/** The filter of an address: a whole IPv4 or IPv6 address, without a zone. */
export const queryIp = z
  .string({ error: 'WRONG_TYPE' })
  .transform(tidy)
  .pipe(check((s) => s.length <= 45, 'TOO_LONG'))
  // An empty form field is no filter.
  .pipe(check((s) => s === '' || isIp(s), 'IP_FORMAT'))
  .transform((s) => (s === '' ? undefined : s));

/** The value of a query parameter that filters nothing. */
const NO_FILTER = '-1';

/** A filter of a list or an export: optional, and none at all when it is −1 (decisions §1). */
export const filter = <T extends z.ZodType>(schema: T): z.ZodOptional<T> =>
  z.preprocess((value) => (value === NO_FILTER ? undefined : value), schema.optional()) as unknown as z.ZodOptional<T>;

export const page = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), total: z.int() });

/** A page of a log. `archivedUntil`: translations of the member up to then are not in the log any more; absent if all are (docs/decisions/0075). */
export const logPage = <Row extends z.ZodType>(row: Row) => page(row).extend({ archivedUntil: z.string().optional() });
