import type { Quantity } from './shares.js';

/** The keys of the texts that name a quantity. */
export const QUANTITY_TEXTS = {
  charNum: { name: 'chars', unit: 'unitChars', figure: 'figureChars' },
  voiceNum: { name: 'voice', unit: 'unitVoice', figure: 'figureVoice' },
  imageNum: { name: 'images', unit: 'unitImages', figure: 'figureImages' },
} as const satisfies Record<Quantity, unknown>;
