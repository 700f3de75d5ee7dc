/**
 * The rules of each type of entry: what it may change, and what must confirm it elsewhere (decisions §4). The audit checks every entry
 * against this table.
 *
 * A type may have several rules, one for each occasion on which it is written; an entry must follow one of them.
 */
import { CHANNELS, DEFAULT_CHANNEL } from './channels.js';
import { ADDED_FIELDS, REF_FIELDS, type RefField } from './entry-fields.js';
import { ENTRY_TYPES, type Difference, type Entry, type EntryType } from './ledger.js';
import { DAY_MS, INVITE_REWARD_CHARS, MINUTE_MS, PACKAGE_DAYS } from './limits.js';
import { TRIAL_GROUP_ID } from './plans.js';

/** Everything that an entry can change or refer to. `imagesDown`: more than one image at once. */
const EFFECTS = [
  'charUp',
  'charDown',
  'voiceUp',
  'voiceDown',
  'imageUp',
  'imageDown',
  'imagesDown',
  'minutes',
  'used',
  'usedDown',
  'amountUp',
  'amountDown',
  'expiry',
  'channel',
  'mode',
  'orderId',
  'memberGroupId',
  'rechargeTranChannelId',
  'rechargeBillingMode',
  'consumeConfigId',
  'consumeTranChannelId',
  'counterpartId',
  'managerId',
  ...ADDED_FIELDS,
] as const;

export type Effect = (typeof EFFECTS)[number];

/**
 * What confirms an entry: its paid order · the operator's action · its line in the translation log · the row of a once-only gift · the other
 * side of the movement · the prices at the time, and for a sub-account its main account's conversion.
 */
export type Witness = 'order' | 'action' | 'translation' | 'gift' | 'otherSide' | 'prices';

export type EntryRule = {
  /** Always present. */
  must: readonly Effect[];
  /** Also allowed; nothing else is. */
  may: readonly Effect[];
  witness: Witness;
  /** Checks what effects cannot express; null if the entry is right. */
  exact?: (entry: Entry) => Difference | null;
};

const ANY_QUOTA = ['charUp', 'charDown', 'voiceUp', 'voiceDown', 'imageUp', 'imageDown', 'imagesDown'] as const;
const BOUGHT = ['charUp', 'voiceUp', 'imageUp', 'minutes'] as const;
const PLAN = ['expiry', 'memberGroupId', 'rechargeTranChannelId', 'rechargeBillingMode'] as const;

export const ENTRY_RULES: Record<EntryType, readonly EntryRule[]> = {
  TRANSLATION_CONSUME: [
    {
      must: ['used', 'consumeTranChannelId'],
      may: ['charDown', 'consumeConfigId', 'apiKeyId'],
      witness: 'translation',
    },
  ],
  VOICE_CONSUME: [{ must: ['voiceDown', 'consumeTranChannelId'], may: ['consumeConfigId'], witness: 'translation' }],
  OTHER: [
    { must: ['imageDown', 'consumeTranChannelId'], may: ['consumeConfigId'], witness: 'translation' },
    {
      must: ['expiry', 'channel', 'memberGroupId'],
      may: ['charUp', 'voiceUp', 'imageUp'],
      witness: 'gift',
      exact: openingDifference,
    },
  ],
  INVITE_REWARD: [
    {
      must: ['charUp'],
      may: [],
      witness: 'gift',
      exact: (e) => differ('charChange', INVITE_REWARD_CHARS, e.charChange),
    },
  ],
  RECHARGE_ORDER_BY_MEMBER_GROUP: [
    { must: [...PLAN, 'orderId', 'amountUp'], may: BOUGHT, witness: 'order', exact: rechargeDifference },
    { must: [...PLAN, 'managerId'], may: BOUGHT, witness: 'action', exact: rechargeDifference },
  ],
  SYS_ADJUST: [
    { must: ['managerId'], may: [...ANY_QUOTA, 'minutes', 'expiry'], witness: 'action' },
    {
      must: ['managerId', 'orderId', 'memberGroupId'],
      may: [...ANY_QUOTA, 'minutes', 'expiry', 'amountUp', 'amountDown'],
      witness: 'action',
    },
  ],
  DISTRIBUTION: [
    {
      must: ['counterpartId'],
      may: [...ANY_QUOTA, 'channel', 'consumeTranChannelId'],
      witness: 'otherSide',
      exact: distributionDifference,
    },
  ],
  RECOVERY: [{ must: ['counterpartId'], may: ANY_QUOTA, witness: 'otherSide', exact: recoveryDifference }],
  MATRIX: [
    {
      must: ['channel'],
      may: ['charUp', 'charDown', 'minutes', 'expiry'],
      witness: 'prices',
      exact: conversionDifference,
    },
  ],
  SYS_MATRIX: [
    {
      must: [],
      may: ['channel', 'mode', 'charUp', 'charDown', 'minutes', 'expiry'],
      witness: 'prices',
      exact: conversionDifference,
    },
  ],
};

