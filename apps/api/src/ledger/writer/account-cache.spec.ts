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
const hold = (userId: number, familyId = userId): Command => ({
  do: 'hold',
  id: `hold of ${userId}`,
  userId,
  familyId,
  ask: { kind: 'text', codePoints: 1 },
});

const NOTHING = { now: Date.now(), holds: new Map(), expiries: new Map() };
const noWrites = (): BatchWrites => new BatchWrites({ charges: 0, holds: 0, lines: 0 });

/** As after a batch that changed nothing: the version is the one that was read. */
const store = (cache: AccountCache, ...ids: number[]): void =>
  cache.store(
    {
      ...NOTHING,
      accounts: new Map(ids.map((id) => [id, account(id)])),
      versions: new Map(ids.map((id) => [id, '7'])),
    },
    noWrites(),
    '8',
  );
const fresh = (of: LockedAccount, version: string, mainExpireAt: number | null = null) => ({
  account: of,
  version,
  holds: new Map(),
  mainExpireAt,
});
const read = (cache: AccountCache, ...commands: Command[]): OptimisticRead => {
  const found = cache.read(commands);
  if (!found) throw new Error(`not cached: ${commands.map(({ userId }) => userId).join(', ')}`);
  return found;
};
const NONE: ReadonlySet<number> = new Set();

describe('the account cache', () => {
  it('doubts the account that had changed, and serves the others of the batch', () => {
    const cache = new AccountCache();
    store(cache, 1, 2, 3);
    expect(cache.doubt(read(cache, hold(1), hold(2)), new Set([2]), NONE)).toBe(true);
    expect(cache.unread([hold(1), hold(2), hold(3)])).toEqual(new Set([1]));
    expect(cache.allows([hold(1), hold(2)])).toBe(true);
    expect(cache.read([hold(1)])).toBeNull();
    expect(read(cache, hold(2), hold(3)).expected.get(2)?.version).toBe('7');
  });

  it('believes a doubted account again once it was found unchanged three times in a row', () => {
    const cache = new AccountCache();
    store(cache, 1);
    cache.doubt(read(cache, hold(1)), NONE, NONE);
    cache.refresh([fresh(account(1), '9')], Date.now());
    for (let right = 0; right < 2; right++) cache.refresh([fresh(account(1), '9')], Date.now());
    expect(cache.unread([hold(1)])).toEqual(new Set([1]));
    cache.refresh([fresh(account(1), '10')], Date.now());
    for (let right = 0; right < 3; right++) {
      expect(cache.unread([hold(1)])).toEqual(new Set([1]));
      cache.refresh([fresh(account(1), '10')], Date.now());
    }
    expect(cache.unread([hold(1)])).toEqual(NONE);
  });

  it('sends an account that changes between its reading and its commit to the lock for a while', () => {
    const cache = new AccountCache();
    store(cache, 1, 2);
    cache.doubt(read(cache, hold(1), hold(2)), new Set([2]), new Set([1]));
    expect(cache.allows([hold(1)])).toBe(false);
    expect(cache.allows([hold(2)])).toBe(true);
  });

  it('names no account when all were confirmed: the reason is another one', () => {
    const cache = new AccountCache();
    store(cache, 1);
    expect(cache.doubt(read(cache, hold(1)), new Set([1]), NONE)).toBe(false);
    expect(cache.unread([hold(1)])).toEqual(NONE);
  });

  it('lends copies: what was applied to them and not confirmed leaves no trace', () => {
    const cache = new AccountCache();
    store(cache, 1);
    const lent = read(cache, hold(1)).state.accounts.get(1);
    if (!lent) throw new Error('unreachable');
    lent.state.charNum = 0;
    lent.held.charNum = 100;
    lent.typeSeqs.push(1);
    expect(read(cache, hold(1)).state.accounts.get(1)).toEqual(account(1));
  });

  it("expects the expiry of its main account for a sub-account's hold, and nothing of it for others", () => {
    const cache = new AccountCache();
    store(cache, 1);
    const sub = { ...account(2), familyId: 1 };
    expect(cache.unread([hold(2, 1)])).toEqual(new Set([2]));
    cache.refresh([fresh(sub, '7', 5_000)], Date.now());
    const { expected, state } = read(cache, hold(1), hold(2, 1));
    expect(expected.get(2)).toEqual({ version: '7', mainId: 1, mainExpireAt: 5_000 });
    expect(expected.get(1)).toMatchObject({ mainId: null });
    expect(state.expiries).toEqual(new Map([[1, 5_000]]));
  });

  it('leaves the holds of capped accounts, and those with the main account, to the lock', () => {
    const cache = new AccountCache();
    const capped = { ...account(2), familyId: 1, capped: true };
    cache.refresh([fresh(capped, '7', 5_000)], Date.now());
    expect(cache.allows([hold(2, 1)])).toBe(false);
    expect(cache.allows([{ ...hold(3, 1), withMain: true } as Command])).toBe(false);
    expect(cache.allows([{ do: 'release', id: 'x', userId: 2, familyId: 1, usage: null }])).toBe(true);
  });
});
