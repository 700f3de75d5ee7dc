import type { ApiError } from '../../../shared/api/api-error.js';
import type { T } from '../../../shared/i18n/texts.js';

/** The refusals whose own sentence advises another channel: only a main account can take that advice (specification §6). */
export const SUB_WORDS = {
  PAIR_NOT_SUPPORTED: 'subPair',
  ONLY_GLOSS: 'subGloss',
  UPSTREAM_FAILED: 'subFailed',
  UPSTREAM_TIMEOUT: 'subTimeout',
  NOT_TRANSLATED: 'subNotTranslated',
  CONTENT_REFUSED: 'subContent',
} as const;

const isKnown = (code: string): code is keyof typeof SUB_WORDS => Object.hasOwn(SUB_WORDS, code);

/** Why there is no translation, in words that fit who reads them. `main`: it is a main account. */
export const refusalText = (error: ApiError, { main, t }: { main: boolean; t: T<'translation-test'> }): string =>
  !main && isKnown(error.code) ? t(SUB_WORDS[error.code]) : error.message;
