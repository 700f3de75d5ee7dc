import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ENTRY_BYTES, ENTRY_BYTES_MAX, putEntry } from './entry-bytes.js';
import { ENTRY_FIELD_NAMES, entryField } from './entry-fields.js';
import { Refusal } from './errors.js';
import { changeTag } from './explanations.js';
import {
  emptyAccount,
  ENTRY_TYPES,
  post,
  priceOf,
  replay,
  type AccountState,
  type Entry,
  type EntryType,
  type Movement,
} from './ledger.js';
import { EXPIRE_MAX_MS, QUOTA_MAX } from './limits.js';

const types = Object.keys(ENTRY_TYPES) as EntryType[];
const change = fc.integer({ min: -1000, max: 3000 });
const id = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: null });
const mode = fc.constantFrom('char' as const, 'time' as const);
const time = fc.option(fc.integer({ min: 1, max: 8_000_000_000_000 }), { nil: null });

const movement: fc.Arbitrary<Movement> = fc.record(
  {
    type: fc.constantFrom(...types),
    charChange: change,
    minChange: change,
    voiceChange: change,
    imageChange: change,
    usedCharNum: fc.nat(5000),
    amount: fc.nat(10_000_000),
    expireAt: time,
    tranChannelId: id,
    billingMode: mode,
    refs: fc.record(
      {
        orderId: id,
        memberGroupId: id,
        rechargeTranChannelId: id,
        rechargeBillingMode: fc.option(mode, { nil: null }),
        consumeConfigId: id,
        consumeTranChannelId: id,
        counterpartId: id,
        managerId: id,
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['type'] },
);

/** Posts the movements; refused ones leave no entry. */
const written = (movements: Movement[]): { entries: Entry[]; state: AccountState; refused: number } => {
  const state = emptyAccount();
  const entries: Entry[] = [];
  let refused = 0;
  movements.forEach((m, i) => {
    const before = { ...state };
    const place = { userId: 7, familyId: 7, typeSeq: i + 1, cmdId: uuid(i), createdAt: 1_700_000_000_000 + i };
    try {
      entries.push(post(state, m, place));
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      expect(state).toEqual(before);
      refused++;
    }
  });
  return { entries, state, refused };
};

const uuid = (n: number): string => `0190f3c4-7a2b-7c3d-8e4f-${n.toString(16).padStart(12, '0')}`;

const story = fc
  .array(movement, { minLength: 1, maxLength: 20 })
  .map(written)
  .filter(({ entries }) => entries.length > 0);

const bytesOf = (entry: Entry): string => {
  const view = new DataView(new ArrayBuffer(ENTRY_BYTES_MAX));
  const end = putEntry(view, 0, entry);
  expect(end).toBe(entry.apiKeyId === null ? ENTRY_BYTES : ENTRY_BYTES_MAX);
  return Array.from(new Uint8Array(view.buffer, 0, end), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** As the audit does: every entry replays, has its original bytes, and the last one leaves the balance. */
const isWhole = (entries: Entry[], original: { bytes: string[]; state: AccountState }): boolean => {
  const state = emptyAccount();
  for (const [i, entry] of entries.entries())
    if (replay(state, entry) !== null || bytesOf(entry) !== original.bytes[i]) return false;
  return JSON.stringify(state) === JSON.stringify(original.state);
};

const originalOf = ({ entries, state }: { entries: Entry[]; state: AccountState }) => ({
  bytes: entries.map(bytesOf),
  state,
});

it('numbers the types without gaps', () => {
  expect(types.map((type) => ENTRY_TYPES[type].code as number)).toEqual(types.map((_, i) => i + 1));
});

describe('the replay', () => {
  it('reaches exactly the state that posting left', () => {
    fc.assert(
      fc.property(story, (s) => {
        expect(isWhole(s.entries, originalOf(s))).toBe(true);
      }),
    );
  });

  it('never lets a balance go below zero', () => {
    fc.assert(
      fc.property(story, ({ entries }) => {
        for (const e of entries)
          expect(Math.min(e.lastCharNum, e.lastVoiceNum, e.lastImageNum)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('rejects anything that cannot be stored exactly: balances, sums of two, and times beyond the bound', () => {
    const place = { userId: 7, familyId: 7, typeSeq: 1, cmdId: uuid(1), createdAt: 1 };
    const refusalOf = (state: AccountState, m: Omit<Movement, 'type'>): string => {
      const before = { ...state };
      try {
        post(state, { type: 'SYS_ADJUST', ...m }, place);
        return 'ok';
      } catch (error) {
        expect(state).toEqual(before);
        return error instanceof Refusal ? error.code : String(error);
      }
    };
    const full = { ...emptyAccount(), charNum: QUOTA_MAX, voiceNum: QUOTA_MAX, imageNum: QUOTA_MAX - 1 };
    for (const change of [{ charChange: 1 }, { voiceChange: 1 }, { imageChange: 2 }, { charChange: Number.NaN }])
      expect(refusalOf({ ...full }, change)).toBe('QUOTA_TOO_LARGE');
    expect(refusalOf({ ...full }, { expireAt: EXPIRE_MAX_MS + 1 })).toBe('QUOTA_TOO_LARGE');
    expect(refusalOf({ ...full }, { imageChange: 1, expireAt: EXPIRE_MAX_MS })).toBe('ok');
    expect(Number.isSafeInteger(QUOTA_MAX + QUOTA_MAX)).toBe(true);
    const any = fc.oneof(fc.integer({ min: 0, max: QUOTA_MAX }), fc.integer({ min: QUOTA_MAX - 9, max: QUOTA_MAX }));
    fc.assert(
      fc.property(any, fc.integer({ min: -QUOTA_MAX, max: QUOTA_MAX }), (charNum, charChange) => {
        const last = charNum + charChange;
        const expected = last < 0 ? 'QUOTA_NOT_ENOUGH' : last > QUOTA_MAX ? 'QUOTA_TOO_LARGE' : 'ok';
        expect(refusalOf({ ...emptyAccount(), charNum }, { charChange })).toBe(expected);
      }),
    );
  });

  it('detects any alteration of any field of any entry', () => {
    fc.assert(
      fc.property(story, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 1000 }), (s, at, which, by) => {
        const original = originalOf(s);
        const entries = s.entries.map((entry) => ({ ...entry }));
        const entry = entries[at % entries.length] as Record<string, unknown> & Entry;
        const field = Object.keys(entry)[which % Object.keys(entry).length] ?? 'seq';
        const value = entry[field];
        if (field === 'type') entry.type = types[(types.indexOf(entry.type) + 1) % types.length] ?? 'OTHER';
        else if (field.endsWith('BillingMode')) entry[field] = value === 'char' ? 'time' : 'char';
        else if (field === 'cmdId') entry.cmdId = uuid(100 + by);
        else entry[field] = Number(value ?? 0) + by;
        expect(isWhole(entries, original)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('detects a missing, a repeated and a moved entry', () => {
    fc.assert(
      fc.property(story, fc.nat(), fc.nat(), (s, a, b) => {
        const original = originalOf(s);
        const [i, j] = [a % s.entries.length, b % s.entries.length];
        expect(isWhole(s.entries.toSpliced(i, 1), original)).toBe(false);
        const repeated = s.entries[i];
        if (repeated) expect(isWhole(s.entries.toSpliced(i, 0, repeated), original)).toBe(false);
        const [first, second] = [s.entries[i], s.entries[j]];
        if (i !== j && first && second) expect(isWhole(s.entries.with(i, second).with(j, first), original)).toBe(false);
      }),
    );
  });

  it('names the inconsistent field', () => {
    const { entries } = written([
      { type: 'OTHER', charChange: 10 },
      { type: 'TRANSLATION_CONSUME', charChange: -4 },
    ]);
    const [first, second] = entries;
    if (!first || !second) throw new Error('unreachable');
    const state = emptyAccount();
    expect(replay(state, second)).toEqual({ field: 'seq', expected: 1, found: 2 });
    expect(replay(state, first)).toBeNull();
    expect(replay(state, { ...second, beforeCharNum: 9 })).toEqual({ field: 'beforeCharNum', expected: 10, found: 9 });
    expect(replay(state, { ...second, lastCharNum: 7 })).toEqual({ field: 'lastCharNum', expected: 6, found: 7 });
    expect(state.charNum).toBe(10);
  });
});

describe('canonical bytes', () => {
  it('differ whenever two entries differ', () => {
    fc.assert(
      fc.property(story, story, (a, b) => {
        for (const [i, entry] of a.entries.entries()) {
          const other = b.entries[i];
          if (!other) continue;
          expect(bytesOf(entry) === bytesOf(other)).toBe(JSON.stringify(entry) === JSON.stringify(other));
        }
      }),
    );
  });

  it('keep their format for ever', () => {
    const { entries } = written([
      {
        type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
        charChange: 5_000_000_000,
        minChange: 0,
        amount: 8800,
        expireAt: 1_766_000_000_000,
        tranChannelId: 3,
        refs: { orderId: 12, memberGroupId: 2, rechargeBillingMode: 'char' },
      },
    ]);
    const words = (entries[0] ? bytesOf(entries[0]) : '')
      .match(/.{16}/g)
      ?.map((word) => BigInt.asIntN(64, BigInt(`0x${word}`)));
    // prettier-ignore
    expect(words?.slice(0, 29)).toEqual([7n, 7n, 1n, 1n, 1n, 1_700_000_000_000n, 5_000_000_000n, 0n, 0n, 0n, 0n, 8800n,
      0n, 5_000_000_000n, 0n, 0n, 0n, 0n, 0n, 1_766_000_000_000n, 3n, 10_101n, 12n, 2n, 0n, 0n, 0n, 0n, 0n]);
    expect(entries[0] && bytesOf(entries[0]).slice(-32)).toBe(uuid(0).replaceAll('-', ''));
  });

  // Written by the code before there was a table of fields: a value of its own in every field, then null wherever that is allowed.
  it('are byte-identical to the recorded ones', () => {
    const entry: Entry = {
      userId: 4711,
      familyId: 4700,
      seq: Number.MAX_SAFE_INTEGER,
      type: 'INVITE_REWARD',
      typeSeq: 3,
      createdAt: 1_766_000_000_123,
      charChange: -5_000_000_000,
      minChange: -1,
      voiceChange: 7,
      imageChange: -8,
      usedCharNum: 65_536,
      amount: 8_800,
      beforeCharNum: 4_294_967_296,
      lastCharNum: 4_294_967_295,
      beforeVoiceNum: 16,
      lastVoiceNum: 17,
      beforeImageNum: 18,
      lastImageNum: 19,
      beforeExpireAt: 253_402_300_799_999,
      lastExpireAt: null,
      beforeTranChannelId: 2_147_483_647,
      lastTranChannelId: 21,
      beforeBillingMode: 'time',
      lastBillingMode: 'char',
      rechargeBillingMode: 'time',
      orderId: 22,
      memberGroupId: 23,
      rechargeTranChannelId: 24,
      consumeConfigId: 25,
      consumeTranChannelId: 26,
      counterpartId: 27,
      managerId: 28,
      cmdId: '0190f3c4-7a2b-7c3d-8e4f-0123456789ab',
      apiKeyId: null,
    };
    expect(bytesOf(entry)).toBe(
      '0000000000001267000000000000125c001fffffffffffff000000000000000a00000000000000030000019b2dcd7c7b' +
        'fffffffed5fa0e00ffffffffffffffff0000000000000007fffffffffffffff800000000000100000000000000002260' +
        '000000010000000000000000ffffffff0000000000000010000000000000001100000000000000120000000000000013' +
        '0000e677d21fdbff00000000000000007fffffff000000150000000000004e8600000000000000160000000000000017' +
        '00000000000000180000000000000019000000000000001a000000000000001b000000000000001c0190f3c47a2b7c3d' +
        '8e4f0123456789ab',
    );
    expect(bytesOf({ ...entry, apiKeyId: 29 })).toBe(`${bytesOf(entry)}000000000000001d`);
    const nulls = Object.fromEntries(
      ENTRY_FIELD_NAMES.filter((name) => entryField(name).nullable).map((name) => [name, null]),
    );
    expect(bytesOf({ ...entry, ...nulls }).slice(144 * 2)).toBe(
      `${'0'.repeat(60)}4e84${'0'.repeat(112)}0190f3c47a2b7c3d8e4f0123456789ab`,
    );
  });

  it('have a table whose slots do not overlap', () => {
    const slots = ENTRY_FIELD_NAMES.flatMap((name) => {
      const { slot, half, factor, type } = entryField(name);
      return type === 'uuid' ? [`${slot}`, `${slot + 1}`] : [`${slot}${half ?? ''}${factor ? `×${factor}` : ''}`];
    });
    expect(new Set(slots).size).toBe(slots.length);
  });
});

describe('the price of a translation', () => {
  const now = 1_000;
  const account = { charNum: 10, voiceNum: 2, imageNum: 1, expireAt: 2_000, billingMode: 'char' } as const;
  const held = { charNum: 4, voiceNum: 1, imageNum: 0 };
  const codeOf = (work: () => unknown): string => {
    try {
      work();
      return 'ok';
    } catch (error) {
      return error instanceof Refusal ? error.code : String(error);
    }
  };

  it('is the code points, the minutes or the picture, for the unreserved part', () => {
    expect(priceOf({ kind: 'text', codePoints: 6 }, account, { held, now })).toEqual({
      charNum: 6,
      voiceNum: 0,
      imageNum: 0,
    });
    expect(priceOf({ kind: 'voice', minutes: 1 }, account, { held, now })).toEqual({
      charNum: 0,
      voiceNum: 1,
      imageNum: 0,
    });
    expect(priceOf({ kind: 'image' }, account, { held, now })).toEqual({ charNum: 0, voiceNum: 0, imageNum: 1 });
    expect(codeOf(() => priceOf({ kind: 'text', codePoints: 7 }, account, { held, now }))).toBe('QUOTA_NOT_ENOUGH');
    expect(codeOf(() => priceOf({ kind: 'voice', minutes: 2 }, account, { held, now }))).toBe('QUOTA_NOT_ENOUGH');
  });

  it('follows the price of another channel, for the unreserved part', () => {
    const quota = { charNum: 6, voiceNum: 0, imageNum: 0 };
    expect(priceOf({ kind: 'text', codePoints: 1, charNum: 6 }, account, { held, now })).toEqual(quota);
    expect(priceOf({ kind: 'text', codePoints: 5000, charNum: 6 }, account, { held, now })).toEqual(quota);
    expect(codeOf(() => priceOf({ kind: 'text', codePoints: 1, charNum: 7 }, account, { held, now }))).toBe(
      'QUOTA_NOT_ENOUGH',
    );
    const timed = { ...account, billingMode: 'time' as const };
    expect(priceOf({ kind: 'text', codePoints: 7, charNum: 1 }, timed, { held, now }).charNum).toBe(0);
    expect(codeOf(() => priceOf({ kind: 'text', codePoints: 6, charNum: 7 }, timed, { held, now }))).toBe(
      'CHANNEL_NOT_INCLUDED',
    );
  });

  it('is zero for text in time mode, until the package expires', () => {
    const timed = { ...account, billingMode: 'time' } as const;
    expect(priceOf({ kind: 'text', codePoints: 5000 }, timed, { held, now })).toEqual({
      charNum: 0,
      voiceNum: 0,
      imageNum: 0,
    });
    expect(codeOf(() => priceOf({ kind: 'text', codePoints: 1 }, timed, { held, now: 2_000 }))).toBe('PACKAGE_EXPIRED');
    expect(codeOf(() => priceOf({ kind: 'image' }, { ...account, expireAt: null }, { held, now }))).toBe(
      'PACKAGE_EXPIRED',
    );
  });
});

describe('the change tag', () => {
  it('is one of none, add, decrease and transfer', () => {
    const none = { charChange: 0, minChange: 0, voiceChange: 0, imageChange: 0 };
    expect(changeTag(none)).toBe('none');
    expect(changeTag({ ...none, voiceChange: 2 })).toBe('add');
    expect(changeTag({ ...none, imageChange: -1 })).toBe('decrease');
    expect(changeTag({ ...none, charChange: -100, minChange: 30 })).toBe('transfer');
  });
});
