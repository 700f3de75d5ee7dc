import type { ChannelCode } from '@yiqiao/domain/channels';
import type { Bilingual } from './channel.js';

const needsKey = (zh: string, en: string): Bilingual => ({
  zh: `需要配置${zh}的接口密钥`,
  en: `Needs an API key of ${en}.`,
});

/** What a channel says while it has no account; null for the one that needs none. */
export const UNAVAILABLE = {
  offline: null,
  google: needsKey('谷歌翻译', 'Google'),
  microsoft: needsKey('微软翻译', 'Microsoft'),
  tencent: needsKey('腾讯翻译', 'Tencent'),
  youdao: needsKey('有道翻译', 'Youdao'),
  deepl: needsKey(' DeepL ', 'DeepL'),
  chatgpt: needsKey(' ChatGPT ', 'ChatGPT'),
  libretranslate: {
    zh: '需要配置 LibreTranslate 服务的地址（如有密钥，一并配置）',
    en: 'Needs the address of a LibreTranslate server (and its key, if it has one).',
  },
} as const satisfies Record<ChannelCode, Bilingual | null>;

/**
 * The vendors whose language codes stand in `data/languages.json`. ChatGPT has no list: it takes any language by its name. A LibreTranslate
 * server says itself what is installed on it.
 */
export const VENDORS = ['google', 'microsoft', 'tencent', 'youdao', 'deepl'] as const satisfies readonly ChannelCode[];
export type Vendor = (typeof VENDORS)[number];
