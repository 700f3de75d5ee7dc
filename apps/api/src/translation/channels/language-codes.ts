import type { ChannelLanguages } from './channel.js';
import { languageOf, languages, LISTED_VENDORS, type ListedVendor } from './languages.js';
import { type VendorCode, VendorFailure, type VendorRequest } from './vendor.js';

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
const VENDOR_ALIASES: Readonly<Partial<Record<VendorCode, ReadonlyMap<string, string>>>> = {
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

/**
 * What languages are called: by clients, by the product (langCode, BCP 47) and by each vendor. Comparing codes as strings is wrong on
 * every side of this file; these functions are the only way from one world into another.
 */
type Side = 'source' | 'target';

// Longer than BCP 47 allows: `zh-classical` is what Wikipedia calls it.
const TAG = /^[a-z]{2,8}(-[a-z0-9]{1,12}){0,8}$/;

/**
 * The langCode that a tag means, whatever its case, `_` or `-`, by its aliases (`zh-CN`, `iw`, `pt`) or, when it says more than the
 * product knows, without its last parts (`de-AT`). Null for what means no language of the product, `auto` included.
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

/**
 * The code by which a vendor knows a langCode, exactly as it is sent; null when it does not. A variant without a code of its own is
 * asked for by its base language. Only DeepL tells sides apart: a source has neither region nor script there.
 */
export function vendorCode(vendor: ListedVendor, langCode: string, side: Side): string | null {
  const own = languageOf(langCode)?.providers[vendor] ?? null;
  const base = BASE_OF.get(langCode);
  const code = own ?? (base === undefined ? null : (languageOf(base)?.providers[vendor] ?? null));
  if (code === null || vendor !== 'deepl') return code;
  return (side === 'source' ? (code.split('-', 1)[0] ?? code) : code).toUpperCase();
}

/**
 * Both codes of a pair, or null when the vendor does not know one of them, or would be asked to translate a language into itself: two
 * variants that it knows by one code (`en` → `en-GB` at Google), or DeepL's `ZH` → `ZH-HANT`.
 */
export function vendorPair(
  vendor: ListedVendor,
  source: string,
  target: string,
): { source: string; target: string } | null {
  const from = vendorCode(vendor, source, 'source');
  const to = vendorCode(vendor, target, 'target');
  if (from === null || to === null || vendorCode(vendor, target, 'source') === from) return null;
  return { source: from, target: to };
}

/** The langCode that a vendor means by a code of its answer; null for one that the product does not know. */
export function langCodeOf(vendor: VendorCode, code: string): string | null {
  const tag = code.replaceAll('_', '-').toLowerCase();
  return vendorRows(vendor).get(tag) ?? VENDOR_ALIASES[vendor]?.get(tag) ?? canonicalLanguage(code);
}

let byTag: ReadonlyMap<string, string> | undefined;
const rows = (): ReadonlyMap<string, string> =>
  (byTag ??= new Map(languages().map(({ langCode }) => [langCode.toLowerCase(), langCode])));

let byVendor: ReadonlyMap<VendorCode, ReadonlyMap<string, string>> | undefined;
const NONE: ReadonlyMap<string, string> = new Map();
const vendorRows = (vendor: VendorCode): ReadonlyMap<string, string> => {
  byVendor ??= new Map(
    LISTED_VENDORS.map((each) => [
      each,
      new Map(
        languages().flatMap(({ langCode, providers }) => {
          const code = providers[each];
          return code === null ? [] : [[code.toLowerCase(), langCode] as const];
        }),
      ),
    ]),
  );
  return byVendor.get(vendor) ?? NONE;
};

/** The vendor's codes of a pair; source null: the vendor finds out. */
type VendorPair = { readonly source: string | null; readonly target: string };

/** Null when the vendor does not do the pair. Takes langCodes. */
export function vendorPairOf(vendor: ListedVendor, source: string | null, target: string): VendorPair | null {
  if (source !== null) return vendorPair(vendor, source, target);
  const code = vendorCode(vendor, target, 'target');
  return code === null ? null : { source: null, target: code };
}

/** Throws `unsupported` in place of null. */
export function neededPair(vendor: ListedVendor, { source, target }: VendorRequest): VendorPair {
  const pair = vendorPairOf(vendor, source, target);
  if (!pair) throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
  return pair;
}

const NOTHING: ChannelLanguages = { sources: new Set(), targets: new Set(), auto: false };

const known = new Map<VendorCode, ChannelLanguages>();

/** What a vendor is known to do before anybody asks it; of LibreTranslate nothing: that depends on the server. */
export function vendorLanguages(code: VendorCode): ChannelLanguages {
  const found = known.get(code) ?? read(code);
  known.set(code, found);
  return found;
}

/** Any language to any other by name: of a model nobody knows which it does badly. */
const everything = (): ChannelLanguages => {
  const all = new Set(languages().map(({ langCode }) => langCode));
  return { sources: all, targets: all, auto: true };
};

const read = (code: VendorCode): ChannelLanguages => {
  if (code === 'chatgpt') return everything();
  const vendor = LISTED_VENDORS.find((each) => each === code);
  if (vendor === undefined) return NOTHING;
  // Tencent once took `auto` and does no more.
  return { sources: side(vendor, 'source'), targets: side(vendor, 'target'), auto: vendor !== 'tencent' };
};

const side = (vendor: ListedVendor, which: 'source' | 'target'): ReadonlySet<string> =>
  new Set(languages().flatMap(({ langCode }) => (vendorCode(vendor, langCode, which) === null ? [] : [langCode])));
