import type { BillingMode } from '@yiqiao/domain/plans';
import { textCost, type Prices } from '@yiqiao/domain/quotes';
import type { Quality } from './abilities.js';

/** `atMost`: it may become a gloss, which is free; the language is found out first. */
export type Quote =
  { kind: 'cannot' } | { kind: 'free'; why: 'gloss' | 'package' } | { kind: 'chars'; chars: number; atMost: boolean };

type Tariff = { mode: BillingMode; prices: Prices };

/** What a text of `codePoints` code points will cost on one channel that would answer with one of `qualities` (decisions §4). */
export const quoteOf = (codePoints: number, qualities: ReadonlySet<Quality>, { mode, prices }: Tariff): Quote => {
  if (qualities.size === 0) return { kind: 'cannot' };
  if (!qualities.has('translation')) return { kind: 'free', why: 'gloss' };
  if (mode === 'time') return { kind: 'free', why: 'package' };
  return { kind: 'chars', chars: textCost(codePoints, prices), atMost: qualities.has('gloss') };
};

/** What all the channels that can do it cost together. */
export const sumOf = (quotes: readonly Quote[]): Quote => {
  const able = quotes.filter((quote) => quote.kind !== 'cannot');
  const paid = able.filter((quote) => quote.kind === 'chars');
  if (paid.length === 0) return able[0] ?? { kind: 'cannot' };
  return {
    kind: 'chars',
    chars: paid.reduce((sum, { chars }) => sum + chars, 0),
    atMost: paid.some(({ atMost }) => atMost),
  };
};
