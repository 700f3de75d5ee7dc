import { describe, expect, it } from '@jest/globals';
import { entryRuleDifference, effectsOf, ENTRY_RULES, ruleFor } from './entry-rules.js';
import { emptyAccount, ENTRY_TYPES, post, type AccountState, type Movement } from './ledger.js';
import { DAY_MS } from './limits.js';

const NOW = 1_800_000_000_000;
const ALIVE: Partial<AccountState> = {
  seq: 5,
  charNum: 50_000,
  voiceNum: 50,
  imageNum: 50,
  expireAt: NOW + DAY_MS,
  tranChannelId: 1,
};
/** Written to an account of the family 7. */
const entryOf = (movement: Movement, state: Partial<AccountState> = ALIVE, userId = 7) =>
  post({ ...emptyAccount(), ...state }, movement, {
    userId,
    familyId: 7,
    typeSeq: 1,
    createdAt: NOW,
    cmdId: '01900000-0000-7000-8000-000000000000',
  });
const verdict = (...args: Parameters<typeof entryOf>): string => {
  const wrong = entryRuleDifference(entryOf(...args));
  return wrong ? `${wrong.field}: ${String(wrong.expected)} → ${String(wrong.found)}` : 'right';
};

const refs = { consumeTranChannelId: 1 };
const plan = { memberGroupId: 2, rechargeTranChannelId: 1, rechargeBillingMode: 'char' } as const;
const month = NOW + DAY_MS + 30 * DAY_MS;
const opening: Movement = {
  type: 'OTHER',
  charChange: 5_000,
  expireAt: NOW + 30 * DAY_MS,
  tranChannelId: 1,
  refs: { memberGroupId: 1 },
};

describe('the rules of entries', () => {
  it('accept what the product writes', () => {
    const right: Parameters<typeof entryOf>[] = [
      [{ type: 'TRANSLATION_CONSUME', charChange: -3, usedCharNum: 3, refs }],
      [{ type: 'TRANSLATION_CONSUME', usedCharNum: 3, refs: { ...refs, consumeConfigId: 9 } }],
      [{ type: 'VOICE_CONSUME', voiceChange: -2, refs }],
      [{ type: 'OTHER', imageChange: -1, refs }],
      [opening, {}],
      [{ type: 'INVITE_REWARD', charChange: 10_000 }],
      [{ type: 'SYS_ADJUST', imageChange: -9, expireAt: NOW, minChange: -1440, refs: { managerId: 1 } }],
      [{ type: 'SYS_ADJUST', amount: -1, refs: { managerId: 1, orderId: 1, memberGroupId: 2 } }],
      [
        {
          type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
          charChange: 9,
          amount: 8_800,
          expireAt: month,
          refs: { ...plan, orderId: 4 },
        },
      ],
      [
        {
          type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
          minChange: 60,
          expireAt: NOW + DAY_MS + 3600_000,
          refs: { ...plan, rechargeBillingMode: 'time', managerId: 4 },
        },
        { ...ALIVE, billingMode: 'time' },
      ],
      [{ type: 'DISTRIBUTION', charChange: 9, tranChannelId: 1, refs: { counterpartId: 7 } }, {}, 8],
      [{ type: 'RECOVERY', charChange: -5, refs: { counterpartId: 7 } }, { charNum: 5 }, 8],
      [{ type: 'MATRIX', charChange: -9, tranChannelId: 2 }],
      [{ type: 'SYS_MATRIX', charChange: -9, minChange: 4, expireAt: NOW + 240_000, billingMode: 'time' }],
    ];
    for (const args of right) expect(verdict(...args)).toBe('right');
    expect(new Set(right.map(([{ type }]) => type))).toEqual(new Set(Object.keys(ENTRY_TYPES)));
  });

  it.each<[string, ...Parameters<typeof entryOf>]>([
    ['TRANSLATION_CONSUME: what it changes', { type: 'TRANSLATION_CONSUME', usedCharNum: 1, expireAt: NOW, refs }],
    ['TRANSLATION_CONSUME: what it changes', { type: 'TRANSLATION_CONSUME', usedCharNum: 1, charChange: 1, refs }],
    ['VOICE_CONSUME: what it lacks: voiceDown', { type: 'VOICE_CONSUME', refs }],
    ['OTHER: what it changes', { type: 'OTHER', imageChange: -2, refs }],
    ['OTHER: what it lacks', { type: 'OTHER', tranChannelId: 2, billingMode: 'time' }],
    ['OTHER: seq: 1 → 6', opening, { seq: 5 }],
    ['OTHER: lastExpireAt', { ...opening, expireAt: NOW + 31 * DAY_MS }, {}],
    ['INVITE_REWARD: charChange: 10000 → 10000000', { type: 'INVITE_REWARD', charChange: 10_000_000 }],
    ['SYS_ADJUST: what it lacks: managerId', { type: 'SYS_ADJUST', charChange: 1 }],
    ['SYS_ADJUST: what it changes', { type: 'SYS_ADJUST', tranChannelId: 2, refs: { managerId: 1 } }],
    [
      'RECHARGE_ORDER_BY_MEMBER_GROUP: what it lacks: ',
      { type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', charChange: 9, amount: 19_800, expireAt: month, refs: plan },
    ],
    [
      'RECHARGE_ORDER_BY_MEMBER_GROUP: lastExpireAt',
      {
        type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
        charChange: 9,
        amount: 8_800,
        expireAt: month + 1,
        refs: { ...plan, orderId: 4 },
      },
    ],
    ['DISTRIBUTION: account', { type: 'DISTRIBUTION', charChange: 9, tranChannelId: 2, refs: { counterpartId: 8 } }],
    ['DISTRIBUTION: what is moved', { type: 'DISTRIBUTION', refs: { counterpartId: 8 } }],
    ['RECOVERY: lastCharNum: 0 → 49995', { type: 'RECOVERY', charChange: -5, refs: { counterpartId: 7 } }, ALIVE, 8],
    ['RECOVERY: what is recovered', { type: 'RECOVERY', charChange: -5, refs: { counterpartId: 8 } }],
    ['MATRIX: what it changes', { type: 'MATRIX', tranChannelId: 2, billingMode: 'time' }],
    ['SYS_MATRIX: what is changed', { type: 'SYS_MATRIX', charChange: -1 }],
    ['SYS_MATRIX: lastBillingMode', { type: 'SYS_MATRIX', billingMode: 'time' }, ALIVE, 8],
  ])('detect %s', (expected, ...args) => {
    expect(verdict(...args)).toContain(expected);
  });

  it('name the evidence for every type', () => {
    for (const [type, rules] of Object.entries(ENTRY_RULES)) {
      expect(rules.length).toBeGreaterThan(0);
      for (const { witness } of rules) expect([type, witness]).toEqual([type, expect.any(String)]);
    }
    const entry = entryOf({ type: 'OTHER', imageChange: -1, refs });
    expect(ruleFor(entry.type, effectsOf(entry))?.witness).toBe('translation');
  });
});
