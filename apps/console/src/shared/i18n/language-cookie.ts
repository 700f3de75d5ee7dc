/** The cookie that tells the server the chosen language (docs/decisions/0026). */
import type { Language } from '@yiqiao/contracts/envelope';

const YEAR_S = 365 * 24 * 60 * 60;

const isLanguage = (text: string | null): text is Language => text === 'zh' || text === 'en';

/** The language in `document.cookie`, or null. */
export const languageIn = (cookies: string): string | null =>
  /(?:^|; )language=(zh|en)(?:;|$)/.exec(cookies)?.[1] ?? null;

/** The first supported language of address, storage and cookie; Chinese by default. */
export const languageOf = (said: readonly (string | null)[]): Language => said.find(isLanguage) ?? 'zh';

/** The cookie that stores `language` for a year. `protocol`: the page's, with its colon. */
export const cookieFor = (language: Language, protocol: string): string =>
  `language=${language}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
