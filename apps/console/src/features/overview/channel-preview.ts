import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMapping } from '@yiqiao/contracts/plans';

/** What the family would have on another channel, as the server works it out. */
export type ChannelPreview = Response<typeof listMapping>[number];

const MICRO_PER_YUAN = 1_000_000;
export const PRICE_PER_CHARS = 10_000;

/** Micro-yuan per character as yuan per 10,000 characters, with as many decimals as it takes and two at least: `0.20`. */
export const priceText = (price: number): string =>
  ((price * PRICE_PER_CHARS) / MICRO_PER_YUAN).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  });
