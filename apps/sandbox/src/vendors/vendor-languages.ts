import { languageOf } from './translation/language.js';

/** The languages of a vendor in its own codes. */
export interface VendorLanguages {
  /** As the vendor lists them. */
  readonly codes: readonly string[];
  /** The listed code for one that a caller sent, whatever its case, or null. */
  find(code: string): string | null;
  /** The vendor's code for a language that was found (BCP-47), or its first one when it does not know that language. */
  codeFor(tag: string): string;
}

/** `codes`: separated by white space. `aliases`: what else is taken, by what it means. */
export function vendorLanguages(codes: string, aliases: Readonly<Record<string, string>> = {}): VendorLanguages {
  const listed = codes.trim().split(/\s+/);
  const byCode = new Map(listed.map((code) => [code.toLowerCase(), code] as const));
  for (const [alias, code] of Object.entries(aliases)) byCode.set(alias.toLowerCase(), code);
  let byTag: ReadonlyMap<string, string> | null = null;
  return {
    codes: listed,
    find: (code) => byCode.get(code.toLowerCase()) ?? null,
    codeFor(tag) {
      byTag ??= new Map(listed.toReversed().map((code) => [languageOf(code).tag, code] as const));
      return byTag.get(tag) ?? byTag.get(languageOf(tag).base) ?? listed[0] ?? tag;
    },
  };
}

/** What a language is called in English, or its code. */
export function englishName(code: string, inLanguage = 'en'): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(languageOf(code).tag) ?? code;
  } catch {
    return code;
  }
}
