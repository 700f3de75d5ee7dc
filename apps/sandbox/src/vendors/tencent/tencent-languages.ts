import { vendorLanguages } from '../vendor-languages.js';

export const TENCENT_LANGUAGES = vendorLanguages('zh zh-TW en ja ko fr es it de tr ru pt vi id th ms ar hi', {
  zh_TW: 'zh-TW',
  jp: 'ja',
  kr: 'ko',
});

const EUROPEAN = ['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'];
const CHINESE = ['zh', 'zh-TW'];

/** What each language is translated into, from Tencent's table: Chinese into all but Hindi, English into all, the others into few. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(EUROPEAN.map((code) => [code, [...CHINESE, 'en', ...EUROPEAN]])),
  ...Object.fromEntries(CHINESE.map((code) => [code, TENCENT_LANGUAGES.codes.filter((other) => other !== 'hi')])),
  ...Object.fromEntries(['vi', 'id', 'th', 'ms', 'ar'].map((code) => [code, [...CHINESE, 'en']])),
  en: TENCENT_LANGUAGES.codes,
  ja: [...CHINESE, 'en', 'ko'],
  ko: [...CHINESE, 'en', 'ja'],
  hi: ['en'],
};

/** Whether Tencent translates this pair of its own codes. */
export const isPair = (source: string, target: string): boolean =>
  source !== target && (TARGETS[source] ?? []).includes(target);
