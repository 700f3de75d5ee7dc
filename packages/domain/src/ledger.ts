/**
 * The product's money, in one file (decisions §4).
 *
 * A member has an ACCOUNT: balances of characters, voice and images, their expiry, and the channel and billing mode that set their price. Every change of it is an ENTRY, and nothing changes without one; entries are numbered from 1 without gaps and
 * chained by their hashes (entry-bytes.ts). So an account is exactly the `replay` of its entries: the writer that changes balances, the
 * operator's audit and the tests all use these functions.
 *
 * The ways of quota:
 * - it is bought (`purchased`), after a conversion when the package has another channel or billing mode (conversion.ts);
 * - it goes to a sub-account and back, two entries that cancel out (movements.ts);
 * - it is used: a translation first HOLDS its price (`priceOf`), which reserves quota without an entry, then the hold is settled
 *   with an entry, or released as if nothing had been.
 * The fields of an entry are a table (entry-fields.ts); its sentence for a reader is in explanations.ts.
 *
 * Units: characters are Unicode code points, voice is started minutes, images are pictures, amounts are fen, times are
 * milliseconds since 1970. Every number is a safe integer.
 */
import { ADDED_FIELDS, type AddedField, type ENTRY_FIELDS, type EntryField, type RefField } from './entry-fields.js';
import { Refusal } from './errors.js';
import { EXPIRE_MAX_MS, QUOTA_MAX } from './limits.js';
import type { BillingMode } from './plans.js';

/**
 * The types of entries. A new type is a row here, its rule (entry-rules.ts) and its sentence (explanations.ts). `code` is stored and hashed,
 * so it never changes; codes have no gaps, because an account counts its entries of each type by code. A conversion is MATRIX if the member
 * changes the channel, and SYS_MATRIX if a purchase causes it.
 */
export const ENTRY_TYPES = {
  RECHARGE_ORDER_BY_MEMBER_GROUP: { code: 1, zh: '会员充值', en: 'Recharge' },
  SYS_MATRIX: { code: 2, zh: '系统换算', en: 'System conversion' },
  SYS_ADJUST: { code: 3, zh: '系统调整', en: 'System adjustment' },
  RECOVERY: { code: 4, zh: '收回', en: 'Recovery' },
  DISTRIBUTION: { code: 5, zh: '分配', en: 'Distribution' },
  MATRIX: { code: 6, zh: '通道换算', en: 'Channel conversion' },
  TRANSLATION_CONSUME: { code: 7, zh: '翻译消耗', en: 'Translation' },
  VOICE_CONSUME: { code: 8, zh: '语音消耗', en: 'Voice' },
  OTHER: { code: 9, zh: '其他', en: 'Other' },
  INVITE_REWARD: { code: 10, zh: '邀请奖励', en: 'Invite reward' },
} as const satisfies Record<string, { code: number; zh: string; en: string }>;

export type EntryType = keyof typeof ENTRY_TYPES;

const TYPE_BY_CODE = new Map(Object.entries(ENTRY_TYPES).map(([type, row]) => [row.code as number, type as EntryType]));

/** The entry type with `code`; undefined for an unknown code (a forged row). */
export const entryTypeOf = (code: number): EntryType | undefined => TYPE_BY_CODE.get(code);

/** The state of an account that entries explain. Held quota is not part of it: a hold is a reservation, not a change. */
export type AccountState = {
  seq: number;
  charNum: number;
  voiceNum: number;
  imageNum: number;
  usedCharTotal: number;
  /** fen */
  rechargeAmountTotal: number;
  expireAt: number | null;
  tranChannelId: number | null;
  billingMode: BillingMode;
};

/** An account before its first entry, where a replay starts. */
export const emptyAccount = (): AccountState => ({
  seq: 0,
  charNum: 0,
  voiceNum: 0,
  imageNum: 0,
  usedCharTotal: 0,
  rechargeAmountTotal: 0,
  expireAt: null,
  tranChannelId: null,
  billingMode: 'char',
});

/** A requested change. Omitted fields do not change. */
export type Movement = {
  type: EntryType;
  charChange?: number;
  minChange?: number;
  voiceChange?: number;
  imageChange?: number;
  usedCharNum?: number;
  /** fen */
  amount?: number;
  expireAt?: number | null;
  tranChannelId?: number | null;
  billingMode?: BillingMode;
  refs?: Partial<EntryRefs>;
};

type Stored<Field> =
  | (Field extends { coded: 'entryType' }
      ? EntryType
      : Field extends { coded: 'billingMode' }
        ? BillingMode
        : Field extends { type: 'uuid' }
          ? string
          : number)
  | (Field extends { nullable: true } ? null : never);

