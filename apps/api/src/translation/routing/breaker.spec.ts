import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { VendorFailureKind } from '../channels/vendor-failure.js';
import { Breaker, type BreakerChange, type Pass } from './breaker.js';

let clock: FakeClock;
let changes: BreakerChange[];
let breaker: Breaker;

beforeEach(() => {
  clock = new FakeClock();
  changes = [];
  breaker = new Breaker(clock, (change) => changes.push(change));
});

const admitted = (): Pass => {
  const pass = breaker.admit();
  if (pass === null) throw new Error('it lets nothing through');
  return pass;
};
const succeed = (): void => admitted().succeeded();
const fail = (kind: VendorFailureKind, times = 1, retryAfterMs: number | null = null): void => {
  for (let i = 0; i < times; i++) admitted().failed(kind, retryAfterMs);
};

describe('a breaker', () => {
  it.each(['rate', 'transient', 'timeout', 'bad-answer'] as const)('opens at the fifth %s in a row', (kind) => {
    fail(kind, 4);
    expect(breaker.state).toBe('closed');
    succeed();
    fail(kind, 4);
    expect(breaker.state).toBe('closed');
    fail(kind);
    expect(breaker.state).toBe('open');
    expect(breaker.admit()).toBeNull();
    expect(changes).toEqual([{ from: 'closed', to: 'open', kind, coolDownMs: 5_000 }]);
  });

  it('opens when half of the recent requests failed, though never five in a row', () => {
    for (let i = 0; i < 4; i++) {
      succeed();
      fail('transient');
    }
    expect(breaker.state).toBe('closed');
    succeed();
    fail('transient');
    expect(breaker.state).toBe('open');
  });

  it('stays closed for an upstream that fails now and then', () => {
    for (let i = 0; i < 100; i++) {
      succeed();
      succeed();
      fail('timeout');
    }
    expect(breaker.state).toBe('closed');
  });

  it.each(['auth', 'quota'] as const)('opens at the first %s, for a minute', async (kind) => {
    fail(kind);
    expect(changes).toEqual([{ from: 'closed', to: 'open', kind, coolDownMs: 60_000 }]);
    await clock.pass(59_999);
    expect(breaker.admits).toBe(false);
    await clock.pass(1);
    expect(breaker.admits).toBe(true);
  });

  it.each(['unsupported', 'too-long', 'blocked', 'bad-request'] as const)('ignores %s', (kind) => {
    fail(kind, 50);
    expect(breaker.state).toBe('closed');
  });

  it('lets one probe through after its time, and closes if it succeeds', async () => {
    fail('transient', 5);
    await clock.pass(5_000);
    const probe = admitted();
    expect(breaker.state).toBe('half-open');
    expect(breaker.admit()).toBeNull();
    const known = breaker.probe;
    probe.succeeded();
    await known;
    expect(breaker.state).toBe('closed');
    expect(changes.map(({ to }) => to)).toEqual(['open', 'half-open', 'closed']);
  });

  it('lets the next request probe when the previous one never reached the vendor', async () => {
    fail('transient', 5);
    await clock.pass(5_000);
    const probe = admitted();
    const known = breaker.probe;
    probe.dropped();
    await known;
    expect(breaker.state).toBe('half-open');
    succeed();
    expect(breaker.state).toBe('closed');
  });

  it('closes when the vendor at least understands requests again', async () => {
    fail('timeout', 5);
    await clock.pass(5_000);
    fail('unsupported');
    expect(breaker.state).toBe('closed');
  });

  it('doubles its open time after each failed probe, up to two minutes', async () => {
    fail('timeout', 5);
    for (const coolDownMs of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
      expect(changes.at(-1)).toEqual(expect.objectContaining({ to: 'open', coolDownMs }));
      await clock.pass(coolDownMs - 1);
      expect(breaker.admits).toBe(false);
      await clock.pass(1);
      fail('timeout');
    }
  });

  it('treats a failure soon after closing as a relapse, and a later one as new', async () => {
    fail('timeout', 5);
    await clock.pass(5_000);
    succeed();
    await clock.pass(30_000);
    fail('timeout', 5);
    expect(changes.at(-1)?.coolDownMs).toBe(10_000);
    await clock.pass(10_000);
    succeed();
    await clock.pass(60_000);
    fail('timeout', 5);
    expect(changes.at(-1)?.coolDownMs).toBe(5_000);
  });

  it('stays open as long as the vendor asks, if that is longer', () => {
    fail('rate', 4);
    fail('rate', 1, 30_000);
    expect(changes.at(-1)?.coolDownMs).toBe(30_000);
  });

  it('ignores results of requests that started before it changed', async () => {
    const late = [admitted(), admitted(), admitted()];
    fail('transient', 5);
    late[0]?.succeeded();
    expect(breaker.state).toBe('open');
    await clock.pass(5_000);
    const probe = admitted();
    late[1]?.failed('auth', null);
    late[2]?.succeeded();
    expect(breaker.state).toBe('half-open');
    expect(breaker.admit()).toBeNull();
    probe.succeeded();
    expect(breaker.state).toBe('closed');
  });

  it('can turn a recorded success into a failure later', () => {
    for (let i = 0; i < 5; i++) {
      succeed();
      breaker.blame('bad-answer');
    }
    expect(breaker.state).toBe('open');
    breaker.blame('bad-answer');
    expect(changes).toHaveLength(1);
  });

  it('uses no timers', async () => {
    fail('auth');
    await clock.pass(60_000);
    fail('auth');
    expect(clock.set).toBe(0);
  });
});
