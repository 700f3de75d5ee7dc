import { listLanguages } from '@yiqiao/contracts/translation';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { language, locale } from '../../shared/i18n/language.js';

const browserNames = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

/** The browser's name of a language, or the code itself. */
const byBrowser = (code: string): string => {
  try {
    return browserNames.of(code) ?? code;
  } catch {
    return code;
  }
};

/** A language to choose from, searchable by code and by its names in both languages. */
export type Language = { readonly code: string; readonly name: string; readonly names: string };

/** All languages, named as in the translation test; until the list is loaded, the browser's names and none to choose from. */
export function useLanguages(): { nameOf: (code: string) => string; all: readonly Language[] } {
  const { data } = useEndpoint(listLanguages, {}, { staleTime: Number.POSITIVE_INFINITY });
  const rows = new Map([...(data?.sourceList ?? []), ...(data?.targetList ?? [])].map((row) => [row.langCode, row]));
  const names = new Map(
    Array.from(rows, ([code, row]) => [code, language === 'zh' ? row.chineseName : row.englishName]),
  );
  return {
    nameOf: (code) => names.get(code) ?? byBrowser(code),
    all: Array.from(rows.values(), ({ langCode: code, chineseName, englishName }) => ({
      code,
      name: names.get(code) ?? code,
      names: `${chineseName} ${englishName} ${code}`.toLowerCase(),
    })).filter(({ code }) => code !== 'auto'),
  };
}
