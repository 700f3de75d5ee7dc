import type { BillingMode } from '@yiqiao/domain/plans';
import { type Prices, textCost } from '@yiqiao/domain/quotes';
import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import type { Quality } from './abilities.js';

/** `atMost`: the result may be a gloss, which is free, depending on the detected language. */
export type Quote =
  | { kind: 'cannot' }
  | { kind: 'notIncluded' }
  | { kind: 'free'; why: 'gloss' | 'package' }
  | { kind: 'chars'; chars: number; atMost: boolean };

type Tariff = { mode: BillingMode; prices: Prices };

/** Whether the member may choose a channel of that price: in time mode, those not above their own channel's (decisions §4). */
export const isIncluded = ({ mode, prices }: Tariff): boolean => mode === 'char' || prices.asked <= prices.own;

/** Whether the text can be sent through this channel. */
export const isAskable = ({ kind }: Quote): boolean => kind === 'free' || kind === 'chars';

/** The cost of a text of `codePoints` code points on one channel that answers with one of `qualities` (decisions §4). */
export const quoteOf = (codePoints: number, qualities: ReadonlySet<Quality>, tariff: Tariff): Quote => {
  const { mode, prices } = tariff;
  if (!isIncluded(tariff)) return { kind: 'notIncluded' };
  if (qualities.size === 0) return { kind: 'cannot' };
  if (!qualities.has('translation')) return { kind: 'free', why: 'gloss' };
  if (mode === 'time') return { kind: 'free', why: 'package' };
  return { kind: 'chars', chars: textCost(codePoints, prices), atMost: qualities.has('gloss') };
};

/** The total cost of the channels that would be requested, or why there is none. */
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

/** The cost of one channel in short: `20 字符`, `免费`; empty without a text. */
export const quoteText = (quote: Quote, t: Say): string => {
  if (quote.kind === 'cannot') return t('cannot');
  if (quote.kind === 'notIncluded') return t('notIncluded');
  if (quote.kind === 'free') return t(quote.why === 'gloss' ? 'costGloss' : 'costPackage');
  if (quote.chars === 0) return '';
  const chars = charsText(quote.chars, t);
  return quote.atMost ? t('quoteAtMost', { chars }) : chars;
};

/** The cost of sending: `预计扣 20 字符`, or the total of several channels. */
export const sumText = (sum: Quote, channels: number, t: Say): string => {
  if (sum.kind === 'cannot') return t(channels > 1 ? 'noneCan' : 'noChannel');
  if (sum.kind === 'notIncluded') return t('notIncludedWhy');
  if (sum.kind === 'free') return t(sum.why === 'gloss' ? 'costGloss' : 'costPackage');
  const n = grouped(sum.chars);
  if (channels > 1) return t(sum.atMost ? 'costTogetherAtMost' : 'costTogether', { n });
  return t(sum.atMost ? 'costAtMost' : 'costChars', { n });
};
