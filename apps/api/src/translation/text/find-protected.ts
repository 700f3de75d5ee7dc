import { PLACEHOLDER_LIKE } from './placeholders.js';
import { type TextRange, union } from './ranges.js';

/** Top-level domains of bare hosts (example.com), as parts of patterns. Hosts with a path or a port need none of these. */
const oneOf = (words: string): string => words.trim().split(/\s+/).join('|');

/** Not words of any language, so a missing space after a full stop does not make a host of two words. */
const SURE_ENDINGS = oneOf(`
  com net org edu gov mil int info biz xyz io dev vip wtf mobi asia icu ltd llc gmbh xn--[a-z0-9-]{2,59}
  ac ae af ag al ar au az ba bd bg bh bo br bw by bz ca cc cd cf cg ch ci cl cm cn co cr cu cy cz dj dk dz ec ee eg eu
  fj fm fr ga ge gg gh gl gq gr gt hk hn hr hu ie il iq ir jm jo jp ke kg kh kr kw kz lb lk ls lt lu lv ly mc md mk
  ml mm mn mt mu mv mw mx mz na ng nl np nz pe pf pg ph pk pl ps pt py qa ro rs ru rw sd sg sk sl sm sn st sv sy tc td tg th tj
  tk tn tr tt tv tw tz ua ug uk uy uz vc vg vn vu ws zm zw
`);

/** Also words: hosts only in lower case and not after a word that often ends a sentence. */
const WORD_ENDINGS = oneOf(`
  ad ai am as at be by de do es et fi gs gy id im in is it je la li ma me mo my ne ni no nu om pa pr pw re sa sc se sh si so su to tl tm us va za
  app art baby bar bid bike blog cafe care cash center chat city click cloud club company cool date deals design digital direct email
  express family fashion fit fun fund gift global gold group guru help host house ink jobs kim land life link live lol love ltda market
  media men moda money network news ninja one online page party photo pics plus press pro promo pub red ren rent report review rocks run
  sale school services shoes shop shopping show site ski social software solutions space store studio style support systems taxi team
  tech tips today tools top tours toys trade travel video vision wang watch wedding wiki win work works world zone
`);

/** Top-level domains in other scripts. */
const WORLD_ENDINGS = oneOf(`
  中国 中國 香港 台灣 台湾 澳門 澳门 新加坡 公司 网络 網絡 网址 网站 商城 商店 在线 集团 信息 政务 公益 移动 我爱你 みんな コム 한국 닷컴
  рф бел укр мкд срб қаз бг ею мон рус онлайн сайт дети орг ком ελ ευ հայ გე
  भारत ভারত ไทย السعودية امارات مصر ایران ישראל
`);

/** English words that often end a sentence. */
const EVERYDAY = oneOf(`
  a about again all and are back call day done else ever fine for go good great have he hello her here hi him his how i is it item
  just know later look me money more morning much my need never nice no not now of off ok okay on one order out please price problem
  question ready right see she so soon sorry sure thank thanks that the them then there they thing this time today tomorrow too two up
  us very wait want was way we week well what when where who why will work yes yesterday yet you your
`);

/**
 * Pieces that a translation must preserve. One pattern per kind, each linear in the length of the text: every repetition is bounded, starts
 * only where the previous one ended, or is unambiguous.
 */
const URL_ASCII = String.raw`[A-Za-z0-9\-._~:\/?#[\]@!$&'()*+,;=%|{}]`;
// A path may contain any script, but a sentence may follow a URL without a space: such letters count only at the start of a segment.
const URL_TAIL = String.raw`(?:${URL_ASCII}|(?<=[\/=?&#_.-])[\p{L}\p{M}]+(?<=[^\x00-\x7f]))`;
const PATH = String.raw`(?:[\/?#]${URL_TAIL}*)?`;
const PORT = String.raw`:\d{1,5}(?!\d)`;

const HOST_START = String.raw`(?<![\p{Script=Latin}\d@._-])`;
const LABELS = String.raw`(?:[\p{Script=Latin}\d-]{1,63}\.)+`;
const PLAIN_LABELS = '(?:[a-z0-9-]{1,63}\\.)+';
const HOST_END = String.raw`(?![\p{Script=Latin}\d-])`;
// With a path or a port, anything with a full stop in it is a host. Mixed case starts a sentence after a missing space.
const ANY_END = '(?:xn--[a-z0-9-]{2,59}|[a-z]{2,24}|[A-Z]{2,24})';
const DOTTED_QUAD = String.raw`(?<!\d)\d{1,3}(?:\.\d{1,3}){3}`;

