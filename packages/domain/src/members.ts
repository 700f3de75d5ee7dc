import { NAME_MAX, NAME_MIN } from './limits.js';

/** Where a sign-in or a translation came from (decisions §3). */
export const CLIENT_TYPES = {
  web: { code: 0, zh: '网页', en: 'Web' },
  windows: { code: 1, zh: 'Windows', en: 'Windows' },
  mac: { code: 2, zh: 'macOS', en: 'macOS' },
  android: { code: 3, zh: '安卓', en: 'Android' },
  ios: { code: 4, zh: 'iOS', en: 'iOS' },
  /** The member's own software, with a key. */
  api: { code: 5, zh: 'API', en: 'API' },
} as const;
export type ClientType = keyof typeof CLIENT_TYPES;

const TYPE_BY_CODE = new Map(
  Object.entries(CLIENT_TYPES).map(([type, row]) => [row.code as number, type as ClientType]),
);

/** The client type stored under `code`; web for a code that no row has. */
export const clientTypeOf = (code: number): ClientType => TYPE_BY_CODE.get(code) ?? 'web';

const USERNAME = /^[A-Za-z0-9\p{Script=Han}]+$/u;
// Controls with NUL, lone surrogates, bidi controls, line separators: a text with any of these can look like another one (decisions §1).
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
// Format characters, fillers, tags, soft hyphens, variation selectors and blanks that Unicode calls symbols.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{1D159}]/u;
// In a name, joiners and selectors are allowed only within an emoji of several code points.
const EMOJI =
  /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)*/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
// trim() would remove these silently instead of refusing them.
const UNTRIMMED = /[\u2028\u2029\uFEFF]/;

/** Length in code points. */
export const codePoints = (text: string): number => {
  let n = 0;
  for (const _ of text) n++;
  return n;
};

/**
 * Names and addresses are NFC and trimmed; passwords and text to translate never pass through here (decisions §1). A text with a line
 * separator or a zero-width space is not trimmed: its field refuses it.
 */
export const tidy = (value: string): string => {
  const composed = value.normalize('NFC');
  return UNTRIMMED.test(composed) ? composed : composed.trim();
};

/** Whether a text has no control, lone surrogate, bidi control or line separator: what any field of one line may hold (decisions §1). */
export const isSafeText = (value: string): boolean => !UNSAFE.test(value);

/** What a name may hold: a safe text in which nothing is invisible, the joiners of an emoji apart (decisions §1; docs/decisions/0040). */
export const isSafeName = (value: string): boolean => isSafeText(value) && !INVISIBLE.test(value.replace(EMOJI, ''));

/** The number of visible code points: letters, digits, punctuation, symbols; no space, mark or filler (docs/decisions/0040). */
export const visibleCodePoints = (text: string): number => {
  let n = 0;
  for (const point of text) if (VISIBLE.test(point) && !INVISIBLE.test(point)) n++;
  return n;
};

/** Whether a text has a visible code point (decisions §4). */
export const hasVisible = (text: string): boolean => {
  for (const point of text) if (VISIBLE.test(point) && !INVISIBLE.test(point)) return true;
  return false;
};

/** 2–32 of letters, digits and Han characters (decisions §3). */
export const isUsername = (value: string): boolean =>
  USERNAME.test(value) && codePoints(value) >= NAME_MIN && codePoints(value) <= NAME_MAX;

// Deliberately plain and linear-time: one @, no spaces or list separators, a dot inside the domain, no label that starts or ends with a hyphen.
const EMAIL = /^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;:<>()[\]\\"]+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** A single mailbox of at most 255 UTF-16 units; no provider is refused (decisions §3). */
export const isEmail = (value: string): boolean => {
  if (value.length > 255 || !EMAIL.test(value) || !isSafeName(value)) return false;
  // Mail servers do not know full-width and other compatibility forms.
  if (value.normalize('NFKC') !== value) return false;
  const [local = '', domain = ''] = value.split('@');
  const labels = domain.split('.');
  return !local.startsWith('.') && !local.endsWith('.') && labels.length > 1 && labels.every((l) => LABEL.test(l));
};

/** `linlan@x.cn` → `li***@x.cn`: shown to anyone who knows only the username (decisions §3). */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)].slice(0, 2).join('')}***${email.slice(at)}`;
};

/** The key under which names and addresses are unique, ignoring case (decisions §3). */
export const uniqueKey = (name: string): string => tidy(name).toLowerCase();
