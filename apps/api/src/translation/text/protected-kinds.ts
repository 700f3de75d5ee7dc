/**
 * What must come out of a translation as it went in. One row per kind; a kind is found by one pattern whose cost does not grow faster than
 * the text: a repetition is bounded, or begins only where the one before it ended, or cannot be read in two ways.
 */
import { LIKE_A_MASK } from './masks.js';

const URL_ASCII = String.raw`[A-Za-z0-9\-._~:\/?#[\]@!$&'()*+,;=%|{}]`;
// A path may be written in any script, but a sentence may follow an address without a blank: letters count only where a segment begins.
const URL_TAIL = String.raw`(?:${URL_ASCII}|(?<=[\/=?&#_.-])[\p{L}\p{M}]+(?<=[^\x00-\x7f]))`;
// Endings that are no words of a language, so that a blank forgotten after a full stop makes no address.
const DOMAIN_END = 'com|net|org|edu|gov|cn|io|info|biz|xyz|hk|tw|jp|kr|uk|eu|ru';

const DIGITS = String.raw`\p{Nd}+`;
const NUMBER = String.raw`(?<!\p{Nd})\.?${DIGITS}(?:[.,:\/'’٫٬·–−-]${DIGITS}|[ \u00a0\u202f\u2009]\p{Nd}{3}(?!\p{Nd}))*`;
const BLANK = String.raw`[ \u00a0\u202f]?`;
const MONEY =
  'USD|EUR|CNY|RMB|GBP|JPY|HKD|TWD|KRW|SGD|AUD|CAD|CHF|INR|RUB|THB|VND|MYR|IDR|PHP|BRL|MXN|AED|SAR|TRY|USDT|BTC';
const BEFORE = String.raw`(?:[A-Z]{0,3}\p{Sc}|(?<![A-Za-z])(?:${MONEY}))`;
const AFTER = String.raw`(?:\p{Sc}|(?:${MONEY}|zł|Kč|kr|Ft|лв)(?![\p{L}\p{N}]))`;

const PICTURE = String.raw`[\p{M}\p{EMod}\u{E0020}-\u{E007F}]|\u200d\p{ExtPict}?`;

const KINDS = {
  mask: LIKE_A_MASK,
  address: new RegExp(String.raw`(?:[A-Za-z][A-Za-z0-9+.-]{1,15}:\/\/|www\.|mailto:)${URL_TAIL}+`, 'gu'),
  domain: new RegExp(
    String.raw`(?<![A-Za-z0-9@._-])(?:[A-Za-z0-9-]{1,63}\.)+(?:${DOMAIN_END})(?![A-Za-z0-9-])(?:[:\/?#]${URL_TAIL}*)?`,
    'gu',
  ),
  email: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/gu,
  name: /(?<![A-Za-z0-9._%+-])[@＠][\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.·-]{0,62}[\p{L}\p{N}_])?/gu,
  // 1st, 2nd, 21st … are words, and other languages write them as words.
  number: new RegExp(
    String.raw`(?!(?<!\p{Nd})\d{1,9}(?:st|nd|rd|th)(?![\p{L}\p{N}]))(?:(?<![\p{L}\p{N}_.)])[+−±-])?${NUMBER}(?:${BLANK}(?:[%％‰]|${AFTER})|°[CFK]?)?`,
    'gu',
  ),
  sign: /[\p{No}\u2160-\u2188]+/gu,
  price: new RegExp(String.raw`(?:[+−-])?${BEFORE}${BLANK}[+−-]?${NUMBER}`, 'gu'),
  // SKU-12, iPhone15, 3D: letters and digits that mean something together only. In 5kg the letters are a word of the language.
  code: /(?<![\p{L}\p{N}_-])(?=[A-Z0-9-]*[A-Z]-?\d|\d{1,4}[A-Z](?![\p{L}\p{N}]))[A-Z0-9]+(?:-[A-Z0-9]+)*(?![a-z])|(?<![A-Za-z0-9])[A-Za-z0-9]*[A-Za-z]\d[A-Za-z0-9]*/gu,
  emoji: new RegExp(String.raw`(?:\p{RI}{1,2}|[0-9#*]\ufe0f?\u20e3|\p{ExtPict}|\p{EMod})(?:${PICTURE})*`, 'gu'),
  // {x} {{x}} ${x} #{x} %{x} {} and what printf knows.
  placeholder:
    /\{\{[^{}\n]{1,64}\}\}|[$#%]?\{[\p{L}\p{N}\p{M}_$.:[\]-]{0,64}\}|[$#%]?\{ [\p{L}\p{N}\p{M}_$.:[\]-]{1,64} \}/gu,
  format:
    /%(?:\d{1,2}\$)?(?:[-+0#]{0,2}\d{0,3}(?:\.\d{1,2})?(?:hh|h|ll|l|L|q|z|j|t)?[diouxXeEfFgGcCsSp@](?![A-Za-z])|%)|%\([A-Za-z_]\w{0,63}\)[-+0#]{0,2}\d{0,3}(?:\.\d{1,2})?[a-zA-Z]/gu,
  tag: /<\/?[A-Za-z](?:"[^"<]*"|'[^'<]*'|[^"'<>])*>|<[!?][^<>]*>/gu,
  entity: /&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});/gu,
} as const satisfies Record<string, RegExp>;

export const PATTERNS: readonly RegExp[] = Object.values(KINDS);
/** The kinds whose matches may end with the punctuation of the sentence around them. */
export const LOOSE_ENDS: ReadonlySet<RegExp> = new Set([KINDS.address, KINDS.domain]);
