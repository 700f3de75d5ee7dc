/** Members wait for rate-limited vendors instead of being refused, as long as there is time. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { ScriptedVendor, translating, vendorAccount } from '../../../test/support/scripted-vendor.js';
import { ChannelFailure, type TextOutcome } from '../channels/channel.js';
import { type VendorAnswer, type VendorRequest } from '../channels/vendor.js';
import { NoAnswer, VendorFailure } from '../channels/vendor-failure.js';
import { Upstream } from './upstream.js';
import { VendorChannel } from './vendor-channel.js';

Logger.overrideLogger(false);

let clock: FakeClock;
let [one, two]: [ScriptedVendor, ScriptedVendor] = [new ScriptedVendor(), new ScriptedVendor()];
let upstreams: [Upstream, Upstream];
let channel: VendorChannel;

beforeEach(() => {
  clock = new FakeClock();
  [one, two] = [new ScriptedVendor(), new ScriptedVendor()];
  upstreams = [upstream('one', one), upstream('two', two)];
  channel = new VendorChannel(upstreams, clock);
});

const surroundings = () => ({ time: clock, today: () => 'today' });
const upstream = (name: string, vendor: ScriptedVendor): Upstream =>
  new Upstream(vendorAccount(name), vendor, surroundings());
const transient = new VendorFailure('transient', 'scripted');

let texts = 0;
/** When the request ended, in ms after its arrival, and how. */
type Ended = { readonly ms: number; readonly outcome: TextOutcome | undefined };
async function ask(more: { familyId?: number; hasStandIn?: boolean } = {}): Promise<Ended> {
  const begun = clock.now();
  const [outcome] = await channel.translate({
    texts: [`good morning friends ${++texts}`],
    source: 'en',
    target: 'zh-Hans',
    ...more,
    signal: new AbortController().signal,
    deadline: begun + 15_000,
  });
  return { ms: clock.now() - begun, outcome };
}
const failed = ({ outcome }: Ended): boolean => outcome instanceof ChannelFailure;

/** Accepts this many requests in any second, and rate limits all others after a while. */
const taking = (most: number) => {
  let taken: number[] = [];
  return async (request: VendorRequest): Promise<VendorAnswer> => {
    taken = taken.filter((at) => at > clock.now() - 1_000);
    const isTooFast = taken.length >= most;
    if (!isTooFast) taken.push(clock.now());
    await new Promise<void>((resolve) => void clock.after(50, resolve));
    if (isTooFast) throw new VendorFailure('rate', 'scripted');
    return translating(request);
  };
};

describe('two rate-limited accounts', () => {
  it('serve a crowd, without many more calls than they allow', async () => {
    [one.always, two.always] = [taking(3), taking(3)];
    const crowd: Promise<Ended>[] = [];
    for (let i = 0; i < 30; i++) {
      crowd.push(ask());
      await clock.pass(40);
    }
    await clock.pass(15_000);
    expect((await Promise.all(crowd)).filter(failed)).toEqual([]);
    expect(upstreams.map(({ admits }) => admits)).toEqual([true, true]);
    expect(one.asked.length + two.asked.length).toBeLessThan(80);
  });

  it('are waited for when they ask for three seconds', async () => {
    for (const vendor of [one, two]) vendor.deeds = [new VendorFailure('rate', 'scripted', 3_000)];
    const asked = ask();
    await clock.pass(15_000);
    const ended = await asked;
    expect([failed(ended), ended.ms]).toEqual([false, 3_000]);
  });

  it('fail at once when they ask for more than the time left', async () => {
    for (const vendor of [one, two]) vendor.deeds = [new VendorFailure('rate', 'scripted', 20_000)];
    const asked = ask();
    await clock.pass(0);
    expect(failed(await asked)).toBe(true);
  });

  it('stay in use after a few rate limit responses in a row', async () => {
    channel = new VendorChannel([upstreams[0]], clock);
    one.deeds = Array.from({ length: 6 }, () => new VendorFailure('rate', 'scripted', 500));
    const asked = ask();
    await clock.pass(15_000);
    const ended = await asked;
    expect([failed(ended), ended.ms]).toEqual([false, 3_000]);
  });

  it('are dropped in the end if they answer nothing else', async () => {
    for (const vendor of [one, two]) vendor.always = new VendorFailure('rate', 'scripted', 500);
    const crowd = [ask(), ask()];
    await clock.pass(15_000);
    expect((await Promise.all(crowd)).every(failed)).toBe(true);
    expect(one.asked.length + two.asked.length).toBeLessThan(40);
    expect(clock.set).toBe(0);
  });
});

