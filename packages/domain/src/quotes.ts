/** What a translation will cost: the figure that a screen shows while typing and that the server holds (decisions §4). */
import { exchangeUp } from './conversion.js';

/** Micro-yuan per character, integers ≥ 1: of the channel that is asked, and of the account's own. */
export type Prices = { readonly asked: number; readonly own: number };

/** Characters of the account that a text of `codePoints` code points costs: ceil(codePoints · asked / own). */
export const textCost = (codePoints: number, { asked, own }: Prices): number => exchangeUp(codePoints, asked, own);
