/** The language of the page: `zh` unless the person chose English (specification §3, §9). */
import type { Language } from '@yiqiao/contracts/envelope';

const KEY = 'language';

const stored = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be switched off: the page then speaks Chinese
  }
};

export const language: Language = stored() === 'en' ? 'en' : 'zh';

/** What the page and the requests declare. */
export const locale = language === 'en' ? 'en-US' : 'zh-CN';
export const acceptLanguage = language === 'en' ? 'en-US,en' : 'zh-CN,zh';

/** Stores the choice and reloads the page, as specification §2 says. */
export function changeLanguage(to: Language): void {
  try {
    localStorage.setItem(KEY, to);
  } catch {
    // Without storage the choice cannot survive the reload; the page stays in Chinese.
  }
  location.reload();
}
