/** i18next in the page's language, for the console: our texts and Refine's words are its resources. */
import { createInstance } from 'i18next';
import { noun } from '../../shared/i18n/fill.js';
import { language } from '../../shared/i18n/language.js';
import type { Speech } from '../../shared/i18n/texts.js';

/** An instance that speaks `lng`; keys are flat, and React escapes. */
export function speechIn(lng: string): Speech {
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
    take: (ns, texts) => void i18n.addResourceBundle(lng, ns, texts),
    say: (ns, key, params) => i18n.t(key, { ...params, ns }),
  };
}

export const consoleSpeech = speechIn(language);