/** One line of the ledger, as stored and hashed: the fields of the table. Times are milliseconds. */
export type Entry = { -readonly [Name in EntryField]: Stored<(typeof ENTRY_FIELDS)[Name]> };

/** What an entry refers to: ids only, names are joined when it is read (decisions §3). */
export type EntryRefs = Pick<Entry, RefField>;

/** Where an entry is written: which account, under which command, when. */
export type EntryPlace = { userId: number; familyId: number; typeSeq: number; cmdId: string; createdAt: number };

const NO_REFS: Partial<EntryRefs> = {};

/**
 * Changes `state` by `movement` and returns the entry that explains it. Throws, leaving `state` untouched, QUOTA_NOT_ENOUGH if a balance would
 * become negative, and QUOTA_TOO_LARGE if a balance or the expiry would exceed the exact range.
 */
export function post(state: AccountState, movement: Movement, place: EntryPlace): Entry {
  const { charChange = 0, minChange = 0, voiceChange = 0, imageChange = 0, usedCharNum = 0, amount = 0 } = movement;
  const refs = movement.refs ?? NO_REFS;
  const lastCharNum = state.charNum + charChange;
  const lastVoiceNum = state.voiceNum + voiceChange;
  const lastImageNum = state.imageNum + imageChange;
  if (
    !(lastCharNum <= QUOTA_MAX && lastVoiceNum <= QUOTA_MAX && lastImageNum <= QUOTA_MAX) ||
    (movement.expireAt ?? 0) > EXPIRE_MAX_MS
  )
    throw new Refusal('QUOTA_TOO_LARGE');
  if (lastCharNum < 0 || lastVoiceNum < 0 || lastImageNum < 0) throw new Refusal('QUOTA_NOT_ENOUGH');
  // Field by field: the writer runs this for every translation, and spreads would cost more than everything else here.
  const entry: Omit<Entry, AddedField> = {
    userId: place.userId,
    familyId: place.familyId,
    seq: state.seq + 1,
    type: movement.type,
    typeSeq: place.typeSeq,
    cmdId: place.cmdId,
    createdAt: place.createdAt,
    charChange,
    minChange,
    voiceChange,
    imageChange,
    usedCharNum,
    amount,
    beforeCharNum: state.charNum,
    lastCharNum,
    beforeVoiceNum: state.voiceNum,
    lastVoiceNum,
    beforeImageNum: state.imageNum,
    lastImageNum,
    beforeExpireAt: state.expireAt,
    lastExpireAt: movement.expireAt === undefined ? state.expireAt : movement.expireAt,
    beforeTranChannelId: state.tranChannelId,
    lastTranChannelId: movement.tranChannelId === undefined ? state.tranChannelId : movement.tranChannelId,
    beforeBillingMode: state.billingMode,
    lastBillingMode: movement.billingMode ?? state.billingMode,
    orderId: refs.orderId ?? null,
    memberGroupId: refs.memberGroupId ?? null,
    rechargeTranChannelId: refs.rechargeTranChannelId ?? null,
    rechargeBillingMode: refs.rechargeBillingMode ?? null,
    consumeConfigId: refs.consumeConfigId ?? null,
    consumeTranChannelId: refs.consumeTranChannelId ?? null,
    counterpartId: refs.counterpartId ?? null,
    managerId: refs.managerId ?? null,
  };
  setAdded(entry, refs);
  advance(state, entry);
  return entry;
}

/** Sets the fields that were added to the table later. */
function setAdded(entry: Omit<Entry, AddedField>, refs: Partial<Record<string, unknown>>): asserts entry is Entry {
  for (const name of ADDED_FIELDS) Object.assign(entry, { [name]: refs[name] ?? null });
}

/** Sets `state` to the balances after the entry, without checking it as `replay` does. */
export function advance(state: AccountState, entry: Entry): void {
  state.seq = entry.seq;
  state.charNum = entry.lastCharNum;
  state.voiceNum = entry.lastVoiceNum;
  state.imageNum = entry.lastImageNum;
  state.usedCharTotal += entry.usedCharNum;
  state.rechargeAmountTotal += entry.amount;
  state.expireAt = entry.lastExpireAt;
  state.tranChannelId = entry.lastTranChannelId;
  state.billingMode = entry.lastBillingMode;
}

/** The first mismatch of a stored entry: field, expected and found value. */
export type Difference = { field: string; expected: unknown; found: unknown };

