import type { Request } from '@yiqiao/contracts/endpoint';
import type { distributeAll } from '@yiqiao/contracts/sub-accounts';
import { SHARE_STEPS } from '@yiqiao/domain/limits';
import type { ChildUser } from '../child-user.js';

/** The arithmetic of the distribution dialog (specification §5, decisions §4). */

export type Quantity = keyof typeof SHARE_STEPS;
export const QUANTITIES = Object.keys(SHARE_STEPS) as readonly Quantity[];

/** The balances of one side. */
type Holding = Readonly<Record<Quantity, number>>;
/**
 * The input for one quantity: from main account to sub-account, or back. `amount` is a whole number ≥ 0. `all`: everything is taken back,
 * including what has changed since the figures were read.
 */
export type Share = { direction: 'give' | 'take'; amount: number; all?: true };
export type Shares = Readonly<Record<Quantity, Share>>;

const nothing: Share = { direction: 'give', amount: 0 };
export const NO_SHARES: Shares = { charNum: nothing, voiceNum: nothing, imageNum: nothing };

export const holdingOf = (account: ChildUser['memberAccount']): Holding => ({
  charNum: account.usableCharNum,
  voiceNum: account.usableVoiceNum,
  imageNum: account.usableImageNum,
});

/** The signed change of the sub-account, as the API takes it. */
export const changeOf = ({ direction, amount }: Share): number =>
  direction === 'give' || amount === 0 ? amount : -amount;

export type Sides = { main: Holding; child: Holding };

/** The effect of a share on one quantity of both sides. `available`: the most that can move in its direction. */
export function outcomeOf(share: Share, { main, child }: { main: number; child: number }) {
  const change = changeOf(share);
  const available = share.direction === 'give' ? main : child;
  return { change, available, over: share.amount > available, mainAfter: main - change, childAfter: child + change };
}

const isOver = (shares: Shares, sides: Sides, quantity: Quantity): boolean =>
  outcomeOf(shares[quantity], { main: sides.main[quantity], child: sides.child[quantity] }).over;

export const overOf = (shares: Shares, sides: Sides): Quantity[] =>
  QUANTITIES.filter((quantity) => isOver(shares, sides, quantity));

export const changedOf = (shares: Shares): Quantity[] => QUANTITIES.filter((quantity) => shares[quantity].amount !== 0);

/** Whether the dialog can be confirmed: something changes, and neither side goes below zero. */
export const canConfirm = (shares: Shares, sides: Sides): boolean =>
  changedOf(shares).length > 0 && overOf(shares, sides).length === 0;

/** One step up or down, between zero and the available amount. */
export const stepped = (amount: number, step: number, available: number): number =>
  Math.max(0, Math.min(amount + step, available));

/** Whether everything there is of the quantity is taken back. */
const takesAll = ({ direction, all }: Share): boolean => direction === 'take' && all === true;

export function requestOf(childUserId: number, shares: Shares): Request<typeof distributeAll> {
  const takeBackAll = QUANTITIES.filter((quantity) => takesAll(shares[quantity]));
  const sent = (quantity: Quantity): number => (takesAll(shares[quantity]) ? 0 : changeOf(shares[quantity]));
  return {
    childUserId,
    changeCharNum: sent('charNum'),
    changeVoiceNum: sent('voiceNum'),
    changeImageNum: sent('imageNum'),
    ...(takeBackAll.length > 0 && { takeBackAll }),
  };
}

/** The keys of the texts that name a quantity. */
export const QUANTITY_TEXTS = {
  charNum: { name: 'chars', unit: 'unitChars', figure: 'figureChars' },
  voiceNum: { name: 'voice', unit: 'unitVoice', figure: 'figureVoice' },
  imageNum: { name: 'images', unit: 'unitImages', figure: 'figureImages' },
} as const satisfies Record<Quantity, unknown>;