/** The codes of the types with a rule that passes the test. */
export const codesWhere = (says: (rule: EntryRule) => boolean): number[] =>
  Object.entries(ENTRY_RULES).flatMap(([type, rules]) =>
    rules.some(says) ? [ENTRY_TYPES[type as EntryType].code] : [],
  );

/** A set of effects as bits, in the order of EFFECTS. */
export const bitsOf = (effects: readonly Effect[]): number =>
  effects.reduce((bits, effect) => bits | (1 << EFFECTS.indexOf(effect)), 0);

/** The effects of an entry as bits. */
export function effectsOf(e: Entry): number {
  const effects: Record<Exclude<Effect, RefField>, boolean> = {
    charUp: e.charChange > 0,
    charDown: e.charChange < 0,
    voiceUp: e.voiceChange > 0,
    voiceDown: e.voiceChange < 0,
    imageUp: e.imageChange > 0,
    imageDown: e.imageChange < 0,
    imagesDown: e.imageChange < -1,
    minutes: e.minChange !== 0,
    used: e.usedCharNum !== 0,
    usedDown: e.usedCharNum < 0,
    amountUp: e.amount > 0,
    amountDown: e.amount < 0,
    expiry: e.beforeExpireAt !== e.lastExpireAt,
    channel: e.beforeTranChannelId !== e.lastTranChannelId,
    mode: e.beforeBillingMode !== e.lastBillingMode,
  };
  const changed = Object.entries(effects).flatMap(([effect, isSo]) => (isSo ? [effect as Effect] : []));
  return bitsOf([...changed, ...REF_FIELDS.filter((name) => e[name] !== null)]);
}

/** The rules of each type as bits; `may` includes `must`. */
const COMPILED = Object.fromEntries(
  Object.entries(ENTRY_RULES).map(([type, rules]) => [
    type,
    rules.map((rule) => ({ rule, must: bitsOf(rule.must), may: bitsOf([...rule.must, ...rule.may]) })),
  ]),
) as Record<EntryType, { rule: EntryRule; must: number; may: number }[]>;

/** The rule that an entry with these effects follows; null if there is none. */
export function ruleFor(type: EntryType, effects: number): EntryRule | null {
  for (const { rule, must, may } of COMPILED[type])
    if ((effects & must) === must && (effects & ~may) === 0) return rule;
  return null;
}

/** How an entry breaks the nearest rule of its type; null if it follows one. Witnesses are not checked here. */
export function entryRuleDifference(entry: Entry): Difference | null {
  const effects = effectsOf(entry);
  const rule = ruleFor(entry.type, effects);
  if (rule) {
    const wrong = rule.exact?.(entry) ?? null;
    return wrong && { ...wrong, field: `${entry.type}: ${wrong.field}` };
  }
  const candidates = COMPILED[entry.type].map(({ rule: nearest, must, may }) => ({
    candidate: nearest,
    missing: namesOf(must & ~effects),
    strange: namesOf(effects & ~may),
  }));
  const distance = (c: (typeof candidates)[number]): number => c.missing.length + c.strange.length;
  const nearest = candidates.reduce((best, c) => (distance(c) < distance(best) ? c : best));
  const { missing, strange, candidate } = nearest;
  if (missing.length > 0) return { field: `${entry.type}: what it lacks`, expected: missing.join(', '), found: 'none' };
  const allowed = [...candidate.must, ...candidate.may].join(', ');
  return { field: `${entry.type}: what it changes`, expected: `only ${allowed}`, found: strange.join(', ') };
}

