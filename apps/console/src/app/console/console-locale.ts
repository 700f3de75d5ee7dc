import type { I18nProvider } from '@refinedev/core';
import enUS from 'antd/es/locale/en_US.js';
import zhCN from 'antd/es/locale/zh_CN.js';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn.js';
import i18next from 'i18next';
import { changeLanguage, language } from '../../shared/i18n/language.js';

dayjs.locale(language === 'zh' ? 'zh-cn' : 'en');

export const antdLocale = language === 'zh' ? zhCN : enUS;

/** Refine asks for its own keys; whatever we have no text for keeps Refine's default. */
export const refineTexts: I18nProvider = {
  translate: (key: string, options?: unknown, defaultMessage?: string) => {
    const fallback = defaultMessage ?? (typeof options === 'string' ? options : key);
    return i18next.exists(key, { ns: 'app' }) ? i18next.t(key, { ns: 'app' }) : fallback;
  },
  changeLocale: (to: string) => Promise.resolve(changeLanguage(to === 'en' ? 'en' : 'zh')),
  getLocale: () => language,
};
