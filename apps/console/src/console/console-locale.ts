/** antd, dayjs and Refine in the page's language: only that one is ever downloaded. */
import type { I18nProvider } from '@refinedev/core';
import type { ConfigProviderProps } from 'antd';
import type { Params } from '../shared/i18n/fill.js';
import { changeLanguage, language } from '../shared/i18n/language.js';
import { fillWith } from '../shared/i18n/texts.js';
import { consoleMessages } from './i18next-messages.js';

type Antd = NonNullable<ConfigProviderProps['locale']>;
type Loaded = readonly [{ default: Antd }, { default: Record<string, string> }, ...unknown[]];

let antd: Antd | null = null;
let refine: Readonly<Record<string, string>> = {};
const REFINE = 'refine';

const loadChinese = (): Promise<Loaded> =>
  Promise.all([import('antd/es/locale/zh_CN.js'), import('./refine-words.zh.js'), import('./dayjs-zh.js')]);
// dayjs speaks English by itself.
const loadEnglish = (): Promise<Loaded> =>
  Promise.all([import('antd/es/locale/en_US.js'), import('./refine-words.en.js')]);

/** Awaited before anything of the console is drawn. */
export async function loadConsoleLocale(): Promise<void> {
  if (antd) return;
  const [locale, words] = await (language === 'zh' ? loadChinese() : loadEnglish());
  refine = words.default;
  consoleMessages.add(REFINE, refine);
  fillWith(consoleMessages);
  antd = locale.default;
}

export function antdLocale(): Antd {
  if (!antd) throw new Error('the console was drawn before its texts came');
  return antd;
}

/** Refine asks by its own keys (`refine-words`); what it makes up from the names of resources keeps its default. */
export const i18nProvider: I18nProvider = {
  translate: (key: string, options?: unknown, defaultMessage?: string) => {
    const values = typeof options === 'object' && options !== null ? (options as Params) : {};
    const fallback = defaultMessage ?? (typeof options === 'string' ? options : key);
    return Object.hasOwn(refine, key) ? consoleMessages.text(REFINE, key, values) : fallback;
  },
  changeLocale: (to: string) => Promise.resolve(changeLanguage(to === 'en' ? 'en' : 'zh')),
  getLocale: () => language,
};
