import type { Response } from '@yiqiao/contracts/endpoint';
import type { Language as UiLanguage } from '@yiqiao/contracts/envelope';
import type { listLanguages } from '@yiqiao/contracts/translation';
import { NATIVE_NAMES } from './native-names.js';
import { AUTO } from './pairs.js';

export type LanguageRow = Response<typeof listLanguages>['sourceList'][number];

const capital = (name: string, code: string): string => name.charAt(0).toLocaleUpperCase(code) + name.slice(1);

/** A language's name in itself (`de` → `Deutsch`), or null where nobody knows it. */
export const nativeName = (code: string): string | null => {
  const known = NATIVE_NAMES[code];
  if (known !== undefined) return known;
  try {
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code);
    return name === undefined ? null : capital(name, code);
  } catch {
    return null; // not a code that the browser can read: the names in both UI languages remain
  }
};

/** A language as a person picks it: its name in the language of the page, in itself, and its code. */
export type LanguageChoice = {
  code: string;
  name: string;
  native: string | null;
  /** Everything one may type to find it, in lower case. */
  search: string;
  enabled: boolean;
};

/** Lower-case with accents folded away, so that `portugues` finds Português. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** The choices in the order of the list, what works now first; `auto` stays on top and works when anything does. */
export const choicesOf = (
  rows: readonly LanguageRow[],
  enabled: ReadonlySet<string>,
  ui: UiLanguage,
): readonly LanguageChoice[] => {
  const choices = rows.map((row): LanguageChoice => {
    const auto = row.langCode === AUTO;
    const native = auto ? null : nativeName(row.langCode);
    const name = ui === 'zh' ? row.chineseName : row.englishName;
    return {
      code: row.langCode,
      name,
      native: native === name ? null : native,
      search: fold([row.chineseName, row.englishName, native ?? '', row.langCode].join(' ')),
      enabled: auto ? enabled.size > 0 : enabled.has(row.langCode),
    };
  });
  return [...choices.filter((c) => c.enabled), ...choices.filter((c) => !c.enabled)];
};

/** Every word typed must stand somewhere in the names or the code. */
export const matches = (choice: Pick<LanguageChoice, 'search'>, typed: string): boolean =>
  fold(typed.trim())
    .split(/\s+/)
    .every((word) => choice.search.includes(word));
