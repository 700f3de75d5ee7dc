import { locale } from '../../shared/i18n/language.js';

const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });

/** A language code in words where the browser knows it, else the code itself. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
};
