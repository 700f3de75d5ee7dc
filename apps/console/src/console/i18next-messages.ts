/** i18next in the page's language; the console's messages and Refine's are its resources. */
import { createInstance } from 'i18next';
import { noun } from '../shared/i18n/fill.js';
import { language } from '../shared/i18n/language.js';
import type { MessageFormatter } from '../shared/i18n/messages.js';

/** An instance for the language `lng`. Keys are flat, and React escapes. */
export function messagesIn(lng: string): MessageFormatter {
  const i18n = createInstance();
  void i18n.init({
    lng,
    initAsync: false,
    resources: {},
    ns: [],
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  i18n.services.formatter?.add('noun', (n, _, { one, many }: Record<string, unknown>) =>
    noun(String(n), { one: String(one), many: String(many) }),
  );
  return {
    add: (ns, table) => void i18n.addResourceBundle(lng, ns, table),
    text: (ns, key, params) => i18n.t(key, { ...params, ns }),
  };
}

export const consoleMessages = messagesIn(language);
