import { convertHolds, convertMain, convertSub, type Tariff } from '@yiqiao/domain/conversion';
import { EXPIRE_MAX_MS, QUOTA_MAX } from '@yiqiao/domain/limits';
import type { AccountView, Posting } from '../ledger/ledger.js';

/** A family goes from one tariff to another: by its own wish (MATRIX), or because of what it buys (SYS_MATRIX). */
export type TariffChange = { type: 'MATRIX' | 'SYS_MATRIX'; from: Tariff; to: Tariff };

/**
 * What a change of tariff does to the accounts of a family: the one place for a change of channel, for a purchase and for their
 * preview. Every sub-account has its entry when the channel changes, so that before and after are told even where nothing is left;
 * when the billing mode alone changes, sub-accounts stay as they are, because they bill by character.
 */
export function convertFamily(accounts: readonly AccountView[], change: TariffChange, now: number): Posting[] {
  const { type, from, to } = change;
  // A sub-account's translations under way cost characters whatever its main account pays by.
  const toOfSubs: Tariff = { ...to, billingMode: 'char' };
  return accounts.flatMap(({ userId, familyId, state }): Posting[] => {
    if (userId === familyId)
      return [
        {
          userId,
          movement: { type, ...convertMain(state, from, to, now) },
          convertHolds: (holds, charNum) => convertHolds(holds, from, to, charNum),
        },
      ];
    if (from.tranChannelId === to.tranChannelId) return [];
    return [
      {
        userId,
        movement: { type, ...convertSub(state, from, to) },
        convertHolds: (holds, charNum) => convertHolds(holds, from, toOfSubs, charNum),
      },
    ];
  });
}

/** What a family may use, as far as a change of tariff touches it. `expireAt` in ms. */
export type FamilyQuota = {
  usableCharNum: number;
  expireAt: number | null;
  children: { userId: number; usableCharNum: number }[];
};

/** The accounts of one family as its members see them; sub-accounts by ascending id. */
export function quotaOf(accounts: readonly AccountView[]): FamilyQuota {
  const free = ({ state, held }: AccountView): number => state.charNum - held.charNum;
  const main = accounts.find(({ userId, familyId }) => userId === familyId);
  if (!main) throw new Error('a family without its main account');
  const children = accounts
    .filter((account) => account !== main)
    .map((account) => ({ userId: account.userId, usableCharNum: free(account) }));
  return { usableCharNum: free(main), expireAt: main.state.expireAt, children };
}

/**
 * What `quotaOf` will say after the change, to the digit; null when the ledger could not hold it. Of several translations under way in
 * one account what is reserved is converted in one piece, so until they end its preview may be off by one for each.
 */
export function previewOf(accounts: readonly AccountView[], change: TariffChange, now: number): FamilyQuota | null {
  const postings = new Map(convertFamily(accounts, change, now).map((posting) => [posting.userId, posting]));
  const after = accounts.map((account): AccountView => {
    const { movement, convertHolds: convert } = postings.get(account.userId) ?? {};
    const { state, held } = account;
    const charNum = state.charNum + (movement?.charChange ?? 0);
    const [reserved = held.charNum] = convert?.([held.charNum], charNum) ?? [];
    const expireAt = movement?.expireAt === undefined ? state.expireAt : movement.expireAt;
    return { ...account, state: { ...state, charNum, expireAt }, held: { ...held, charNum: reserved } };
  });
  const fits = after.every(({ state }) => state.charNum <= QUOTA_MAX && (state.expireAt ?? 0) <= EXPIRE_MAX_MS);
  return fits ? quotaOf(after) : null;
}
