/** Of several accounts a slow one is not dropped: another one is called in parallel, and the first good response counts. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { type Deed, ScriptedVendor, translating, vendorAccount } from '../../../test/support/scripted-vendor.js';
import { ChannelFailure, type TextOutcome } from '../channels/channel.js';
import { type VendorRequest } from '../channels/vendor.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { Upstream } from './upstream.js';
import { VendorChannel } from './vendor-channel.js';

Logger.overrideLogger(false);

let clock: FakeClock;
let [one, two]: [ScriptedVendor, ScriptedVendor] = [new ScriptedVendor(), new ScriptedVendor()];
let upstreams: [Upstream, Upstream];
beforeEach(() => {
  clock = new FakeClock();
  [one, two] = [new ScriptedVendor(), new ScriptedVendor()];
});

/** `one` has more weight, so it is called first. */
const opened = (caps: object = {}): VendorChannel => {
  const surroundings = { time: clock, today: () => 'today' };
  upstreams = [
    new Upstream(vendorAccount('one', { weight: 100, ...caps }), one, surroundings),
    new Upstream(vendorAccount('two', caps), two, surroundings),
  ];
  return new VendorChannel(upstreams, clock);
};
const admits = (): boolean[] => upstreams.map((upstream) => upstream.admits);

const after = (ms: number, deed: Deed = translating): Deed => {
  return async (request: VendorRequest) => {
    await new Promise<void>((resolve) => {
      clock.after(ms, resolve);
      request.signal.addEventListener('abort', () => resolve());
    });
    if (request.signal.aborted) throw new VendorFailure('timeout', 'no answer in time');
    if (deed instanceof VendorFailure) throw deed;
    return typeof deed === 'string' ? translating(request) : deed(request);
  };
};

type Ended = { readonly ms: number; readonly outcomes: readonly TextOutcome[] };
let texts = 0;
const fresh = (): string => `good morning friends ${++texts}`;
async function ask(channel: VendorChannel, all: readonly string[] = [fresh()]): Promise<Ended> {
  const begun = clock.now();
  const outcomes = await channel.translate({
    texts: all,
    source: 'en',
    target: 'zh-Hans',
    familyId: 1,
    signal: new AbortController().signal,
    deadline: begun + 15_000,
  });
  return { ms: clock.now() - begun, outcomes };
}
const asked = async (channel: VendorChannel, all?: readonly string[]): Promise<Ended> => {
  const ended = ask(channel, all);
  await clock.pass(15_000);
  return ended;
};
const failed = ({ outcomes }: Ended): boolean => outcomes.some((outcome) => outcome instanceof ChannelFailure);

