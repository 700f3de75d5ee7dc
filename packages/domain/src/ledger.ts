/**
 * The product's money, in one file (decisions §4).
 *
 * A member has an ACCOUNT: balances of characters, voice and images, how long they live, and the channel and billing mode that give
 * them their price. Every change of it is an ENTRY, and nothing changes without one; entries are numbered from 1 without gaps and
 * chained by their hashes (entry-bytes.ts). So an account is exactly what `replay` makes of its entries: the writer that changes
 * balances, the operator's audit and the tests run this same fold.
 *
 * How quota comes, moves and goes:
 * - it is bought (`purchased`), after a conversion when the package has another channel or billing mode (conversion.ts);
 * - it goes to a sub-account and back, two entries that cancel out (movements.ts);
 * - it is used: a translation first HOLDS its price (`priceOf`), which reserves quota without an entry, then the hold is settled
 *   with an entry, or released as if nothing had been.
 * What an entry means to a reader, in words: explanations.ts.
 *
 * Units: characters are Unicode code points, voice is started minutes, images are pictures, amounts are fen, times are
 * milliseconds since 1970. Every number is a safe integer.
 */
import { Refusal } from './errors.js';
import { EXPIRE_MAX_MS, QUOTA_MAX } from './limits.js';
import type { BillingMode } from './plans.js';

/**
 * Why an account changed. A new type is a row here, its rule (entry-rules.ts) and its sentence (explanations.ts). `code` is stored and
 * hashed, so it never changes; codes are numbered from 1 without gaps, because an account counts its entries of each type by it.
 * A conversion is MATRIX when the member changes the channel, SYS_MATRIX when a purchase brings it about.
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

/** The entry type stored under `code`; undefined for a code that no table row has (a forged row). */
export const entryTypeOf = (code: number): EntryType | undefined => TYPE_BY_CODE.get(code);

/** What an entry explains of an account. Held quota is not here: a hold is a reservation, not a change. */
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

/** An account before its first entry: replaying starts here. */
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

/** Who and what an entry refers to: ids only, names are joined when read (decisions §3). */
export type EntryRefs = {
  orderId: number | null;
  memberGroupId: number | null;
  rechargeTranChannelId: number | null;
  rechargeBillingMode: BillingMode | null;
  consumeConfigId: number | null;
  consumeTranChannelId: number | null;
  /** The other side of a movement between main account and sub-account. */
  counterpartId: number | null;
  managerId: number | null;
};

/** A change that somebody asks for. What is left out does not change. */
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

/** One line of the ledger, as stored and hashed. */
export type Entry = EntryRefs & {
  userId: number;
  familyId: number;
  seq: number;
  type: EntryType;
  /** 1, 2, 3 … within this account and type. */
  typeSeq: number;
  cmdId: string;
  createdAt: number;
  charChange: number;
  minChange: number;
  voiceChange: number;
  imageChange: number;
  usedCharNum: number;
  amount: number;
  beforeCharNum: number;
  lastCharNum: number;
  beforeVoiceNum: number;
  lastVoiceNum: number;
  beforeImageNum: number;
  lastImageNum: number;
  beforeExpireAt: number | null;
  lastExpireAt: number | null;
  beforeTranChannelId: number | null;
  lastTranChannelId: number | null;
  beforeBillingMode: BillingMode;
  lastBillingMode: BillingMode;
};

/** Where an entry is written: which account, under which command, when. */
export type EntryPlace = { userId: number; familyId: number; typeSeq: number; cmdId: string; createdAt: number };

const NO_REFS: Partial<EntryRefs> = {};

/**
 * Changes `state` by `movement` and returns the entry that explains it.
 * Throws, leaving `state` untouched, QUOTA_NOT_ENOUGH when a balance would go below zero and QUOTA_TOO_LARGE when it, or the
 * expiry, would outgrow what can be kept exactly.
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
  // Field by field: spreads cost more than everything else in here, and the writer runs this for every translation.
  const entry: Entry = {
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
  advance(state, entry);
  return entry;
}

/** Makes `state` what the entry says that it left, whether it follows or not: `replay` tells that. */
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

/** The first way in which a stored entry does not follow its account: which field, what was expected, what stands there. */
export type Difference = { field: string; expected: unknown; found: unknown };

/**
 * Replays one stored entry: null and `state` moved on, or the first difference and `state` untouched.
 * Together with the hash chain this is the whole audit of one account.
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

/** How a billing mode is stored and hashed; 0 stands for none. */
const MODE_CODE = { char: 1, time: 2 } as const;
export const billingModeCode = (mode: BillingMode | null): number => (mode === null ? 0 : MODE_CODE[mode]);
export const billingModeOf = (code: number): BillingMode | null => (code === 1 ? 'char' : code === 2 ? 'time' : null);

/** What is reserved by translations under way. */
export type Quota = { charNum: number; voiceNum: number; imageNum: number };
/**
 * `charNum`: what the text costs in the account's own characters when that is not its code points: another channel for one request,
 * or several texts, each rounded up (quotes.ts).
 */
export type TextAsk = { kind: 'text'; codePoints: number; charNum?: number };
export type Ask = TextAsk | { kind: 'voice'; minutes: number } | { kind: 'image' };

/** Characters that a text costs where characters cost anything. */
export const charsOf = ({ codePoints, charNum }: TextAsk): number => charNum ?? codePoints;

/**
 * What a hold for `ask` reserves (decisions §4): in time mode characters cost nothing while the package lives, through the account's
 * own channel or one that is not dearer. `expireAt` is the main account's. Throws PACKAGE_EXPIRED, CHANNEL_NOT_INCLUDED or
 * QUOTA_NOT_ENOUGH.
 */
export function priceOf(
  ask: Ask,
  account: Pick<AccountState, 'charNum' | 'voiceNum' | 'imageNum' | 'expireAt' | 'billingMode'>,
  at: { held: Quota; now: number },
): Quota {
  if (account.expireAt === null || account.expireAt <= at.now) throw new Refusal('PACKAGE_EXPIRED');
  const free = account.billingMode === 'time';
  // A dearer channel costs more characters than there are code points.
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
