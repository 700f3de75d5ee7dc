import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock, settled } from '../../../test/support/fake-clock.js';
import { ScriptedVendor, translating, vendorAccount } from '../../../test/support/scripted-vendor.js';
import { type VendorAccount, type VendorAnswer, type VendorLimits } from '../channels/vendor.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { OVERTAKEN, Upstream } from './upstream.js';
import { textLimitsOf } from './vendor-channel.js';

Logger.overrideLogger(false);

let clock: FakeClock;
beforeEach(() => {
  clock = new FakeClock();
});

const account = (caps: Partial<VendorAccount>, vendor: ScriptedVendor): Upstream =>
  new Upstream(vendorAccount('one', caps), vendor, { time: clock, today: () => 'today' });
const ask = (upstream: Upstream, more: object = {}) =>
  upstream.send({
    chars: 5,
    signal: new AbortController().signal,
    deadline: clock.now() + 15_000,
    family: 1,
    work: (client, signal) => client.translate({ texts: ['hello'], source: 'en', target: 'zh-Hans', signal }),
    ...more,
  });
const kindOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => (error instanceof VendorFailure ? error.kind : error));

describe('an upstream', () => {
  it.each([
    [{ charsPerMinute: 100 }, {}, 100],
    [{}, { charsPerMinute: 300 }, 300],
    [{ charsPerMinute: 400 }, { charsPerMinute: 300 }, 300],
    [{ charsPerMinute: 200 }, { charsPerMinute: 300 }, 200],
    [{}, {}, 5_000],
  ] as [Partial<VendorAccount>, Partial<VendorLimits>, number][])(
    'splits requests at the limit per minute: %j %j',
    (caps, limits, most) => {
      expect(textLimitsOf(account(caps, new ScriptedVendor(limits))).charsPerRequest).toBe(most);
    },
  );

  it('rejects queued requests without calling when its breaker opens', async () => {
    const vendor = new ScriptedVendor();
    const answer = Promise.withResolvers<VendorAnswer>();
    vendor.deeds = [() => answer.promise];
    const upstream = account({ requestsPerSecond: 1 }, vendor);
    const [first, second] = [kindOf(ask(upstream)), ask(upstream)];
    await settled();
    answer.reject(new VendorFailure('auth', 'scripted'));
    expect([await first, await second]).toEqual(['auth', null]);
    expect(vendor.asked).toHaveLength(1);
    expect(await ask(upstream)).toBeNull();
    expect(clock.set).toBe(0);
  });

  it('sends nothing that has no time left for a response', async () => {
    const vendor = new ScriptedVendor();
    expect(await kindOf(ask(account({}, vendor), { deadline: clock.now() + 400 }))).toBe('rate');
    expect(vendor.asked).toEqual([]);
  });

  it('aborts after the vendor time-out, and counts that as its failure', async () => {
    const vendor = new ScriptedVendor({ requestMs: 700 });
    vendor.always = 'hang';
    const upstream = account({}, vendor);
    for (let i = 0; i < 5; i++) {
      const asked = kindOf(ask(upstream));
      await clock.pass(699);
      expect(vendor.asked.at(-1)?.signal.aborted).toBe(false);
      await clock.pass(1);
      expect(await asked).toBe('timeout');
    }
    expect(upstream.admits).toBe(false);
  });

  it('releases its caller at the deadline, and is judged by its own time-out', async () => {
    const vendor = new ScriptedVendor();
    const answers: ((answer: VendorAnswer) => void)[] = [];
    const upstream = account({}, vendor);
    const late = async (): Promise<void> => {
      const caller = new AbortController();
      // Timers may fire a little early.
      clock.after(5_999, () => caller.abort());
      const asked = kindOf(ask(upstream, { signal: caller.signal, deadline: clock.now() + 6_000 }));
      await clock.pass(6_000);
      expect(await asked).toBe('timeout');
      expect(vendor.asked.at(-1)?.signal.aborted).toBe(false);
    };
    vendor.always = () => new Promise((resolve) => answers.push(resolve));
    for (let i = 0; i < 20; i++) {
      await late();
      answers.at(-1)?.({ texts: ['译'], detected: ['en'] });
      await settled();
    }
    expect([upstream.admits, clock.set]).toEqual([true, 0]);
    vendor.always = 'hang';
    for (let i = 0; i < 5; i++) await late();
    expect(upstream.admits).toBe(true);
    await clock.pass(4_000);
    expect([upstream.admits, clock.set]).toEqual([false, 0]);
  });

  it('lets five abandoned requests run on as probes, and cancels the others', async () => {
    const vendor = new ScriptedVendor();
    vendor.always = 'hang';
    const upstream = account({}, vendor);
    const leaving = new AbortController();
    const crowd = Array.from({ length: 12 }, () => kindOf(ask(upstream, { signal: leaving.signal })));
    await clock.pass(5_000);
    leaving.abort(OVERTAKEN);
    expect(new Set(await Promise.all(crowd))).toEqual(new Set(['timeout']));
    expect(vendor.asked.filter(({ signal }) => signal.aborted)).toHaveLength(7);
    expect(upstream.admits).toBe(true);
    await clock.pass(5_000);
    expect([upstream.admits, clock.set]).toEqual([false, 0]);
  });

  it('treats an exception of a client as a transient failure, without details', async () => {
    const vendor = new ScriptedVendor();
    vendor.deeds = [() => Promise.reject(new TypeError('a text of a member'))];
    const failure: unknown = await ask(account({}, vendor)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'transient', message: 'unexpected: TypeError' });
  });

  it('ends all waiting in its queue', async () => {
    const vendor = new ScriptedVendor();
    const upstream = account({ requestsPerSecond: 1 }, vendor);
    vendor.always = translating;
    const calls = [ask(upstream), kindOf(ask(upstream))];
    upstream.flush();
    expect((await Promise.all(calls)).at(1)).toBe('rate');
    await clock.pass(0);
    expect(clock.set).toBe(0);
  });
});
