/**
 * The language of the page: `zh` unless the user chose English (specification §3, §9). `?lang=en` in the address is a choice too. It is
 * kept in local storage, and in a cookie for the server, which renders pages in that language (docs/decisions/0026). public/first-paint.js
 * applies the same rule before the first paint.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import { inBrowser } from '../in-browser.js';

/** The cookie that tells the server the chosen language (docs/decisions/0026). */
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

const KEY = 'language';
const IN_ADDRESS = 'lang';

const stored = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be disabled: the cookie alone remembers then
  }
};

const named = (): string | null => new URLSearchParams(location.search).get(IN_ADDRESS);

/** The server has one instance of this module per language (site/prerender/render.ts). */
const renderedIn = (): Language => (import.meta.url.endsWith('?language=en') ? 'en' : 'zh');

export const language: Language = inBrowser
  ? languageOf([named(), stored(), languageIn(document.cookie)])
  : renderedIn();

/** Declared by the document and by requests. */
export const locale = language === 'en' ? 'en-US' : 'zh-CN';
export const acceptLanguage = language === 'en' ? 'en-US,en' : 'zh-CN,zh';

function remember(choice: Language): void {
  document.cookie = cookieFor(choice, location.protocol);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // The cookie remembers it.
  }
}

/** Called once at start: sets the document's language and stores a choice for the server. */
export function declareLanguage(): void {
  // Writing even the same value would recalculate all styles.
  if (document.documentElement.lang !== locale) document.documentElement.lang = locale;
  if (named() === language || (stored() === language && languageIn(document.cookie) !== language)) remember(language);
}

/** Stores the choice and reloads the page (specification §2); `lang` is removed from the address. */
export function changeLanguage(to: Language): void {
  remember(to);
  const url = new URL(location.href);
  if (!url.searchParams.has(IN_ADDRESS)) return location.reload();
  url.searchParams.delete(IN_ADDRESS);
  location.replace(url);
}
