/** i18next, antd, dayjs and Refine in the page's language, the only one that is downloaded. */
import type { I18nProvider } from '@refinedev/core';
import type { Language } from '@yiqiao/contracts/envelope';
import type { ConfigProviderProps } from 'antd';
import { createInstance } from 'i18next';
import { noun, type Params } from '../i18n/fill.js';
import { changeLanguage, language } from '../i18n/language.js';
import { addTable, formatWith, namespaceOf, type MessageFormatter, type Table } from '../i18n/messages.js';

/** An i18next instance for the language `lng`. Keys are flat, and React escapes. */
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

/** The entry's messages and Refine's. */
const entryMessages = messagesIn(language);

type Antd = NonNullable<ConfigProviderProps['locale']>;

let antd: Antd | null = null;
let refine: Readonly<Record<string, string>> = {};
const REFINE = 'refine';

/** What an entry says in one language: its messages, Refine's and antd's. */
type Locale = { antd: Antd; refine: Readonly<Record<string, string>>; tables: Record<string, Table> };
type Locales = Record<Language, () => Promise<{ default: Locale }>>;

/** Awaited before anything of the entry is rendered. */
export async function loadLocale(locales: Locales): Promise<void> {
  const { default: locale } = await locales[language]();
  refine = locale.refine;
  entryMessages.add(REFINE, refine);
  formatWith(entryMessages);
  for (const [path, table] of Object.entries(locale.tables)) addTable(namespaceOf(path), table);
  antd = locale.antd;
}

export function antdLocale(): Antd {
  if (!antd) throw new Error('the console was rendered before its texts were loaded');
  return antd;
}

/** Refine's own keys are in `refine-messages`; those that it derives from the names of resources keep their default. */
export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, defaultMessage?: string) => {
    const values = typeof options === 'object' && options !== null ? (options as Params) : {};
    const fallback = defaultMessage ?? (typeof options === 'string' ? options : key);
    return Object.hasOwn(refine, key) ? entryMessages.text(REFINE, key, values) : fallback;
  },
  changeLocale: (to: string) => Promise.resolve(changeLanguage(to === 'en' ? 'en' : 'zh')),
  getLocale: () => language,
};
