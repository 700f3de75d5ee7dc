import { readFileSync } from 'node:fs';
import { CHANNELS } from '@yiqiao/domain/channels';
import type { TextChannel } from './channel.js';
import { type Vendor, VENDORS } from './channels.js';
import { dataFile } from './data-file.js';

type LanguageRow = {
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly nativeName: string;
  /** The code that each vendor knows the language by; null where it does not. */
  readonly providers: Readonly<Record<Vendor, string | null>>;
};

/** `id` is the row's position from 1: rows are only ever added at the end of the file. */
export type Language = LanguageRow & { readonly id: number };

/** A row of `translationLanguages/list` (decisions §9). `channels`: ids of the channels that can do the language on this side. */
export type LanguageChoice = {
  readonly id: number;
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly channels: readonly number[];
};

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

const vendorIds = (language: Language): number[] =>
  VENDORS.filter((vendor) => language.providers[vendor] !== null).map((vendor) => CHANNELS[vendor].id);

// An engine knows its own pairs, a vendor its table; ChatGPT is asked by the language's name and refuses none.
const choices = (offline: ReadonlySet<string>): LanguageChoice[] =>
  languages().map((language) => ({
    id: language.id,
    langCode: language.langCode,
    chineseName: language.chineseName,
    englishName: language.englishName,
    channels: [
      ...(offline.has(language.langCode) ? [CHANNELS.offline.id] : []),
      ...vendorIds(language),
      CHANNELS.chatgpt.id,
    ],
  }));

/** Both lists of `translationLanguages/list`, with the offline engines that are installed now. The source list begins with `auto`, id 0. */
export const languageLists = async (
  offline: TextChannel,
): Promise<{ sourceList: LanguageChoice[]; targetList: LanguageChoice[] }> => {
  const { sources, targets } = await offline.languages();
  const auto: LanguageChoice = {
    id: 0,
    langCode: 'auto',
    chineseName: '自动检测',
    englishName: 'Detect language',
    channels: Object.values(CHANNELS).map((channel) => channel.id),
  };
  return { sourceList: [auto, ...choices(sources)], targetList: choices(targets) };
};
