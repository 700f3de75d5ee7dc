import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { answer, echoing, failure, HELLO, kindOf, scriptedBy } from '../../../test/support/scripted-channel.js';
import { ScriptedVendor, translating } from '../../../test/support/scripted-vendor.js';
import { VendorChannel } from './vendor-channel.js';

let clock: FakeClock;
let [one, two]: [ScriptedVendor, ScriptedVendor] = [new ScriptedVendor(), new ScriptedVendor()];

Logger.overrideLogger(false);
beforeEach(() => {
  clock = new FakeClock();
  [one, two] = [new ScriptedVendor(), new ScriptedVendor()];
});

const { upstream, ask, translated } = scriptedBy(() => clock);
/** `one` has more weight, so it is called first. */
const both = (): VendorChannel =>
  new VendorChannel([upstream('one', one, { weight: 100 }), upstream('two', two)], clock);

describe('a vendor with two accounts', () => {
  it('balances its requests by weight', async () => {
    const channel = new VendorChannel([upstream('one', one, { weight: 3 }), upstream('two', two)], clock);
    for (let i = 0; i < 40; i++) await translated(channel, [`${HELLO} ${i}`], { ms: 0 });
    expect([one.asked.length, two.asked.length]).toEqual([30, 10]);
  });

  it.each(['auth', 'quota', 'rate', 'transient', 'timeout', 'bad-answer', 'bad-request', 'unsupported'] as const)(
    'fails over at once when one fails: %s',
    async (kind) => {
      one.deeds = [failure(kind)];
      expect(await translated(both(), [HELLO], { ms: 0 })).toEqual([answer('译 译 译')]);
      expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    },
  );

  it.each([
    ['blocked', 'blocked'],
    ['too-long', 'unavailable'],
  ] as const)('returns a final error of one account without failover: %s', async (kind, verdict) => {
    one.deeds = [failure(kind)];
    const [outcome] = await translated(both(), [HELLO], { ms: 0 });
    expect(kindOf(outcome)).toBe(verdict);
    expect(two.asked).toEqual([]);
  });

  it('does not use the failed account for another part of the same request', async () => {
    one.deeds = [failure('transient')];
    two.deeds = [({ texts }) => ({ texts: texts.map(() => '译'), detected: [null] })];
    await translated(both(), [`${HELLO} {name}`], { ms: 0 });
    expect([one.asked.length, two.asked.length]).toEqual([1, 2]);
  });

  it('does not spend all its time on a hanging account', async () => {
    one.deeds = ['hang'];
    expect(await translated(both(), [HELLO], { ms: 5_000 })).toEqual([answer('译 译 译')]);
  });

  it('retries both once for the same request after a pause', async () => {
    for (const vendor of [one, two]) vendor.always = failure('transient');
    const [outcome] = await translated(both(), [HELLO], { ms: 700 });
    expect(kindOf(outcome)).toBe('unavailable');
    expect([one.asked.length, two.asked.length]).toEqual([2, 2]);
  });

  it('hides a single failure of both from members', async () => {
    for (const vendor of [one, two]) vendor.deeds = [failure('transient')];
    expect(await translated(both(), [HELLO], { ms: 700 })).toEqual([answer('译 译 译')]);
    expect(one.asked.length + two.asked.length).toBe(3);
  });

  it('soon stops calling a dead account', async () => {
    one.always = failure('transient');
    const channel = both();
    for (let i = 0; i < 50; i++)
      expect(await translated(channel, [`${HELLO} ${i}`], { ms: 10 })).toEqual([answer(`译 译 译 ${i}`)]);
    expect(one.asked).toHaveLength(5);
    one.always = translating;
    await clock.pass(5_000);
    await translated(channel, [HELLO], { ms: 0 });
    expect(one.asked).toHaveLength(6);
  });

  it('retries only the text that came back unchanged', async () => {
    one.deeds = [
      ({ texts }) => ({ texts: texts.map((text) => (text === HELLO ? text : '译')), detected: texts.map(() => null) }),
    ];
    const outcomes = await translated(both(), [`${HELLO}!`, HELLO, `${HELLO}?`], { ms: 0 });
    expect(outcomes.map((outcome) => kindOf(outcome))).toEqual([null, null, null]);
    expect(two.asked.map(({ texts }) => texts)).toEqual([[HELLO]]);
  });

  it('blames an account for bad answers only if the other does better: a text may be untranslatable', async () => {
    for (const vendor of [one, two]) vendor.always = echoing;
    const channel = both();
    for (let i = 0; i < 30; i++)
      expect(kindOf((await translated(channel, [`${HELLO} ${i}`], { ms: 0 }))[0])).toBe('bad-answer');
    expect(one.asked).toHaveLength(30);
    two.always = translating;
    for (let i = 0; i < 30; i++) await translated(channel, [`${HELLO} ${i}`], { ms: 0 });
    expect(one.asked.length).toBeLessThan(50);
  });

  it('moves queued requests of a failing account to the other', async () => {
    const channel = new VendorChannel(
      [upstream('one', one, { weight: 100, requestsPerSecond: 1 }), upstream('two', two, { requestsPerSecond: 1 })],
      clock,
    );
    one.deeds = ['hang'];
    one.always = failure('auth');
    const outcomes = Promise.all(Array.from({ length: 6 }, (_, i) => channel.translate(ask(`${HELLO} ${i}`))));
    await clock.pass(15_000);
    for (const [outcome] of await outcomes) expect(kindOf(outcome)).toBeNull();
    expect(one.asked).toHaveLength(2);
  });
});

describe('the log', () => {
  it('names the failed account, the error and the breaker once a minute, without keys or texts', async () => {
    const lines: unknown[] = [];
    const keep = (line: unknown): unknown => lines.push(line);
    Logger.overrideLogger({ log: keep, warn: keep, error: keep });
    const channel = new VendorChannel([upstream('one', one, { key: 'very-secret', secret: 'very-secret too' })], clock);
    one.deeds = [failure('bad-request'), failure('bad-request'), failure('auth')];
    for (let i = 0; i < 3; i++) await translated(channel, [`${HELLO} ${i}`], { ms: 0 });
    await clock.pass(60_000);
    one.deeds = [failure('bad-request')];
    await translated(channel, [HELLO], { ms: 0 });
    Logger.overrideLogger(false);
    const failed = { msg: 'an upstream failed', upstream: 'google/one' };
    const changed = { msg: 'an upstream changed', upstream: 'google/one' };
    expect(lines).toEqual([
      { ...failed, kind: 'bad-request', said: 'scripted bad-request', unsaid: 0 },
      { ...failed, kind: 'auth', said: 'scripted auth', unsaid: 0 },
      { ...changed, from: 'closed', to: 'open', kind: 'auth', coolDownMs: 60_000 },
      { ...changed, from: 'open', to: 'half-open', kind: null, coolDownMs: 0 },
      { ...failed, kind: 'bad-request', said: 'scripted bad-request', unsaid: 1 },
      { ...changed, from: 'half-open', to: 'closed', kind: null, coolDownMs: 0 },
    ]);
  });
});