describe('a slow account', () => {
  it('that answers well is never dropped', async () => {
    for (const vendor of [one, two]) vendor.always = after(8_000);
    const channel = opened();
    for (let i = 0; i < 30; i++) {
      const ended = await asked(channel);
      expect([failed(ended), ended.ms]).toEqual([false, 8_000]);
    }
    expect(admits()).toEqual([true, true]);
    expect(clock.set).toBe(0);
  });

  it('is hedged after half of its time; the first good response counts', async () => {
    one.always = after(9_000);
    two.always = after(500);
    const channel = opened();
    for (let i = 0; i < 30; i++) {
      const ended = await asked(channel);
      expect(failed(ended)).toBe(false);
      expect([500, 5_500]).toContain(ended.ms);
    }
    expect(one.asked.length).toBeGreaterThan(20);
    expect(admits()).toEqual([true, true]);
    expect(clock.set).toBe(0);
  });

  it('is not hedged when it answers before that', async () => {
    one.always = after(4_900);
    expect((await asked(opened())).ms).toBe(4_900);
    expect(two.asked).toEqual([]);
  });

  it('wins if the hedge is slower still', async () => {
    one.always = after(7_000);
    two.always = after(3_000);
    expect((await asked(opened())).ms).toBe(7_000);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    expect(two.asked[0]?.signal.aborted).toBe(false);
  });

  it('is awaited when the hedge fails', async () => {
    one.always = after(9_000);
    two.always = new VendorFailure('auth', 'scripted');
    const ended = await asked(opened());
    expect([failed(ended), ended.ms]).toEqual([false, 9_000]);
    expect(admits()).toEqual([true, false]);
  });

  it('is awaited while the hedge is retried, and the first response counts', async () => {
    one.always = after(9_000);
    two.deeds = [new VendorFailure('transient', 'scripted'), new VendorFailure('transient', 'scripted')];
    const ended = await asked(opened());
    expect(failed(ended)).toBe(false);
    expect(two.asked).toHaveLength(3);
    // Half a second, then one, each ± a quarter.
    expect(ended.ms).toBeGreaterThan(6_000);
    expect(ended.ms).toBeLessThan(7_000);
  });

  it('may still deliver what the hedge did not', async () => {
    const [hello, bye] = ['good morning friends', 'good night'];
    one.always = after(7_000);
    two.always = (request) => {
      const { texts: given, detected } = translating(request);
      return { texts: given.map((text, at) => (request.texts[at] === bye ? bye : text)), detected };
    };
    const ended = await asked(opened(), [hello, bye]);
    expect([failed(ended), ended.ms]).toEqual([false, 7_000]);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  });

  it('is not the first choice for another part of the same request', async () => {
    one.always = after(9_000);
    two.deeds = [({ texts: all }) => ({ texts: all.map(() => '译'), detected: [null] })];
    // The name is lost at the first attempt.
    const ended = await asked(opened(), ['good morning {name}']);
    expect([one.asked.length, two.asked.length, ended.ms]).toEqual([1, 2, 5_000]);
  });
});

describe('a hanging account', () => {
  it('is detected although no member waits for it any more', async () => {
    one.always = 'hang';
    const channel = opened();
    const crowd = Promise.all(Array.from({ length: 20 }, () => ask(channel)));
    await clock.pass(5_000);
    for (const ended of await crowd) expect([failed(ended), ended.ms <= 5_000]).toEqual([false, true]);
    expect(admits()).toEqual([true, true]);
    await clock.pass(5_000);
    expect(admits()).toEqual([false, true]);
    expect(clock.set).toBe(0);
  });

  it('ends with the deadline when the other hangs as well', async () => {
    for (const vendor of [one, two]) vendor.always = 'hang';
    const ended = await asked(opened());
    expect([failed(ended), ended.ms]).toEqual([true, 15_000]);
    expect(ended.outcomes[0]).toMatchObject({ kind: 'timeout' });
  });
});

describe('a hedge', () => {
  it('counts against the daily caps of both accounts', async () => {
    for (const vendor of [one, two]) vendor.always = after(6_000);
    const channel = opened({ charsPerDay: 40 });
    expect(failed(await asked(channel, ['a text that has 30 characters.']))).toBe(false);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    expect(failed(await asked(channel, ['another one of 30 characters!!']))).toBe(true);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  });

  it('respects the rate limit, and gives its turn up when the first has answered', async () => {
    one.always = after(5_400);
    two.always = after(4_900);
    const channel = opened({ requestsPerSecond: 1 });
    const crowd = Promise.all(Array.from({ length: 8 }, () => ask(channel)));
    await clock.pass(15_000);
    expect((await crowd).filter(failed)).toEqual([]);
    // The first account's responses take 400 ms; its rate allows one every 1,050.
    expect(one.asked.length + two.asked.length).toBeLessThanOrEqual(12);
  });

  it('is not sent for a request that is still queued', async () => {
    const channel = opened({ requestsPerSecond: 1 });
    const crowd = Promise.all(Array.from({ length: 20 }, () => ask(channel)));
    await clock.pass(15_000);
    expect((await crowd).filter(failed)).toEqual([]);
    expect(one.asked.length + two.asked.length).toBe(20);
  });
});
