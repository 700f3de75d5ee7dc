import { describe, expect, it } from '@jest/globals';
import type { LockedAccount } from '../rows/account-rows.js';
import type { Command } from './commands.js';
import { type Guess, KnownAccounts } from './known-accounts.js';
import { Writes } from './writes.js';

const account = (userId: number): LockedAccount => ({
  ...{ userId, familyId: userId, typeSeqs: [], usageSeq: 0, head: '', lastAt: 0 },
  held: { charNum: 0, voiceNum: 0, imageNum: 0 },
  state: {
    ...{ seq: 1, charNum: 100, voiceNum: 0, imageNum: 0, usedCharTotal: 0, rechargeAmountTotal: 0 },
    ...{ expireAt: null, tranChannelId: null, billingMode: 'char' },
  },
});
const hold = (userId: number): Command => ({
  ...{ do: 'hold', id: `hold of ${userId}`, userId, familyId: userId },
  ask: { kind: 'text', codePoints: 1 },
});

const read = (known: KnownAccounts, ...ids: number[]): void =>
  known.remember(
    {
      ...{ now: Date.now(), holds: new Map() },
      accounts: new Map(ids.map((id) => [id, account(id)])),
      versions: new Map(ids.map((id) => [id, '7'])),
    },
    new Writes({ charges: 0, holds: 0, lines: 0 }),
    '8',
  );
const guessOf = (known: KnownAccounts, ...ids: number[]): Guess => {
  const guess = known.guess(ids.map(hold));
  if (!guess) throw new Error(`nothing is guessed of ${ids.join(', ')}`);
  return guess;
};

describe('accounts that a lane remembers', () => {
  it('one that turns out to be outdated casts no doubt on the others, and is guessed again once it was read', () => {
    const known = new KnownAccounts();
    read(known, 1, 2);
    known.doubt(guessOf(known, 1));
    expect(known.guess([hold(1)])).toBeNull();
    expect(guessOf(known, 2).versions).toEqual(new Map([[2, '7']]));
    read(known, 1);
    expect(guessOf(known, 1).versions).toEqual(new Map([[1, '7']]));
  });

  it('one that is outdated again at once is left alone, and whatever comes with it', () => {
    const known = new KnownAccounts();
    read(known, 1, 2);
    known.doubt(guessOf(known, 1));
    read(known, 1);
    known.doubt(guessOf(known, 1));
    read(known, 1);
    expect(known.guess([hold(1)])).toBeNull();
    expect(known.guess([hold(2), hold(1)])).toBeNull();
    expect(guessOf(known, 2).versions).toEqual(new Map([[2, '7']]));
  });

  it('a wrong guess about many says that others write many accounts: none is guessed for a while', () => {
    const known = new KnownAccounts();
    read(known, 1, 2, 3);
    known.doubt(guessOf(known, 1, 2));
    expect(known.guess([hold(3)])).toBeNull();
  });
});
