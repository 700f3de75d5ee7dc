import type { Translate } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import type { MediaKind } from './media-abilities.js';

const WORDS = { voice: 'voices', image: 'images' } as const;

/** `1 次语音`, `20 张图片`. */
export const unitsText = (kind: MediaKind, n: number, t: Translate<'media'>): string =>
  t(WORDS[kind], { n: grouped(n) });

/** `0:11`, `5:00`: seconds of a recording, rounded down. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
