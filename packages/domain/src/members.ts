import { NAME_MAX, NAME_MIN } from './limits.js';

/** Where a sign-in or a translation came from (decisions §3). */
export const CLIENT_TYPES = {
  web: { code: 0, zh: '网页', en: 'Web' },
  windows: { code: 1, zh: 'Windows', en: 'Windows' },
  mac: { code: 2, zh: 'macOS', en: 'macOS' },
  android: { code: 3, zh: '安卓', en: 'Android' },
  ios: { code: 4, zh: 'iOS', en: 'iOS' },
} as const;
export type ClientType = keyof typeof CLIENT_TYPES;

const TYPE_BY_CODE = new Map(
  Object.entries(CLIENT_TYPES).map(([type, row]) => [row.code as number, type as ClientType]),
);

/** The client type stored under `code`; web for a code that no row has. */
export const clientTypeOf = (code: number): ClientType => TYPE_BY_CODE.get(code) ?? 'web';

const USERNAME = /^[A-Za-z0-9\p{Script=Han}]+$/u;
// NUL and other controls, lone surrogates, bidi controls: a name made of these can pass for another (decisions §1).
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Length in code points: what people count when they count characters. */
export const codePoints = (text: string): number => {
  let n = 0;
  for (const _ of text) n++;
  return n;
};

/** Names and addresses are NFC and trimmed; passwords and text to translate never pass through here (decisions §1). */
export const tidy = (value: string): string => value.normalize('NFC').trim();

export const isSafeName = (value: string): boolean => !UNSAFE.test(value);

/** 2–32 of letters, digits and Han characters (decisions §3). */
export const isUsername = (value: string): boolean =>
  USERNAME.test(value) && codePoints(value) >= NAME_MIN && codePoints(value) <= NAME_MAX;

// Deliberately plain and linear-time: one @, no spaces or list separators, a dot inside the domain, no label that starts or ends with a hyphen.
const EMAIL = /^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;:<>()[\]\\"]+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A single mailbox, 2–255 code points; no provider is refused (decisions §3). */
export const isEmail = (value: string): boolean => {
  if (value.length > 255 || !EMAIL.test(value) || UNSAFE.test(value)) return false;
  const [local = '', domain = ''] = value.split('@');
  const labels = domain.split('.');
  return !local.startsWith('.') && !local.endsWith('.') && labels.length > 1 && labels.every((l) => LABEL.test(l));
};

/** `linlan@x.cn` → `li***@x.cn`: what a stranger who knows only a username may see (decisions §3). */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)].slice(0, 2).join('')}***${email.slice(at)}`;
};

/** The form under which names and addresses are unique: case does not count (decisions §3). */
export const uniqueKey = (name: string): string => tidy(name).toLowerCase();
