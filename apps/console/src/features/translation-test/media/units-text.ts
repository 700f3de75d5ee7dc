import type { T } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import type { MediaKind } from './media-abilities.js';

const WORDS = {
  voice: { one: 'oneVoice', many: 'voices' },
  image: { one: 'oneImage', many: 'images' },
} as const;

/** `1 次语音`, `20 张图片`. */
export const unitsText = (kind: MediaKind, n: number, t: T<'media'>): string =>
  n === 1 ? t(WORDS[kind].one) : t(WORDS[kind].many, { n: grouped(n) });
