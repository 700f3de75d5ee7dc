/**
 * The translation channels of the product: the vocabulary that the ledger, the wire and the console share (specification §1, decisions §4).
 *
 * `id` is stored in orders, ledger entries and log rows, so it is never reused. `price` only seeds the channel's row, in micro-yuan per
 * character (1 ≤ price, 1,000,000 = one yuan); afterwards the database is authoritative. `text`, `voice`, `image`: what the channel supports
 * when it is available.
 */
export const CHANNELS = {
  offline: { id: 1, name: '离线引擎', enName: 'Offline engine', price: 40, text: true, voice: false, image: false },
  google: { id: 2, name: '谷歌翻译', enName: 'Google', price: 40, text: true, voice: false, image: false },
  microsoft: { id: 3, name: '微软翻译', enName: 'Microsoft', price: 40, text: true, voice: false, image: false },
  tencent: { id: 4, name: '腾讯翻译', enName: 'Tencent', price: 40, text: true, voice: false, image: true },
  youdao: { id: 5, name: '有道翻译', enName: 'Youdao', price: 40, text: true, voice: true, image: true },
  deepl: { id: 6, name: 'DeepL', enName: 'DeepL', price: 80, text: true, voice: false, image: false },
  chatgpt: { id: 7, name: 'ChatGPT', enName: 'ChatGPT', price: 96, text: true, voice: true, image: true },
  libretranslate: {
    id: 8,
    name: 'LibreTranslate',
    enName: 'LibreTranslate',
    price: 40,
    text: true,
    voice: false,
    image: false,
  },
} as const satisfies Record<string, Channel>;

type Channel = {
  readonly id: number;
  readonly name: string;
  readonly enName: string;
  readonly price: number;
  readonly text: boolean;
  readonly voice: boolean;
  readonly image: boolean;
};

export type ChannelCode = keyof typeof CHANNELS;

export const CHANNEL_CODES = Object.keys(CHANNELS) as readonly ChannelCode[];

/** The channel of new members, which needs no key. */
export const DEFAULT_CHANNEL = 'offline' satisfies ChannelCode;

/** The code of a channel id; null if no channel has it. */
export const channelCodeOf = (id: number): ChannelCode | null =>
  CHANNEL_CODES.find((code) => CHANNELS[code].id === id) ?? null;
