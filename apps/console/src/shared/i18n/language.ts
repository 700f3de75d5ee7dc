/**
 * The language of the page: `zh` unless the person chose English (specification §3, §9). The address may name one (`?lang=en`), which is a
 * choice as well. The choice is kept in local storage; a cookie says the same to the server, so that it sends the page in that
 * language (docs/decisions/0026). public/first-paint.js goes by the same rule before the first pixel.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import { inBrowser } from '../in-browser.js';
import { cookieFor, languageIn, languageOf } from './language-cookie.js';

const KEY = 'language';
const IN_ADDRESS = 'lang';

const stored = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be switched off: then the cookie alone remembers
  }
};

const named = (): string | null => new URLSearchParams(location.search).get(IN_ADDRESS);

/** On a server there is an instance of all of this for each language (app/server/render.ts). */
const drawn = (): Language => (import.meta.url.endsWith('?language=en') ? 'en' : 'zh');

export const language: Language = inBrowser ? languageOf([named(), stored(), languageIn(document.cookie)]) : drawn();

/** What the page and the requests declare. */
export const locale = language === 'en' ? 'en-US' : 'zh-CN';
export const acceptLanguage = language === 'en' ? 'en-US,en' : 'zh-CN,zh';

function remember(choice: Language): void {
  document.cookie = cookieFor(choice, location.protocol);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // The cookie remembers.
  }
}

/** Called once, when the page starts: it names its language, and a choice is known to the server from now on. */
export function declareLanguage(): void {
  // Written again, even the same has the whole page styled anew.
  if (document.documentElement.lang !== locale) document.documentElement.lang = locale;
  if (named() === language || (stored() === language && languageIn(document.cookie) !== language)) remember(language);
}

/** Stores the choice and reloads the page, as specification §2 says; an address that named a language names none any more. */
export function changeLanguage(to: Language): void {
  remember(to);
  const url = new URL(location.href);
  if (!url.searchParams.has(IN_ADDRESS)) return location.reload();
  url.searchParams.delete(IN_ADDRESS);
  location.replace(url);
}
