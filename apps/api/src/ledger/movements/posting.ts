import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';

/** A movement of one account. */
export type Posting = {
  userId: number;
  movement: Movement;
  /** When it is not the command's own, because an account moves more than once: the two sides of a movement share it. */
  cmdId?: string;
  /** What this posting makes of the characters that translations under way hold, oldest first; `charNum`: the new balance. */
  convertHolds?: (holds: readonly number[], charNum: number) => number[];
};

/** A command that comes again answers its first entry; one that changed its mind is refused. */
export function sameAsBefore({ movement }: Posting, entry: Entry | undefined): Entry {
  const m = movement;
  const same =
    entry !== undefined &&
    entry.type === m.type &&
    entry.charChange === (m.charChange ?? 0) &&
    entry.minChange === (m.minChange ?? 0) &&
    entry.voiceChange === (m.voiceChange ?? 0) &&
    entry.imageChange === (m.imageChange ?? 0) &&
    entry.usedCharNum === (m.usedCharNum ?? 0) &&
    entry.amount === (m.amount ?? 0) &&
    entry.lastExpireAt === (m.expireAt === undefined ? entry.beforeExpireAt : m.expireAt) &&
    entry.lastTranChannelId === (m.tranChannelId === undefined ? entry.beforeTranChannelId : m.tranChannelId) &&
    entry.lastBillingMode === (m.billingMode ?? entry.beforeBillingMode) &&
    Object.entries(m.refs ?? {}).every(([name, value]) => entry[name as keyof Entry] === value);
  if (!same) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return entry;
}
