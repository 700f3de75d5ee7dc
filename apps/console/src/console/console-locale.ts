/** antd, dayjs and Refine in the page's language, the only one that is downloaded. */
import type { I18nProvider } from '@refinedev/core';
import type { ConfigProviderProps } from 'antd';
import type { Params } from '../shared/i18n/fill.js';
import { changeLanguage, language } from '../shared/i18n/language.js';
import { formatWith } from '../shared/i18n/messages.js';
import { consoleMessages } from './i18next-messages.js';

type Antd = NonNullable<ConfigProviderProps['locale']>;
type Loaded = readonly [{ default: Antd }, { default: Record<string, string> }, ...unknown[]];

let antd: Antd | null = null;
let refine: Readonly<Record<string, string>> = {};
const REFINE = 'refine';

const loadChinese = (): Promise<Loaded> =>
  Promise.all([import('antd/es/locale/zh_CN.js'), import('./refine-messages.zh.js'), import('./dayjs-zh.js')]);
// dayjs is English by default.
const loadEnglish = (): Promise<Loaded> =>
  Promise.all([import('antd/es/locale/en_US.js'), import('./refine-messages.en.js')]);

/** Awaited before anything of the console is rendered. */
export async function loadConsoleLocale(): Promise<void> {
  if (antd) return;
  const [locale, messages] = await (language === 'zh' ? loadChinese() : loadEnglish());
  refine = messages.default;
  consoleMessages.add(REFINE, refine);
  formatWith(consoleMessages);
  antd = locale.default;
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
    return Object.hasOwn(refine, key) ? consoleMessages.text(REFINE, key, values) : fallback;
  },
  changeLocale: (to: string) => Promise.resolve(changeLanguage(to === 'en' ? 'en' : 'zh')),
  getLocale: () => language,
};
