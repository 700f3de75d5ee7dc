import { useQuery } from '@tanstack/react-query';
import { listLanguages } from '@yiqiao/contracts/translation';
import { call } from '../../shared/api/call.js';
import { language, locale } from '../../shared/i18n/language.js';

const browserNames = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

/** A language code in words where the browser knows it, else the code itself. */
const byBrowser = (code: string): string => {
  try {
    return browserNames.of(code) ?? code;
  } catch {
    return code;
  }
};

/** Names languages as the translation test does; with the browser's names until the list is there, or if it fails. */
export function useLanguageName(): (code: string) => string {
  const { data } = useQuery({
    queryKey: ['languages'],
    queryFn: ({ signal }) => call(listLanguages, {}, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = new Map(
    [...(data?.sourceList ?? []), ...(data?.targetList ?? [])].map((row) => [
      row.langCode,
      language === 'zh' ? row.chineseName : row.englishName,
    ]),
  );
  return (code) => names.get(code) ?? byBrowser(code);
}
