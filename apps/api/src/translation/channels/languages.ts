import type { ChannelCode } from '@yiqiao/domain/channels';
import { readFileSync } from 'node:fs';

/**
 * The vendors whose codes stand in `data/languages.json`. ChatGPT takes any language by its name, and a LibreTranslate server lists what is
 * installed on it.
 */
export const LISTED_VENDORS = [
  'google',
  'microsoft',
  'tencent',
  'youdao',
  'deepl',
] as const satisfies readonly ChannelCode[];
export type ListedVendor = (typeof LISTED_VENDORS)[number];
import { dataFile } from './data-file.js';

type LanguageRow = {
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly nativeName: string;
  /** The code that each vendor knows the language by; null where it does not. */
  readonly providers: Readonly<Record<ListedVendor, string | null>>;
};

/** `id` is the row's position from 1: rows are only ever added at the end of the file. */
export type Language = LanguageRow & { readonly id: number };

let rows: readonly Language[] | undefined;
let byCode: ReadonlyMap<string, Language> | undefined;

/** The languages of the product, in the order of `data/languages.json`. Read once. */
export const languages = (): readonly Language[] => {
  rows ??= (JSON.parse(readFileSync(dataFile('languages.json'), 'utf8')) as LanguageRow[]).map((row, index) => ({
    ...row,
    id: index + 1,
  }));
  return rows;
};

/** The language of a langCode, or null. `auto` is not a language. */
export const languageOf = (langCode: string): Language | null => {
  byCode ??= new Map(languages().map((language) => [language.langCode, language]));
  return byCode.get(langCode) ?? null;
};
