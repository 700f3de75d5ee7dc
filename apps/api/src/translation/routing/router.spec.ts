import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import {
  ChannelFailure,
  type ChannelFailureKind,
  type Quality,
  type TextChannel,
  type TextOutcome,
  type TextRequest,
} from '../channels/channel.js';
import { Router, type RoutedOutcome, type RouteRequest } from './router.js';

Logger.overrideLogger(false);

/** A channel whose responses the test scripts. */
class ScriptedChannel implements TextChannel {
  readonly asked: TextRequest[] = [];
  quality: Quality | null = 'translation';
  auto = true;
  answer: (text: string, request: TextRequest) => TextOutcome | Promise<TextOutcome> = (text) => answered(text);

  availability = () => Promise.resolve({ available: true, reason: null });
  supports = () => Promise.resolve(this.quality);
  languages = () => Promise.resolve({ sources: new Set(['en']), targets: new Set(['fr']), auto: this.auto });
  close = () => Promise.resolve();
  translate(request: TextRequest): Promise<TextOutcome[]> {
    this.asked.push(request);
    return Promise.all(request.texts.map(async (text) => this.answer(text, request)));
  }
}

const answered = (text: string) => ({
  translated: `<${text}>`,
  quality: 'translation' as const,
  warning: null,
  detected: null,
});
const failing = (kind: ChannelFailureKind) => () => new ChannelFailure(kind, 'scripted');
const untilGone = (_: string, { signal }: TextRequest): Promise<TextOutcome> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(new ChannelFailure('timeout', 'scripted')));
  });

let clock: FakeClock;
let channels: Map<number, ScriptedChannel>;
let noted: [number, { ok: boolean; ms: number }][];
let router: Router;

beforeEach(() => {
  clock = new FakeClock();
  channels = new Map([1, 2, 3].map((id) => [id, new ScriptedChannel()]));
  noted = [];
  router = new Router({
    channel: (id) => channels.get(id) ?? null,
    traffic: { note: (id, how) => noted.push([id, how]) },
    time: clock,
  });
});

const channel = (id: number): ScriptedChannel => {
  const found = channels.get(id);
  if (!found) throw new Error(`no channel ${id}`);
  return found;
};
const request = (more: Partial<RouteRequest> = {}): RouteRequest => ({
  familyId: 1,
  channels: [1],
  texts: ['one'],
  source: 'en',
  target: 'fr',
  ...more,
});
const told = (outcomes: readonly RoutedOutcome[]) =>
  outcomes.map((one) => (one instanceof ChannelFailure ? one.kind : `${one.channelId} ${one.translated}`));