/**
 * Replays one stored entry: returns null and advances `state`, or returns the first difference and leaves `state` untouched. Together with the
 * hash chain this is the whole audit of one account.
 */
export function replay(state: AccountState, e: Entry): Difference | null {
  if (e.seq !== state.seq + 1) return { field: 'seq', expected: state.seq + 1, found: e.seq };
  if (e.beforeCharNum !== state.charNum) return differs('beforeCharNum', state.charNum, e.beforeCharNum);
  if (e.beforeVoiceNum !== state.voiceNum) return differs('beforeVoiceNum', state.voiceNum, e.beforeVoiceNum);
  if (e.beforeImageNum !== state.imageNum) return differs('beforeImageNum', state.imageNum, e.beforeImageNum);
  if (e.beforeExpireAt !== state.expireAt) return differs('beforeExpireAt', state.expireAt, e.beforeExpireAt);
  if (e.beforeTranChannelId !== state.tranChannelId)
    return differs('beforeTranChannelId', state.tranChannelId, e.beforeTranChannelId);
  if (e.beforeBillingMode !== state.billingMode)
    return differs('beforeBillingMode', state.billingMode, e.beforeBillingMode);
  if (e.beforeCharNum + e.charChange !== e.lastCharNum)
    return differs('lastCharNum', e.beforeCharNum + e.charChange, e.lastCharNum);
  if (e.beforeVoiceNum + e.voiceChange !== e.lastVoiceNum)
    return differs('lastVoiceNum', e.beforeVoiceNum + e.voiceChange, e.lastVoiceNum);
  if (e.beforeImageNum + e.imageChange !== e.lastImageNum)
    return differs('lastImageNum', e.beforeImageNum + e.imageChange, e.lastImageNum);
  if (e.lastCharNum < 0 || e.lastVoiceNum < 0 || e.lastImageNum < 0)
    return differs('balance', '≥ 0', Math.min(e.lastCharNum, e.lastVoiceNum, e.lastImageNum));
  advance(state, e);
  return null;
}

const differs = (field: string, expected: unknown, found: unknown): Difference => ({ field, expected, found });

/** The codes under which billing modes are stored and hashed; 0 for none. */
const MODE_CODE = { char: 1, time: 2 } as const;
export const billingModeCode = (mode: BillingMode | null): number => (mode === null ? 0 : MODE_CODE[mode]);
export const billingModeOf = (code: number): BillingMode | null => (code === 1 ? 'char' : code === 2 ? 'time' : null);

/** Quota, for example what translations under way have reserved. */
export type Quota = { charNum: number; voiceNum: number; imageNum: number };
/**
 * `charNum`: the price in the account's characters if it differs from the code points: another channel for one request, or several texts, each
 * rounded up (quotes.ts).
 */
export type TextAsk = { kind: 'text'; codePoints: number; charNum?: number };
export type Ask = TextAsk | { kind: 'voice'; minutes: number } | { kind: 'image' };

/** The price of a text in characters, outside time mode. */
export const charsOf = ({ codePoints, charNum }: TextAsk): number => charNum ?? codePoints;

/**
 * The quota that a hold for `ask` reserves (decisions §4). In time mode characters are free until the expiry, through the account's channel or
 * one that is not dearer. `expireAt` is the main account's. Throws PACKAGE_EXPIRED, CHANNEL_NOT_INCLUDED or QUOTA_NOT_ENOUGH.
 */
export function priceOf(
  ask: Ask,
  account: Pick<AccountState, 'charNum' | 'voiceNum' | 'imageNum' | 'expireAt' | 'billingMode'>,
  at: { held: Quota; now: number },
): Quota {
  if (account.expireAt === null || account.expireAt <= at.now) throw new Refusal('PACKAGE_EXPIRED');
  const free = account.billingMode === 'time';
  // A dearer channel costs more characters than code points.
  if (free && ask.kind === 'text' && charsOf(ask) > ask.codePoints) throw new Refusal('CHANNEL_NOT_INCLUDED');
  const cost: Quota = {
    charNum: ask.kind === 'text' && !free ? charsOf(ask) : 0,
    voiceNum: ask.kind === 'voice' ? ask.minutes : 0,
    imageNum: ask.kind === 'image' ? 1 : 0,
  };
  const enough =
    account.charNum - at.held.charNum >= cost.charNum &&
    account.voiceNum - at.held.voiceNum >= cost.voiceNum &&
    account.imageNum - at.held.imageNum >= cost.imageNum;
  if (!enough) throw new Refusal('QUOTA_NOT_ENOUGH');
  return cost;
}
