import { languages } from './languages.js';

/**
 * Other codes of a language, in lower case: old ISO codes (iw), regions that change nothing (es-ES) or imply the script (zh-TW),
 * macrolanguages (no is nb or nn), three-letter codes, and codes of single vendors (zh-CHS).
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'zh-Hans': ['zh', 'zh-cn', 'zh-sg', 'zh-my', 'zh-chs', 'zh-hans-cn', 'cmn'],
  'zh-Hant': ['zh-tw', 'zh-hk', 'zh-mo', 'zh-cht', 'zh-hant-tw', 'zh-hant-hk'],
  yue: ['zh-yue'],
  lzh: ['zh-classical'],
  en: ['en-us', 'en-au'],
  es: ['es-es'],
  'es-419': ['es-mx'],
  fr: ['fr-fr'],
  'pt-BR': ['pt'],
  he: ['iw'],
  id: ['in'],
  yi: ['ji'],
  jv: ['jw'],
  ro: ['mo'],
  fil: ['tl'],
  no: ['nb', 'nn'],
  'sr-Cyrl': ['sr', 'sr-rs'],
  'sr-Latn': ['sh'],
  kmr: ['ku', 'ku-latn'],
  ckb: ['ku-arab'],
  mww: ['hmn'],
  'mni-Mtei': ['mni'],
  mn: ['mn-cyrl'],
  prs: ['fa-af'],
  tlh: ['tlh-latn'],
  ny: ['nya'],
  lg: ['lug'],
  rn: ['run'],
  kk: ['kk-cyrl'],
  az: ['az-latn'],
  bs: ['bs-latn'],
  uz: ['uz-latn'],
};

/** From an alias in lower case to its langCode. */
export const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([langCode, aliases]) => aliases.map((alias) => [alias, langCode] as const)),
);

/** Variants and the base language in the same script, for vendors without a code for the variant. */
export const BASE_OF: ReadonlyMap<string, string> = new Map([
  ['en-GB', 'en'],
  ['es-419', 'es'],
  ['fr-CA', 'fr'],
  ['pt-PT', 'pt-BR'],
]);

// Longer than BCP 47 allows, for Wikipedia's `zh-classical`.
const TAG = /^[a-z]{2,8}(-[a-z0-9]{1,12}){0,8}$/;

/**
 * The langCode of a tag, ignoring case and `_` or `-`, by its aliases (`zh-CN`, `iw`, `pt`) or without its last subtags (`de-AT`). Null when it
 * is not a language of the product, `auto` included.
 */
export function canonicalLanguage(input: string): string | null {
  const tag = input.replaceAll('_', '-').toLowerCase();
  if (!TAG.test(tag)) return null;
  for (let rest = tag; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) {
    const found = LANGUAGE_ALIASES.get(rest) ?? rows().get(rest);
    if (found !== undefined) return found;
  }
  return null;
}

let byTag: ReadonlyMap<string, string> | undefined;
const rows = (): ReadonlyMap<string, string> =>
  (byTag ??= new Map(languages().map(({ langCode }) => [langCode.toLowerCase(), langCode])));
