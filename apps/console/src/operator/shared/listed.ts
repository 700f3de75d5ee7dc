import { language } from '../../shared/i18n/language.js';

/** What is there, in a row, with the comma of the page's language. */
export const listed = (...parts: readonly (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(language === 'zh' ? '，' : ', ');
