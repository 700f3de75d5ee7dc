import { Refusal } from '@yiqiao/domain/errors';
import { ENTRY_TYPES, post, type Movement, type Quota } from '@yiqiao/domain/ledger';
import type { LockedAccount } from './account-rows.js';
import { chain } from './chain.js';
import type { ChainedEntry } from './entry-rows.js';

/** Throws LEDGER_READ_ONLY. */
export function mustBeWritable({ readOnly }: LockedAccount): void {
  if (readOnly) throw new Refusal('LEDGER_READ_ONLY');
}

/**
 * Applies a movement to a locked account and chains its entry: with the next number, the next of its type, and not earlier than the last one.
 * Throws LEDGER_READ_ONLY and what `post` throws, with nothing changed.
 */
export function moveAccount(
  account: LockedAccount,
  movement: Movement,
  at: { cmdId: string; now: number },
): ChainedEntry {
  mustBeWritable(account);
  const { code } = ENTRY_TYPES[movement.type];
  while (account.typeSeqs.length < code) account.typeSeqs.push(0);
  const typeSeq = (account.typeSeqs[code - 1] ?? 0) + 1;
  const createdAt = Math.max(at.now, account.lastAt);
  const { userId, familyId } = account;
  const entry = post(account.state, movement, { userId, familyId, typeSeq, cmdId: at.cmdId, createdAt });
  account.typeSeqs[code - 1] = typeSeq;
  account.lastAt = createdAt;
  account.head = chain(account.head, entry);
  return { entry, hash: account.head };
}

type Changes = Pick<Movement, 'charChange' | 'voiceChange' | 'imageChange'>;

/** Held quota cannot be taken, or a translation under way could not be paid (decisions §4). Throws QUOTA_NOT_ENOUGH. */
export function mustStayCovered({ state, held }: LockedAccount, change: Changes): void {
  const covered =
    state.charNum + (change.charChange ?? 0) >= held.charNum &&
    state.voiceNum + (change.voiceChange ?? 0) >= held.voiceNum &&
    state.imageNum + (change.imageChange ?? 0) >= held.imageNum;
  if (!covered) throw new Refusal('QUOTA_NOT_ENOUGH');
}

/** The same for charging or holding `quota`. */
export const mustBeFree = (account: LockedAccount, quota: Quota): void =>
  mustStayCovered(account, {
    charChange: 0 - quota.charNum,
    voiceChange: 0 - quota.voiceNum,
    imageChange: 0 - quota.imageNum,
  });
