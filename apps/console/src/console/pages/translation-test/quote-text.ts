import type { T } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import type { Quote } from './quote.js';

type Say = T<'translation-test'>;

/** `1 char`, `2 chars`. */
export const charsText = (n: number, t: Say): string => (n === 1 ? t('oneChar') : t('chars', { n: grouped(n) }));

/** What one channel will cost, in few words: `20 字符`, `免费`; nothing while there is no text. */
export const quoteText = (quote: Quote, t: Say): string => {
  if (quote.kind === 'cannot') return t('cannot');
  if (quote.kind === 'notIncluded') return t('notIncluded');
  if (quote.kind === 'free') return t(quote.why === 'gloss' ? 'costGloss' : 'costPackage');
  if (quote.chars === 0) return '';
  const chars = charsText(quote.chars, t);
  return quote.atMost ? t('quoteAtMost', { chars }) : chars;
};

/** What sending will cost: `预计扣 20 字符`, or of several channels together. */
export const sumText = (sum: Quote, channels: number, t: Say): string => {
  if (sum.kind === 'cannot') return t(channels > 1 ? 'noneCan' : 'noChannel');
  if (sum.kind === 'notIncluded') return t('notIncludedWhy');
  if (sum.kind === 'free') return t(sum.why === 'gloss' ? 'costGloss' : 'costPackage');
  const n = grouped(sum.chars);
  if (channels > 1) return t(sum.atMost ? 'costTogetherAtMost' : 'costTogether', { n });
  return t(sum.atMost ? 'costAtMost' : 'costChars', { n });
};
