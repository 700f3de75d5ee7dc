import { languageOf } from './translation/language.js';

/** A vendor's languages in its own codes. */
export interface VendorLanguages {
  /** In the vendor's order. */
  readonly codes: readonly string[];
  /** The listed code for a code or alias, case-insensitive, or null. */
  find(code: string): string | null;
  /** The vendor's code for a BCP-47 tag, or its first code when it does not support the language. */
  codeFor(tag: string): string;
}

/** `codes`: separated by white space. `aliases`: other accepted codes, mapped to listed ones. */
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

/** The name of a language in another (English by default), or its code. */
export function englishName(code: string, inLanguage = 'en'): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(languageOf(code).tag) ?? code;
  } catch {
    return code;
  }
}
