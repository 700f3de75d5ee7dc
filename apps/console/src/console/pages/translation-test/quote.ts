import type { BillingMode } from '@yiqiao/domain/plans';
import { type Prices, textCost } from '@yiqiao/domain/quotes';
import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import type { Quality } from './abilities.js';

/** `atMost`: it may become a gloss, which is free; the language is found out first. */
export type Quote =
  | { kind: 'cannot' }
  | { kind: 'notIncluded' }
  | { kind: 'free'; why: 'gloss' | 'package' }
  | { kind: 'chars'; chars: number; atMost: boolean };

type Tariff = { mode: BillingMode; prices: Prices };

/** Whether the member may name a channel of that price: for a period, those that are not dearer than the own one (decisions §4). */
export const isIncluded = ({ mode, prices }: Tariff): boolean => mode === 'char' || prices.asked <= prices.own;

/** Whether a text would be sent at all. */
export const isAskable = ({ kind }: Quote): boolean => kind === 'free' || kind === 'chars';

/** What a text of `codePoints` code points will cost on one channel that would answer with one of `qualities` (decisions §4). */
export const quoteOf = (codePoints: number, qualities: ReadonlySet<Quality>, tariff: Tariff): Quote => {
  const { mode, prices } = tariff;
  if (!isIncluded(tariff)) return { kind: 'notIncluded' };
  if (qualities.size === 0) return { kind: 'cannot' };
  if (!qualities.has('translation')) return { kind: 'free', why: 'gloss' };
  if (mode === 'time') return { kind: 'free', why: 'package' };
  return { kind: 'chars', chars: textCost(codePoints, prices), atMost: qualities.has('gloss') };
};

/** What all the channels that would be request cost together; why not, where none would. */
export const sumOf = (quotes: readonly Quote[]): Quote => {
  const able = quotes.filter(isAskable);
  const paid = able.filter((quote) => quote.kind === 'chars');
  if (paid.length === 0) return able[0] ?? quotes[0] ?? { kind: 'cannot' };
  return {
    kind: 'chars',
    chars: paid.reduce((sum, { chars }) => sum + chars, 0),
    atMost: paid.some(({ atMost }) => atMost),
  };
};

type Say = Translate<'translation-test'>;

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