const namesOf = (bits: number): Effect[] => EFFECTS.filter((_, i) => (bits & (1 << i)) !== 0);

const differ = (field: string, expected: unknown, found: unknown): Difference | null =>
  expected === found ? null : { field, expected, found };

/** The first entry of a main account: a month, the default channel, and the trial quota if the mailbox is new. */
function openingDifference(e: Entry): Difference | null {
  return (
    differ('seq', 1, e.seq) ??
    differ('account', e.familyId, e.userId) ??
    differ('memberGroupId', TRIAL_GROUP_ID, e.memberGroupId) ??
    differ('lastTranChannelId', CHANNELS[DEFAULT_CHANNEL].id, e.lastTranChannelId) ??
    differ('lastExpireAt', e.createdAt + PACKAGE_DAYS * DAY_MS, e.lastExpireAt)
  );
}

/** A month per package by character, exactly the minutes of a time package; on the account's tariff. */
function rechargeDifference(e: Entry): Difference | null {
  const from = Math.max(e.createdAt, e.beforeExpireAt ?? 0);
  const life = (e.lastExpireAt ?? 0) - from;
  const wrong =
    differ('account', e.familyId, e.userId) ??
    differ('rechargeTranChannelId', e.lastTranChannelId, e.rechargeTranChannelId) ??
    differ('rechargeBillingMode', e.lastBillingMode, e.rechargeBillingMode);
  if (wrong) return wrong;
  if (e.rechargeBillingMode === 'time')
    return (
      differ('charChange', 0, e.charChange) ?? differ('lastExpireAt', from + e.minChange * MINUTE_MS, e.lastExpireAt)
    );
  const months = Math.max(1, Math.round(life / (PACKAGE_DAYS * DAY_MS)));
  return (
    differ('minChange', 0, e.minChange) ?? differ('lastExpireAt', from + months * PACKAGE_DAYS * DAY_MS, e.lastExpireAt)
  );
}

/** The first distribution sets the sub-account's channel; no other changes one. */
function distributionDifference(e: Entry): Difference | null {
  if (e.charChange === 0 && e.voiceChange === 0 && e.imageChange === 0)
    return { field: 'what is moved', expected: 'something', found: 'nothing' };
  if (e.beforeTranChannelId === e.lastTranChannelId) return null;
  return (
    differ('account', 'a sub-account', e.userId === e.familyId ? 'the main account' : 'a sub-account') ??
    differ('beforeTranChannelId', null, e.beforeTranChannelId)
  );
}

/** Everything goes back: nothing is left in the sub-account, and nothing leaves the main account. */
function recoveryDifference(e: Entry): Difference | null {
  if (e.userId === e.familyId) {
    const least = Math.min(e.charChange, e.voiceChange, e.imageChange);
    return least < 0 ? { field: 'what is recovered', expected: '≥ 0', found: least } : null;
  }
  return (
    differ('lastCharNum', 0, e.lastCharNum) ??
    differ('lastVoiceNum', 0, e.lastVoiceNum) ??
    differ('lastImageNum', 0, e.lastImageNum)
  );
}

/** Sub-accounts always bill by character and expire with their main account. */
function conversionDifference(e: Entry): Difference | null {
  const changes = e.beforeTranChannelId !== e.lastTranChannelId || e.beforeBillingMode !== e.lastBillingMode;
  if (!changes) return { field: 'what is changed', expected: 'a channel or a billing mode', found: 'neither' };
  if (e.userId === e.familyId) return null;
  return (
    differ('minChange', 0, e.minChange) ??
    differ('lastExpireAt', e.beforeExpireAt, e.lastExpireAt) ??
    differ('lastBillingMode', e.beforeBillingMode, e.lastBillingMode)
  );
}
