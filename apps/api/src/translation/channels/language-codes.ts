/**
 * What languages are called: by clients, by the product (langCode, BCP 47) and by each vendor. Comparing codes as strings is wrong on
 * every side of this file; these functions are the only way from one world into another.
 */
import type { VendorCode } from './account.js';
import { type Vendor, VENDORS } from './channels.js';
import { BASE_OF, LANGUAGE_ALIASES, VENDOR_ALIASES } from './language-aliases.js';
import { languageOf, languages } from './languages.js';

export type Side = 'source' | 'target';

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
export function vendorCode(vendor: Vendor, langCode: string, side: Side): string | null {
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
export function vendorPair(vendor: Vendor, source: string, target: string): { source: string; target: string } | null {
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
    VENDORS.map((each) => [
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