const DIGITS = String.raw`\p{Nd}+`;
const NUMBER = String.raw`(?<!\p{Nd})\.?${DIGITS}(?:[.,:\/'’٫٬·–−-]${DIGITS}|[ \u00a0\u202f\u2009]\p{Nd}{3}(?!\p{Nd}))*`;
const EXPONENT = String.raw`(?:[eE][+−-]?\d{1,4}(?![A-Za-z0-9]))?`;
const BLANK = String.raw`[ \u00a0\u202f]?`;
const MONEY =
  'USD|EUR|CNY|RMB|GBP|JPY|HKD|TWD|KRW|SGD|AUD|CAD|CHF|INR|RUB|THB|VND|MYR|IDR|PHP|BRL|MXN|AED|SAR|TRY|USDT|BTC';
const BEFORE = String.raw`(?:[A-Z]{0,3}\p{Sc}|(?<![A-Za-z])(?:${MONEY}))`;
const AFTER = String.raw`(?:\p{Sc}|(?:${MONEY}|zł|Kč|kr|Ft|лв)(?![\p{L}\p{N}]))`;

const PICTURE = String.raw`[\p{M}\p{EMod}\u{E0020}-\u{E007F}]|\u200d\p{ExtPict}?`;

const KINDS = {
  mask: PLACEHOLDER_LIKE,
  address: new RegExp(String.raw`(?:[A-Za-z][A-Za-z0-9+.-]{1,15}:\/\/|www\.|mailto:)${URL_TAIL}+`, 'gu'),
  host: new RegExp(
    String.raw`${HOST_START}(?:${LABELS}${ANY_END}(?=\/|${PORT})|localhost(?=\/|${PORT})|${DOTTED_QUAD}(?=\/|${PORT}\/))(?:${PORT})?${PATH}`,
    'gu',
  ),
  hostV6: new RegExp(
    String.raw`\[(?:[0-9A-Fa-f]{0,4}:){2,8}[0-9A-Fa-f.]{0,15}(?:%\w{1,15})?\](?:${PORT})?${PATH}`,
    'gu',
  ),
  domain: new RegExp(
    String.raw`${HOST_START}${LABELS}(?:${SURE_ENDINGS}|${SURE_ENDINGS.toUpperCase()})${HOST_END}(?:${PORT})?${PATH}`,
    'gu',
  ),
  wordDomain: new RegExp(
    String.raw`${HOST_START}(?!(?:\d+|${EVERYDAY})\.[a-z]+(?![a-z.]))${PLAIN_LABELS}(?:${WORD_ENDINGS})${HOST_END}(?:${PORT})?${PATH}`,
    'gu',
  ),
  email: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/gu,
  worldEmail: new RegExp(
    String.raw`(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]+@(?:${LABELS}[A-Za-z]{2,24}${HOST_END}|(?:[A-Za-z0-9-]{1,63}\.|[\p{L}\p{M}]{1,63}\.)+(?:${WORLD_ENDINGS}))`,
    'gu',
  ),
  name: /(?<![A-Za-z0-9._%+-])[@＠][\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.·-]{0,62}[\p{L}\p{N}_])?/gu,
  // 1st, 2nd, 21st … are words that other languages write as words. The lookahead for the first character makes the search fast.
  number: new RegExp(
    String.raw`(?=[\p{Nd}.+−±-])(?!(?<!\p{Nd})\d{1,9}(?:st|nd|rd|th)(?![\p{L}\p{N}]))(?:(?<![\p{L}\p{N}_.)])[+−±-])?${NUMBER}${EXPONENT}(?:${BLANK}(?:[%％‰]|${AFTER})|°[CFK]?)?`,
    'gu',
  ),
  bits: /(?<![A-Za-z0-9_])0(?:[xX][0-9A-Fa-f]{1,32}|[bB][01]{1,64}|[oO][0-7]{1,32})(?![A-Za-z0-9_])/gu,
  sign: /[\p{No}\u2160-\u2188]+/gu,
  price: new RegExp(String.raw`(?:[+−-])?${BEFORE}${BLANK}[+−-]?${NUMBER}`, 'gu'),
  // SKU-12, iPhone15, 3D: letters and digits that belong together. In 5kg the letters are a word of the language.
  code: /(?<![\p{Script=Latin}\p{N}_-])(?=[A-Z0-9-]*[A-Z]-?\d|\d{1,4}[A-Z](?![\p{Script=Latin}\p{N}]))[A-Z0-9]+(?:-[A-Z0-9]+)*(?![a-z])|(?<![A-Za-z0-9])[A-Za-z0-9]*[A-Za-z]\d[A-Za-z0-9]*/gu,
  emoji: new RegExp(String.raw`(?:\p{RI}{1,2}|[0-9#*]\ufe0f?\u20e3|\p{ExtPict}|\p{EMod})(?:${PICTURE})*`, 'gu'),
  // {x} {{x}} ${x} #{x} %{x} {} and the conversions of printf.
  placeholder:
    /\{\{[^{}\n]{1,64}\}\}|[$#%]?\{[\p{L}\p{N}\p{M}_$.:[\]-]{0,64}\}|[$#%]?\{ [\p{L}\p{N}\p{M}_$.:[\]-]{1,64} \}/gu,
  // {name!r:>10} {0:#,##0.00} {0,10:N2} {x|upper}; {0,number,#.##} {when, date, short}.
  pattern:
    /\{(?:[\w.$[\]-]{1,64}(?:,[+-]?\d{1,3})?[!:|][!-z|~]{0,64}|[\w.$[\]-]{1,64},[+-]?\d{1,3}|\s?[\w.-]{1,64}\s?,\s?(?:number|date|time|ordinal|spellout|duration|list)(?:\s?,[^{}\n]{0,64})?)\}/gu,
  // <%= x %>, {% if x %}, __NAME__, %NAME%.
  template:
    /<%[^<>%\n]{0,200}%>|\{%[^{}%\n]{0,200}%\}|(?<![A-Za-z0-9_])__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__(?![A-Za-z0-9_])|(?<![\p{Nd}%])%[A-Z][A-Z0-9_]{1,63}%/gu,
  format:
    /%(?:\d{1,2}\$)?(?:[-+0#]{0,2}\d{0,3}(?:\.\d{1,2})?(?:hh|h|ll|l|L|q|z|j|t)?[diouxXeEfFgGcCsSp@](?![A-Za-z])|%)|%\([A-Za-z_]\w{0,63}\)[-+0#]{0,2}\d{0,3}(?:\.\d{1,2})?[a-zA-Z]/gu,
  tag: /<\/?[A-Za-z](?:"[^"<]*"|'[^'<]*'|[^"'<>])*>|<[!?][^<>]*>/gu,
  entity: /&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});/gu,
} as const satisfies Record<string, RegExp>;

