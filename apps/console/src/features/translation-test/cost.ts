import type { BillingMode } from '@yiqiao/domain/plans';
import type { Pair } from './pairs.js';

/** `atMost`: the ways differ and the language is found out first, so the figure is the dearest of them. */
export type Cost =
  { kind: 'unknown' } | { kind: 'free'; why: 'gloss' | 'package' } | { kind: 'chars'; chars: number; atMost: boolean };

export type Payer = { mode: BillingMode; channelId: number };
/** Micro-yuan per character of each channel id. */
export type Prices = ReadonlyMap<number, number>;

/** The way that is taken: the member's own channel where it can, else the cheapest other one (decisions §4). */
export const chosenWay = (ways: readonly Pair[], payer: Payer, prices: Prices): Pair | undefined =>
  ways.find((w) => w.channelId === payer.channelId) ??
  ways.toSorted((a, b) => (prices.get(a.channelId) ?? 0) - (prices.get(b.channelId) ?? 0))[0];

/** Characters charged for `codePoints` code points by one way: a gloss is free, another channel costs by the ratio of prices. */
const charged = (way: Pair, codePoints: number, { payer, prices }: { payer: Payer; prices: Prices }): number => {
  if (way.quality === 'gloss') return 0;
  const [own, theirs] = [prices.get(payer.channelId), prices.get(way.channelId)];
  if (way.channelId === payer.channelId || own === undefined || theirs === undefined) return codePoints;
  return Math.ceil((codePoints * theirs) / own);
};

/** What a text of `codePoints` code points will cost before it is sent, over the `ways` that it may go (decisions §4). */
export const costOf = (codePoints: number, ways: readonly Pair[], account: { payer: Payer; prices: Prices }): Cost => {
  if (ways.length === 0) return { kind: 'unknown' };
  if (ways.every((w) => w.quality === 'gloss')) return { kind: 'free', why: 'gloss' };
  if (account.payer.mode === 'time') return { kind: 'free', why: 'package' };
  const costs = ways.map((w) => charged(w, codePoints, account));
  const chars = Math.max(...costs);
  return { kind: 'chars', chars, atMost: costs.some((c) => c !== chars) };
};
