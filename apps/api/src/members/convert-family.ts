import { convertHolds, convertMain, convertSub, type Tariff } from '@yiqiao/domain/conversion';
import { post } from '@yiqiao/domain/ledger';
import { EXPIRE_MAX_MS, QUOTA_MAX } from '@yiqiao/domain/limits';
import type { AccountView, Posting } from '../ledger/ledger.js';

/** A family changes from one tariff to another: on its own request (MATRIX) or by a purchase (SYS_MATRIX). */
export type TariffChange = { type: 'MATRIX' | 'SYS_MATRIX'; from: Tariff; to: Tariff };

/**
 * The postings of a change of tariff, shared by the change of channel, purchases and their preview. When the channel changes, every
 * sub-account gets an entry that records before and after, even with an empty balance; when only the billing mode changes, sub-accounts stay
 * as they are, because they bill by character.
 */
export function convertFamily(accounts: readonly AccountView[], change: TariffChange, now: number): Posting[] {
  const { type, from, to } = change;
  // A sub-account's translations in progress cost characters whatever the main account's billing mode.
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

/** The quota of a family that a change of tariff affects. `expireAt` in ms. */
export type FamilyQuota = {
  usableCharNum: number;
  expireAt: number | null;
  children: { userId: number; usableCharNum: number }[];
};

const free = ({ state, held }: AccountView): number => state.charNum - held.charNum;

function mainOf(accounts: readonly AccountView[]): AccountView {
  const main = accounts.find(({ userId, familyId }) => userId === familyId);
  if (!main) throw new Error('a family without its main account');
  return main;
}

/** The free quota of one family; sub-accounts by ascending id. */
export function quotaOf(accounts: readonly AccountView[]): FamilyQuota {
  const main = mainOf(accounts);
  const children = accounts
    .filter((account) => account !== main)
    .map((account) => ({ userId: account.userId, usableCharNum: free(account) }));
  return { usableCharNum: free(main), expireAt: main.state.expireAt, children };
}

/**
 * The exact result of `quotaOf` after the change; null when it would exceed the ledger's limits. Holds of an account are converted in one
 * piece here, so while translations are in progress the preview may be off by one for each.
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

/** The free quota of a main account and the characters of its sub-accounts together. `expireAt` in ms. */
export type Holdings = Pick<Tariff, 'billingMode' | 'tranChannelId'> & {
  usableCharNum: number;
  usableVoiceNum: number;
  usableImageNum: number;
  childCharNum: number;
  expireAt: number | null;
};

/** `tariff`: the one before, for an account that has never been on another channel. */
export function holdingsOf(accounts: readonly AccountView[], tariff: Tariff): Holdings {
  const main = mainOf(accounts);
  const { state, held } = main;
  const subs = accounts.filter((account) => account !== main);
  return {
    billingMode: state.billingMode,
    tranChannelId: state.tranChannelId ?? tariff.tranChannelId,
    usableCharNum: free(main),
    usableVoiceNum: state.voiceNum - held.voiceNum,
    usableImageNum: state.imageNum - held.imageNum,
    childCharNum: subs.reduce((sum, sub) => sum + free(sub), 0),
    expireAt: state.expireAt,
  };
}

/**
 * The accounts after these postings, which are not written. Held characters of an account are converted in one piece, as in `previewOf`.
 * Throws QUOTA_TOO_LARGE.
 */
export function posted(
  accounts: readonly AccountView[],
  postings: readonly Posting[],
  { cmdId, now }: { cmdId: string; now: number },
): AccountView[] {
  const after = accounts.map((account) => ({ ...account, state: { ...account.state }, held: { ...account.held } }));
  const byId = new Map(after.map((account) => [account.userId, account]));
  for (const posting of postings) {
    const account = byId.get(posting.userId);
    if (!account) continue;
    const { userId, familyId, state, held } = account;
    post(state, posting.movement, { userId, familyId, typeSeq: 1, cmdId: posting.cmdId ?? cmdId, createdAt: now });
    held.charNum = posting.convertHolds?.([held.charNum], state.charNum)[0] ?? held.charNum;
  }
  return after;
}
