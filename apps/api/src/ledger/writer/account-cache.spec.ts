import { describe, expect, it } from '@jest/globals';
import type { LockedAccount } from '../rows/account-rows.js';
import { AccountCache, type OptimisticRead } from './account-cache.js';
import { BatchWrites } from './batch-writes.js';
import type { Command } from './commands.js';

const account = (userId: number): LockedAccount => ({
  userId,
  familyId: userId,
  typeSeqs: [],
  usageSeq: 0,
  head: '',
  lastAt: 0,
  readOnly: false,
  held: { charNum: 0, voiceNum: 0, imageNum: 0 },
  state: {
    seq: 1,
    charNum: 100,
    voiceNum: 0,
    imageNum: 0,
    usedCharTotal: 0,
    rechargeAmountTotal: 0,
    expireAt: null,
    tranChannelId: null,
    billingMode: 'char',
  },
});
const hold = (userId: number): Command => ({
  do: 'hold',
  id: `hold of ${userId}`,
  userId,
  familyId: userId,
  ask: { kind: 'text', codePoints: 1 },
});

const store = (cache: AccountCache, ...ids: number[]): void =>
  cache.store(
    {
      now: Date.now(),
      holds: new Map(),
      accounts: new Map(ids.map((id) => [id, account(id)])),
      versions: new Map(ids.map((id) => [id, '7'])),
    },
    new BatchWrites({ charges: 0, holds: 0, lines: 0 }),
    '8',
  );
const read = (cache: AccountCache, ...ids: number[]): OptimisticRead => {
  const found = cache.read(ids.map(hold));
  if (!found) throw new Error(`not cached: ${ids.join(', ')}`);
  return found;
};

describe('the account cache', () => {
  it('evicts a single stale account, and serves it again once it is stored', () => {
    const cache = new AccountCache();
    store(cache, 1, 2);
    cache.invalidate(read(cache, 1));
    expect(cache.read([hold(1)])).toBeNull();
    expect(read(cache, 2).versions).toEqual(new Map([[2, '7']]));
    store(cache, 1);
    expect(read(cache, 1).versions).toEqual(new Map([[1, '7']]));
  });

  it('bypasses an account that is stale twice in a row, and every batch with it', () => {
    const cache = new AccountCache();
    store(cache, 1, 2);
    cache.invalidate(read(cache, 1));
    store(cache, 1);
    cache.invalidate(read(cache, 1));
    store(cache, 1);
    expect(cache.read([hold(1)])).toBeNull();
    expect(cache.read([hold(2), hold(1)])).toBeNull();
    expect(read(cache, 2).versions).toEqual(new Map([[2, '7']]));
  });

  it('is bypassed for a while after a stale batch of several accounts', () => {
    const cache = new AccountCache();
    store(cache, 1, 2, 3);
    cache.invalidate(read(cache, 1, 2));
    expect(cache.read([hold(3)])).toBeNull();
  });
});
