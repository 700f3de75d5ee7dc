import type { VendorCode } from './account.js';

/**
 * What a language is called elsewhere, in lower case: old ISO codes (iw), regions that decide nothing (es-ES) or decide the script
 * (zh-TW), macrolanguages (no is nb or nn), three-letter codes, and the ways of single vendors (zh-CHS).
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

/** From an alias in lower case to the langCode that it means. */
export const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([langCode, aliases]) => aliases.map((alias) => [alias, langCode] as const)),
);

/** What only one vendor means by a code, and others would mean otherwise (`kr` is Kanuri elsewhere). */
export const VENDOR_ALIASES: Readonly<Partial<Record<VendorCode, ReadonlyMap<string, string>>>> = {
  tencent: new Map([
    ['jp', 'ja'],
    ['kr', 'ko'],
  ]),
  // Its names before they were those of BCP 47; older servers know no others.
  libretranslate: new Map([
    ['zt', 'zh-Hant'],
    ['pb', 'pt-BR'],
  ]),
};

/** Variants that a vendor without a code of their own is asked for by the language they vary, in the same script. */
export const BASE_OF: ReadonlyMap<string, string> = new Map([
  ['en-GB', 'en'],
  ['es-419', 'es'],
  ['fr-CA', 'fr'],
  ['pt-PT', 'pt-BR'],
]);