describe('all accounts down', () => {
  const giveUp = async (): Promise<void> => {
    for (const vendor of [one, two]) vendor.always = transient;
    while (upstreams.some(({ admits }) => admits)) {
      const asked = ask({ hasStandIn: true });
      await clock.pass(700);
      await asked;
    }
    one.asked.length = two.asked.length = 0;
  };

  it('waits until an account may be probed, and is served if it works', async () => {
    await giveUp();
    for (const vendor of [one, two]) vendor.always = translating;
    const crowd = [ask(), ask(), ask()];
    await clock.pass(15_000);
    const ended = await Promise.all(crowd);
    expect(ended.filter(failed)).toEqual([]);
    for (const { ms } of ended) expect(ms).toBeLessThanOrEqual(5_000);
  });

  it('does not wait if that is too late, or if another channel can take over', async () => {
    await giveUp();
    const fast = ask({ hasStandIn: true });
    await clock.pass(0);
    expect(failed(await fast)).toBe(true);
    const slow = ask();
    await clock.pass(5_000);
    // Probed, and open for ten more seconds.
    expect(failed(await slow)).toBe(true);
    const later = ask();
    await clock.pass(0);
    expect(failed(await later)).toBe(true);
    expect(clock.set).toBe(0);
  });

  it('sends one probe per account for the waiting crowd', async () => {
    await giveUp();
    const crowd = Array.from({ length: 20 }, () => ask());
    await clock.pass(15_000);
    expect((await Promise.all(crowd)).every(failed)).toBe(true);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    expect(clock.set).toBe(0);
  });
});

describe('a response with the wrong number of texts', () => {
  const none = () => Promise.reject(new NoAnswer('0 texts for 1'));

  it('does not count against an account if the other does no better', async () => {
    for (const vendor of [one, two]) vendor.always = none;
    for (let i = 0; i < 20; i++) {
      const asked = ask();
      await clock.pass(0);
      expect((await asked).outcome).toMatchObject({ kind: 'bad-answer' });
    }
    expect(upstreams.map(({ admits }) => admits)).toEqual([true, true]);
  });

  it('counts once per request against an account if the other does better', async () => {
    one.always = none;
    for (let i = 0; i < 12; i++) {
      const asked = ask();
      await clock.pass(0);
      expect(failed(await asked)).toBe(false);
    }
    expect(upstreams.map(({ admits }) => admits)).toEqual([false, true]);
    expect(one.asked).toHaveLength(5);
  });
});

describe('more requests than an account has slots for', () => {
  it('queues within limits: requests that would be late are told at once that the service is busy', async () => {
    one = new ScriptedVendor({ inFlight: 2 });
    one.always = async (request) => {
      await new Promise<void>((resolve) => void clock.after(1_000, resolve));
      return translating(request);
    };
    channel = new VendorChannel([upstream('one', one)], clock);
    const all = Array.from({ length: 15 }, (_, familyId) => ask({ familyId }));
    await clock.pass(15_000);
    const ended = await Promise.all(all);
    expect(ended.filter(failed)).toMatchObject(
      Array.from({ length: 3 }, () => ({ ms: 0, outcome: { kind: 'busy', retryAfterMs: 1_000 } })),
    );
    expect(ended.filter((one) => !failed(one)).map(({ ms }) => ms)).toEqual(
      [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6].map((seconds) => seconds * 1_000),
    );
  });
});

describe('a family over an account’s rate', () => {
  const crowd = (size: number, familyId: number): Promise<Ended>[] =>
    Array.from({ length: size }, () => ask({ familyId }));

  it('queues behind itself, and is told at once when to retry what would be late', async () => {
    channel = new VendorChannel(
      [new Upstream(vendorAccount('one', { requestsPerSecond: 1 }), one, surroundings())],
      clock,
    );
    const all = crowd(20, 1);
    await clock.pass(15_000);
    const ended = await Promise.all(all);
    const late = ended.filter(failed);
    expect(late).toHaveLength(6);
    for (const { ms, outcome } of late) {
      expect([ms, outcome]).toEqual([0, expect.objectContaining({ kind: 'crowded' })]);
      // The slot after the last that is in time.
      expect(outcome instanceof ChannelFailure && outcome.retryAfterMs).toBe(14 * 1_050 - 14_500);
    }
  });

  it('leaves turns to other families at the cost of its own', async () => {
    channel = new VendorChannel(
      [new Upstream(vendorAccount('one', { requestsPerSecond: 1 }), one, surroundings())],
      clock,
    );
    const all = crowd(14, 1);
    const stranger = ask({ familyId: 2 });
    await clock.pass(15_000);
    expect((await Promise.all(all)).filter(failed)).toMatchObject([{ outcome: { kind: 'crowded' } }]);
    expect(await stranger).toMatchObject({ ms: 2_100, outcome: { warning: null } });
  });

  it('is not blamed if the account itself is full', async () => {
    channel = new VendorChannel(
      [new Upstream(vendorAccount('one', { charsPerMinute: 30 }), one, surroundings())],
      clock,
    );
    const first = ask({ familyId: 1 });
    await clock.pass(0);
    expect(failed(await first)).toBe(false);
    expect((await ask({ familyId: 1 })).outcome).toMatchObject({ kind: 'unavailable', retryAfterMs: null });
  });
});
