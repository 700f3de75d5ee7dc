/** The cookie that tells the server which language was chosen (docs/decisions/0026). */
import type { Language } from '@yiqiao/contracts/envelope';

const YEAR_S = 365 * 24 * 60 * 60;

const isLanguage = (text: string | null): text is Language => text === 'zh' || text === 'en';

/** What `document.cookie` says of the language; null when it says nothing. */
export const languageIn = (cookies: string): string | null =>
  /(?:^|; )language=(zh|en)(?:;|$)/.exec(cookies)?.[1] ?? null;

/** The first that is a language of ours: address, storage, cookie. Chinese when none of them is. */
export const languageOf = (said: readonly (string | null)[]): Language => said.find(isLanguage) ?? 'zh';

/** What is written to `document.cookie` to remember `language` for a year. `protocol`: that of the page, with its colon. */
export const cookieFor = (language: Language, protocol: string): string =>
  `language=${language}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
