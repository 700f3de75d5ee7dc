import { readFileSync } from 'node:fs';

import { dataFile } from './data-file.js';

type LanguageRow = {
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly nativeName: string;
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