/** URLs and e-mail addresses: the slowest patterns. */
export const LINKS: readonly RegExp[] = [
  KINDS.address,
  KINDS.host,
  KINDS.hostV6,
  KINDS.domain,
  KINDS.wordDomain,
  KINDS.email,
  KINDS.worldEmail,
];
/** A cheap precondition of {@link LINKS}. */
export const MAY_LINK = /[:@/]|\.[A-Za-z]|www\./;
const OTHERS: readonly RegExp[] = Object.values(KINDS).filter((pattern) => !LINKS.includes(pattern));
/** A precondition of protected pieces that contain letters. */
export const MAY_HIDE_LETTERS = /[:@＠/<&{%_\p{Nd}]|\.[A-Za-z]|www\./u;

/** The kinds whose matches may end with the punctuation of the sentence around them. */
const LOOSE_ENDS: ReadonlySet<RegExp> = new Set([
  KINDS.address,
  KINDS.host,
  KINDS.hostV6,
  KINDS.domain,
  KINDS.wordDomain,
]);

/** The protected pieces of a text, in order. Adjacent pieces are merged, so that they stay together. Linear in the text. */
export const findProtected = (text: string): readonly TextRange[] =>
  union([...comments(text), ...links(text), ...matches(OTHERS, text)]);

/** The links and e-mail addresses of a text, in order. */
export const findLinks = (text: string): readonly TextRange[] => union(links(text));

const links = (text: string): TextRange[] => (MAY_LINK.test(text) ? matches(LINKS, text) : []);

const matches = (patterns: readonly RegExp[], text: string): TextRange[] => {
  const spans: TextRange[] = [];
  for (const pattern of patterns) {
    // matchAll would copy the pattern for each text, which takes longer than the search. No pattern matches the empty string.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const length = LOOSE_ENDS.has(pattern) ? trimmedLength(match[0]) : match[0].length;
      if (length > 0) spans.push({ start: match.index, end: match.index + length });
    }
  }
  return spans;
};

// A pattern would search for the end again from each beginning.
const comments = (text: string): TextRange[] => {
  const found: TextRange[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const close = text.indexOf('-->', start + 4);
    if (close < 0) break;
    found.push({ start, end: close + 3 });
    start = text.indexOf('<!--', close + 3);
  }
  return found;
};

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

// A full stop after a URL ends the sentence; a bracket belongs to the URL only if it was opened in it.
const trimmedLength = (address: string): number => {
  const open = new Map<string, number>();
  for (const character of address) open.set(character, (open.get(character) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = OPENING[last];
    if (opening === undefined ? !/[.,;:!?'*_~|]/.test(last) : (open.get(last) ?? 0) <= (open.get(opening) ?? 0)) break;
    open.set(last, (open.get(last) ?? 0) - 1);
  }
  return end;
};
