import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { answer, echoing, failure, HELLO, kindOf, scriptedBy } from '../../../test/support/scripted-channel.js';
import { ScriptedVendor, translating } from '../../../test/support/scripted-vendor.js';
import type { VendorAnswer, VendorRequest } from '../channels/vendor.js';
import { VendorChannel } from './vendor-channel.js';

let clock: FakeClock;
let one = new ScriptedVendor();

Logger.overrideLogger(false);
beforeEach(() => {
  clock = new FakeClock();
  one = new ScriptedVendor();
});

/** Time passes while code runs, and timers fire early, as they really do. */
class HurriedClock extends FakeClock {
  #readMs = 0;

  constructor(private readonly earlyMs: number) {
    super();
  }

  override now(): number {
    return super.now() + (this.#readMs += 0.1);
  }

  override after(ms: number, fire: () => void): () => void {
    return super.after(Math.max(0, ms - this.earlyMs), fire);
  }
}

const { upstream, ask, translated } = scriptedBy(() => clock);
const alone = (caps: object = {}): VendorChannel => new VendorChannel([upstream('one', one, caps)], clock);

describe('a vendor with one account', () => {
  it.each(['transient', 'timeout', 'rate'] as const)('is retried up to twice after a pause: %s', async (kind) => {
    one.deeds = [failure(kind), failure(kind)];
    expect(await translated(alone(), [HELLO])).toEqual([answer('译 译 译')]);
    expect(one.asked).toHaveLength(3);
    one.always = failure(kind);
    const [outcome] = await translated(alone(), [HELLO]);
    expect(kindOf(outcome)).toBe(kind === 'timeout' ? 'timeout' : 'unavailable');
    // Rate-limited requests queue up again after 1, 2 and 4 seconds; eight more would be too late.
    expect(one.asked).toHaveLength(kind === 'rate' ? 7 : 6);
  });

  it('is retried whenever the pause ends, even between two looks at the clock', async () => {
    for (let earlyMs = 0; earlyMs < 2; earlyMs += 0.05) {
      clock = new HurriedClock(earlyMs);
      one = new ScriptedVendor();
      one.deeds = [failure('transient'), failure('transient')];
      expect(await translated(alone(), [HELLO])).toEqual([answer('译 译 译')]);
      expect(one.asked).toHaveLength(3);
    }
  });

  it.each(['auth', 'quota', 'bad-answer', 'bad-request', 'unsupported', 'blocked', 'too-long'] as const)(
    'is not retried: %s',
    async (kind) => {
      one.always = failure(kind);
      expect(kindOf((await translated(alone(), [HELLO]))[0])).not.toBeNull();
      expect(one.asked).toHaveLength(1);
    },
  );

  it('gets the pause it asks for, if there is time', async () => {
    one.deeds = [failure('rate', 4_000)];
    const asked = translated(alone(), [HELLO], { ms: 4_100 });
    expect(await asked).toEqual([answer('译 译 译')]);
    one.deeds = [failure('rate', 60_000)];
    expect(kindOf((await translated(alone(), [HELLO], { ms: 0 }))[0])).toBe('unavailable');
  });

  it('costs no more than the time limit when it hangs', async () => {
    one.always = 'hang';
    const began = clock.now();
    const [outcome] = await translated(alone(), [HELLO], { ms: 15_000 });
    expect(kindOf(outcome)).toBe('timeout');
    expect(clock.now() - began).toBe(15_000);
    // Probed after ten seconds, it has ten seconds to respond.
    await clock.pass(6_000);
    expect(clock.set).toBe(0);
  });

  it('queues requests while it is probed, and serves them if it works', async () => {
    one.always = failure('transient');
    const channel = alone();
    for (const ms of [15_000, 8_000]) await translated(channel, [HELLO], { ms });
    const asked = one.asked.length;
    expect(kindOf((await translated(channel, [HELLO], { ms: 0 }))[0])).toBe('unavailable');
    expect(one.asked).toHaveLength(asked);
    await clock.pass(120_000);
    const slow = async (request: VendorRequest): Promise<VendorAnswer> => {
      await new Promise<void>((resolve) => void clock.after(1_000, resolve));
      return translating(request);
    };
    one.always = slow;
    const crowd = Promise.all(Array.from({ length: 5 }, (_, i) => channel.translate(ask(`${HELLO} ${i}`))));
    await clock.pass(500);
    expect(one.asked).toHaveLength(asked + 1);
    await clock.pass(5_000);
    for (const [outcome] of await crowd) expect(kindOf(outcome)).toBeNull();
  });

  it('gets 50 texts in as few requests as possible; one rejected text does not affect the others', async () => {
    one = new ScriptedVendor({ textsPerRequest: 20 });
    const texts = Array.from({ length: 50 }, (_, i) => `text number ${'x'.repeat(i + 1)}`);
    expect((await translated(alone(), texts, { ms: 0 })).map((outcome) => kindOf(outcome))).toEqual(
      texts.map(() => null),
    );
    expect(one.asked.map((request) => request.texts.length)).toEqual([20, 20, 10]);
    const evil = texts[7] ?? '';
    one.always = (request) => {
      if (request.texts.includes(evil)) throw failure('blocked');
      return translating(request);
    };
    const outcomes = await translated(alone(), texts, { ms: 0 });
    expect(outcomes.map((outcome) => kindOf(outcome))).toEqual(texts.map((text) => (text === evil ? 'blocked' : null)));
  });

  it('is retried once, free, when something was lost, and then returns a warning', async () => {
    const text = `${HELLO}, see https://example.com/a?b=1 for more`;
    const losing = ({ texts }: VendorRequest): VendorAnswer => ({
      texts: texts.map((one) => one.replace(/\{\d+\}|https:\S+/g, '').replace(/[A-Za-z]+/g, '译')),
      detected: texts.map(() => null),
    });
    one.deeds = [losing];
    const [mended] = await translated(alone(), [text], { ms: 0 });
    expect(mended).toMatchObject({ warning: { code: 'LOST', lost: ['https://example.com/a?b=1'] } });
    one.asked.length = 0;
    one.deeds = [losing, ({ texts }) => ({ texts: texts.map(() => '译 https://example.com/a?b=1'), detected: [null] })];
    expect((await translated(alone(), [text], { ms: 0 }))[0]).toMatchObject({
      translated: '译 https://example.com/a?b=1',
      warning: null,
    });
    expect(one.asked).toHaveLength(2);
  });

  it('is retried once even if it failed before the first response', async () => {
    const losing = ({ texts }: VendorRequest): VendorAnswer => ({ texts: texts.map(() => '译'), detected: [null] });
    one.deeds = [
      failure('transient'),
      losing,
      ({ texts }) => ({ texts: texts.map(() => '译 {name}'), detected: [null] }),
    ];
    expect((await translated(alone(), [`${HELLO} {name}`]))[0]).toMatchObject({
      translated: '译 {name}',
      warning: null,
    });
  });

  it('counts many simultaneous rate limit responses as one failure', async () => {
    one.deeds = Array.from({ length: 20 }, () => failure('rate'));
    const channel = alone();
    const crowd = Promise.all(Array.from({ length: 20 }, (_, i) => channel.translate(ask(`${HELLO} ${i}`))));
    await clock.pass(15_000);
    expect((await crowd).map(([outcome]) => kindOf(outcome))).toEqual(Array.from({ length: 20 }, () => null));
    expect(one.asked).toHaveLength(40);
  });

  it('returns the first response if the second attempt fails', async () => {
    const text = `${HELLO} {name}`;
    one.deeds = [({ texts }) => ({ texts: texts.map(() => '译'), detected: [null] })];
    one.always = failure('auth');
    expect((await translated(alone(), [text], { ms: 0 }))[0]).toMatchObject({
      translated: '译',
      warning: { code: 'LOST', lost: ['{name}'] },
    });
  });

  it('may return the text unchanged if it is already in the target language', async () => {
    one.always = ({ texts }) => ({ texts, detected: texts.map(() => 'zh-Hans') });
    const pinyin = 'zaoshang hao pengyoumen';
    const [outcome] = await translated(alone(), [pinyin], { source: null, ms: 0 });
    expect(outcome).toMatchObject({ translated: pinyin, detected: 'zh-Hans' });
    one.always = echoing;
    expect(kindOf((await translated(alone(), [pinyin], { source: null, ms: 0 }))[0])).toBe('bad-answer');
  });

  it('is not called for texts that nobody can translate', async () => {
    expect(await translated(alone(), ['', '  \n', '12 345'], { ms: 0 })).toMatchObject(
      ['', '  \n', '12 345'].map((text) => ({ translated: text, warning: null })),
    );
    expect(one.asked).toEqual([]);
  });

  it('is not called beyond its daily cap', async () => {
    const channel = alone({ charsPerDay: 30 });
    expect(kindOf((await translated(channel, [HELLO], { ms: 0 }))[0])).toBeNull();
    expect(kindOf((await translated(channel, [HELLO], { ms: 0 }))[0])).toBe('unavailable');
    expect(one.asked).toHaveLength(1);
  });

  it('is left alone when all callers are gone, and not blamed', async () => {
    one.always = 'hang';
    const channel = alone();
    for (let i = 0; i < 10; i++) {
      const leaving = new AbortController();
      clock.after(10, () => leaving.abort());
      expect(kindOf((await translated(channel, [HELLO], { signal: leaving.signal, ms: 20 }))[0])).toBe('timeout');
    }
    expect(one.asked).toHaveLength(10);
    one.always = translating;
    expect(kindOf((await translated(channel, [HELLO], { ms: 0 }))[0])).toBeNull();
    expect(clock.set).toBe(0);
  });

  it('detects the language of a long text by most of its parts', async () => {
    one = new ScriptedVendor({ charsPerRequest: 60 });
    one.always = (request) => ({
      ...translating(request),
      detected: request.texts.map((text) => (text.includes('heading') ? 'zh-Hans' : 'fr')),
    });
    const text = `A heading in front of what follows here.\n${'Une page de texte qui est assez longue. '.repeat(5)}`;
    const [outcome] = await translated(alone(), [text], { source: null, ms: 0 });
    expect(outcome).toMatchObject({ detected: 'fr' });
    expect(one.asked.length).toBeGreaterThan(1);
  });

  it('does not support a pair that none of its accounts supports', async () => {
    const channel = alone();
    const outcomes = await channel.translate({ ...ask(HELLO), target: 'xx' });
    expect(kindOf(outcomes[0])).toBe('unsupported');
    expect([await channel.supports('en', 'xx'), await channel.supports('en', 'en')]).toEqual([null, null]);
    expect(await channel.supports('en', 'fr')).toBe('translation');
  });
});
