/** Movements between a main account and its sub-accounts: always two entries, equal and opposite (decisions §4). */
import type { EntryType, Movement, Quota } from './ledger.js';
import { AUTO_SHARE_STEP } from './limits.js';

/** Both sides of one movement. */
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

// 0 − n instead of −n, which would be −0 for 0.
const changes = (q: Quota, sign: 1 | -1): Pick<Movement, 'charChange' | 'voiceChange' | 'imageChange'> => ({
  charChange: sign === 1 ? q.charNum : 0 - q.charNum,
  voiceChange: sign === 1 ? q.voiceNum : 0 - q.voiceNum,
  imageChange: sign === 1 ? q.imageNum : 0 - q.imageNum,
});

/** A main account gives (positive) or takes back (negative). */
export const distribution = (pair: Pair, change: Quota): Sides => transfer({ type: 'DISTRIBUTION' }, pair, change);

/** How a main account shares with many: everybody the same amount, or what is missing to that amount. */
export const SHARE_MODES = ['give', 'topUp'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** What a sub-account with so much `free` receives. */
export function shareOf(mode: ShareMode, amount: Quota, free: Quota): Quota {
  if (mode === 'give') return amount;
  return {
    charNum: Math.max(0, amount.charNum - free.charNum),
    voiceNum: Math.max(0, amount.voiceNum - free.voiceNum),
    imageNum: Math.max(0, amount.imageNum - free.imageNum),
  };
}

/** An automatic distribution for a translation through `tranChannelId`, which tells it from one by hand. */
export const autoDistribution = (pair: Pair, charNum: number, tranChannelId: number | null): Sides =>
  transfer({ type: 'DISTRIBUTION', refs: { consumeTranChannelId: tranChannelId } }, pair, {
    charNum,
    voiceNum: 0,
    imageNum: 0,
  });

/** Returns everything of a deleted sub-account to its main account; `left` is all ≥ 0. */
export const recovery = (pair: Pair, left: Quota): Sides =>
  transfer({ type: 'RECOVERY' }, pair, {
    charNum: 0 - left.charNum,
    voiceNum: 0 - left.voiceNum,
    imageNum: 0 - left.imageNum,
  });

/**
 * The characters that auto-distribution moves if `lacking` (> 0) are missing: rounded up to 10,000, limited by the free balance of the main
 * account; null if that does not suffice.
 */
export function autoShare(lacking: number, mainFree: number): number | null {
  const rounded = Math.ceil(lacking / AUTO_SHARE_STEP) * AUTO_SHARE_STEP;
  if (mainFree < lacking) return null;
  return Math.min(rounded, mainFree);
}