describe('the router', () => {
  it('calls the requested channel, and no other while it works', async () => {
    const outcomes = await router.translate(request({ channels: [1, 2], texts: ['one', 'two'] }));
    expect(told(outcomes)).toEqual(['1 <one>', '1 <two>']);
    expect(channel(2).asked).toEqual([]);
    expect(noted).toEqual([[1, { ok: true, ms: 0 }]]);
    expect(clock.set).toBe(0);
  });

  it('fails over only for the texts that failed', async () => {
    channel(1).answer = (text) => (text === 'two' ? failing('bad-answer')() : answered(text));
    const outcomes = await router.translate(request({ channels: [1, 2], texts: ['one', 'two', 'three'] }));
    expect(told(outcomes)).toEqual(['1 <one>', '2 <two>', '1 <three>']);
    expect(channel(2).asked[0]?.texts).toEqual(['two']);
    expect(noted.map(([id, { ok }]) => [id, ok])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('skips channels that do not fully support the pair', async () => {
    channel(1).answer = failing('unavailable');
    channel(2).quality = 'gloss';
    expect(told(await router.translate(request({ channels: [1, 2, 3] })))).toEqual(['3 <one>']);
    channel(3).quality = null;
    expect(told(await router.translate(request({ channels: [1, 2, 3] })))).toEqual(['unavailable']);
    channel(2).auto = false;
    expect(told(await router.translate(request({ channels: [1, 2, 3], source: null })))).toEqual(['3 <one>']);
    expect(channel(2).asked).toEqual([]);
  });

  it('reports the failure of the requested channel', async () => {
    channel(1).answer = failing('timeout');
    channel(2).answer = failing('bad-answer');
    expect(told(await router.translate(request({ channels: [1, 2] })))).toEqual(['timeout']);
    expect(told(await router.translate(request({ channels: [9] })))).toEqual(['unavailable']);
  });

  it('does not count an unsupported pair against a channel', async () => {
    channel(1).answer = failing('unsupported');
    expect(told(await router.translate(request()))).toEqual(['unsupported']);
    expect(noted).toEqual([[1, { ok: true, ms: 0 }]]);
  });

  it('ends after 15 seconds, a third of which is reserved for failover', async () => {
    channel(1).answer = untilGone;
    const alone = router.translate(request());
    await clock.pass(14_999);
    expect(noted).toEqual([]);
    await clock.pass(1);
    expect(told(await alone)).toEqual(['timeout']);
    const both = router.translate(request({ channels: [1, 2] }));
    await clock.pass(10_000);
    expect(told(await both)).toEqual(['2 <one>']);
    const begun = clock.now();
    channel(2).answer = untilGone;
    const none = router.translate(request({ channels: [1, 2] }));
    await clock.pass(15_000);
    expect(told(await none)).toEqual(['timeout']);
    expect(channel(2).asked.at(-1)?.deadline).toBe(begun + 15_000);
    expect(clock.set).toBe(0);
  });

  it('coalesces equal requests of one family, not those of different families', async () => {
    channel(1).answer = async (text) => {
      await new Promise<void>((resolve) => void clock.after(100, resolve));
      return answered(text);
    };
    const requests = [
      request(),
      request(),
      request({ texts: ['two', 'one', 'one'] }),
      request({ familyId: 2 }),
      request({ source: null }),
      request({ target: 'de' }),
    ];
    const all = Promise.all(requests.map((one) => router.translate(one)));
    await clock.pass(100);
    expect((await all).map(told)).toEqual([
      ['1 <one>'],
      ['1 <one>'],
      ['1 <two>', '1 <one>', '1 <one>'],
      ['1 <one>'],
      ['1 <one>'],
      ['1 <one>'],
    ]);
    expect(channel(1).asked.map(({ texts }) => texts)).toEqual([['one'], ['two'], ['one'], ['one'], ['one']]);
  });

  it('builds keys that no text content can make ambiguous', async () => {
    channel(1).answer = async (text) => {
      await new Promise<void>((resolve) => void clock.after(100, resolve));
      return answered(text);
    };
    const strange = ['a","b', 'a|b', 'a', 'b', '","', 'a\u0000b', '["a"]'];
    const all = Promise.all(strange.map((text) => router.translate(request({ texts: [text] }))));
    await clock.pass(100);
    expect((await all).map(told)).toEqual(strange.map((text) => [`1 <${text}>`]));
    expect(channel(1).asked).toHaveLength(strange.length);
  });

  it('drops a cancelled caller and serves the others', async () => {
    channel(1).answer = async (text) => {
      await new Promise<void>((resolve) => void clock.after(1_000, resolve));
      return answered(text);
    };
    const leaving = new AbortController();
    const [left, stays] = [router.translate(request({ signal: leaving.signal })), router.translate(request())];
    await clock.pass(500);
    leaving.abort();
    expect(told(await left)).toEqual(['timeout']);
    await clock.pass(500);
    expect(told(await stays)).toEqual(['1 <one>']);
    expect(channel(1).asked).toHaveLength(1);
  });

  it('applies each caller’s own deadline', async () => {
    for (const id of [1, 2]) channel(id).answer = untilGone;
    const first = router.translate(request({ channels: [1, 2] }));
    await clock.pass(9_900);
    const other = router.translate(request({ channels: [2] }));
    await clock.pass(5_200);
    expect(told(await first)).toEqual(['timeout']);
    // The shared one continues for the other caller.
    expect(channel(2).asked).toHaveLength(1);
    expect(channel(2).asked[0]?.signal.aborted).toBe(false);
    await clock.pass(9_800);
    expect(told(await other)).toEqual(['timeout']);
    expect(clock.set).toBe(0);
  });

  it('retries for a caller whose shared request ended before its own deadline', async () => {
    channel(1).answer = untilGone;
    const first = router.translate(request());
    await clock.pass(14_400);
    const late = [router.translate(request()), router.translate(request({ texts: ['one', 'one'] }))];
    channel(1).answer = answered;
    await clock.pass(700);
    expect(told(await first)).toEqual(['timeout']);
    expect((await Promise.all(late)).map(told)).toEqual([['1 <one>'], ['1 <one>', '1 <one>']]);
    expect(channel(1).asked).toHaveLength(2);
    expect(clock.set).toBe(0);
  });

  it('does not retry a request that it started itself', async () => {
    channel(1).answer = failing('timeout');
    expect(told(await router.translate(request({ texts: ['one', 'one', 'two'] })))).toEqual(Array(3).fill('timeout'));
    expect(channel(1).asked).toHaveLength(1);
  });

  it('logs a final failure in one line, without texts', async () => {
    const lines: unknown[] = [];
    Logger.overrideLogger({ log: () => undefined, warn: (line: unknown) => lines.push(line), error: () => undefined });
    const broken = (attempts: string[]) => () => new ChannelFailure('unavailable', 'HTTP 503', { attempts });
    channel(1).answer = broken(['microsoft/one transient', 'microsoft/two rate']);
    await router.translate(request({ channels: [1, 2] }));
    channel(2).answer = broken(['google/one auth']);
    const twice = [1, 2].map(() =>
      router.translate(request({ channels: [1, 2], texts: ['one', 'two'], requestId: 'r7' })),
    );
    await Promise.all(twice);
    Logger.overrideLogger(false);
    const line = {
      msg: 'a translation failed',
      requestId: 'r7',
      source: 'en',
      target: 'fr',
      texts: 2,
      failed: 2,
      channels: [
        {
          channel: 'offline',
          failed: ['unavailable: HTTP 503'],
          attempts: ['microsoft/one transient', 'microsoft/two rate'],
        },
        { channel: 'google', failed: ['unavailable: HTTP 503'], attempts: ['google/one auth'] },
      ],
    };
    expect(lines).toEqual([line, line]);
  });

  it('tells channels whose request it is, and whether failover is possible', async () => {
    channel(1).answer = failing('unavailable');
    await router.translate(request({ channels: [1, 2], familyId: 7 }));
    expect(channel(1).asked[0]).toMatchObject({ familyId: 7, hasStandIn: true });
    expect(channel(2).asked[0]).toMatchObject({ familyId: 7, hasStandIn: false });
  });

  it('aborts a channel without callers, and does not count that against it', async () => {
    channel(1).answer = untilGone;
    const leaving = new AbortController();
    const left = router.translate(request({ channels: [1, 2], signal: leaving.signal }));
    await clock.pass(500);
    leaving.abort();
    expect(told(await left)).toEqual(['timeout']);
    await clock.pass(0);
    expect(channel(1).asked[0]?.signal.aborted).toBe(true);
    expect([channel(2).asked, noted]).toEqual([[], []]);
    expect(clock.set).toBe(0);
  });

  it('returns a failure even when a channel breaks its contract and throws', async () => {
    channel(1).answer = () => Promise.reject(new Error('a bug'));
    expect(told(await router.translate(request({ texts: ['one', 'two'] })))).toEqual(['unavailable', 'unavailable']);
  });
});
