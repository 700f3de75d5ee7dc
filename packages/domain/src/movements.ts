/** How quota moves between a main account and its sub-accounts: always two entries, equal and opposite (decisions §4). */
import type { EntryType, Movement, Quota } from './ledger.js';
import { AUTO_SHARE_STEP } from './limits.js';

/** The sides of one movement: whose, and how it changes. */
export type Sides = readonly [
  main: { userId: number; movement: Movement },
  child: { userId: number; movement: Movement },
];

/** `change` is the sub-account's: positive gives, negative takes back; the main account's is its opposite. */
function transfer({ type, refs }: Cause, { mainId, childId }: Pair, change: Quota): Sides {
  return [
    { userId: mainId, movement: { type, ...changes(change, -1), refs: { ...refs, counterpartId: childId } } },
    { userId: childId, movement: { type, ...changes(change, 1), refs: { ...refs, counterpartId: mainId } } },
  ];
}

type Cause = { type: EntryType; refs?: Movement['refs'] };

export type Pair = { mainId: number; childId: number };

// 0 − n and not −n: a change of nothing is 0, never −0.
const changes = (q: Quota, sign: 1 | -1): Pick<Movement, 'charChange' | 'voiceChange' | 'imageChange'> => ({
  charChange: sign === 1 ? q.charNum : 0 - q.charNum,
  voiceChange: sign === 1 ? q.voiceNum : 0 - q.voiceNum,
  imageChange: sign === 1 ? q.imageNum : 0 - q.imageNum,
});

/** A main account gives (positive) or takes back (negative). */
export const distribution = (pair: Pair, change: Quota): Sides => transfer({ type: 'DISTRIBUTION' }, pair, change);

/**
 * What a translation through `tranChannelId` moves by itself from a main account to a sub-account that lacks characters. The channel
 * in the entries tells it from what is given by hand.
 */
export const autoDistribution = (pair: Pair, charNum: number, tranChannelId: number | null): Sides =>
  transfer({ type: 'DISTRIBUTION', refs: { consumeTranChannelId: tranChannelId } }, pair, {
    charNum,
    voiceNum: 0,
    imageNum: 0,
  });

/** A deleted sub-account's quota goes back to its main account; `left` is everything it has, all ≥ 0. */
export const recovery = (pair: Pair, left: Quota): Sides =>
  transfer({ type: 'RECOVERY' }, pair, {
    charNum: 0 - left.charNum,
    voiceNum: 0 - left.voiceNum,
    imageNum: 0 - left.imageNum,
  });

/**
 * How many characters auto-distribution moves when `lacking` (> 0) are missing: rounded up to 10,000, or what the main account has
 * free if that suffices; null when it does not.
 */
export function autoShare(lacking: number, mainFree: number): number | null {
  const rounded = Math.ceil(lacking / AUTO_SHARE_STEP) * AUTO_SHARE_STEP;
  if (mainFree < lacking) return null;
  return Math.min(rounded, mainFree);
}
