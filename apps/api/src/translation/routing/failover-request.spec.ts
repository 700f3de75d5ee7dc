/** Whatever vendors do, in any order: every text gets a result in time, and nothing is left behind. */
import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { type Deed, ScriptedVendor, translating, vendorAccount } from '../../../test/support/scripted-vendor.js';
import { ChannelFailure, type TextOutcome } from '../channels/channel.js';
import { type VendorRequest } from '../channels/vendor.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor-failure.js';
import { Upstream } from './upstream.js';
import { VendorChannel } from './vendor-channel.js';

Logger.overrideLogger(false);

const KINDS: VendorFailureKind[] = [
  'auth',
  'quota',
  'rate',
  'transient',
  'timeout',
  'unsupported',
  'too-long',
  'blocked',
  'bad-request',
  'bad-answer',
];

const failing = fc
  .record({ kind: fc.constantFrom(...KINDS), retryAfterMs: fc.option(fc.integer({ min: 0, max: 30_000 })) })
  .map(({ kind, retryAfterMs }): Deed => new VendorFailure(kind, 'scripted', retryAfterMs));
const spoiling: Deed[] = [
  'hang',
  ({ texts }) => ({ texts, detected: [] }),
  ({ texts }) => ({ texts: texts.map(() => '译'), detected: [] }),
  ({ texts }) => ({ texts: texts.map(() => ''), detected: [] }),
  () => Promise.reject(new TypeError('a bug of a client')),
];
const slow = (clock: FakeClock, ms: number): Deed => {
  return async (request: VendorRequest) => {
    await new Promise<void>((resolve) => {
      clock.after(ms, resolve);
      request.signal.addEventListener('abort', () => resolve());
    });
    if (request.signal.aborted) throw new VendorFailure('timeout', 'too late');
    return translating(request);
  };
};

const vendor = fc.record({
  deeds: fc.array(fc.oneof(failing, fc.constantFrom(...spoiling), fc.constant(translating)), { maxLength: 8 }),
  answersAfterMs: fc.option(fc.integer({ min: 0, max: 12_000 })),
  inFlight: fc.integer({ min: 1, max: 4 }),
  requestsPerSecond: fc.option(fc.integer({ min: 1, max: 5 })),
  textsPerRequest: fc.integer({ min: 1, max: 5 }),
  weight: fc.integer({ min: 1, max: 100 }),
});
const text = fc.constantFrom(
  'good morning',
  'see https://example.com/a now',
  '{name} owes 3 apples',
  '',
  '42',
  'one\ntwo\nthree',
);
const request = fc.record({
  afterMs: fc.integer({ min: 0, max: 20_000 }),
  texts: fc.array(text, { minLength: 1, maxLength: 6 }),
});

it('ends every request in time, with a result for each text, and leaves no timers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(vendor, { minLength: 1, maxLength: 3 }),
      fc.array(request, { minLength: 1, maxLength: 12 }),
      async (scripts, requests) => {
        const clock = new FakeClock();
        const vendors = scripts.map(({ deeds, answersAfterMs, ...limits }) => {
          const one = new ScriptedVendor(limits);
          one.deeds = [...deeds];
          one.always = answersAfterMs === null ? new VendorFailure('transient', 'dead') : slow(clock, answersAfterMs);
          return one;
        });
        const [first, ...rest] = vendors.map((one, at) => {
          const account = vendorAccount(`n${at}`, { weight: scripts[at]?.weight ?? 1 });
          return new Upstream(account, one, { time: clock, today: () => 'today' });
        });
        if (first === undefined) return;
        const channel = new VendorChannel([first, ...rest], clock);
        const over: { at: number; deadline: number; outcomes: readonly TextOutcome[]; texts: readonly string[] }[] = [];
        for (const { afterMs, texts } of requests) {
          await clock.pass(afterMs);
          const deadline = clock.now() + 15_000;
          const gone = new AbortController();
          const stop = clock.after(15_000, () => gone.abort());
          void channel
            .translate({ texts, source: 'en', target: 'zh-Hans', signal: gone.signal, deadline })
            .then((outcomes) => {
              stop();
              over.push({ at: clock.now(), deadline, outcomes, texts });
            });
        }
        await clock.pass(15_000);
        expect(over).toHaveLength(requests.length);
        for (const { at, deadline, outcomes, texts } of over) {
          expect(at).toBeLessThanOrEqual(deadline);
          expect(outcomes).toHaveLength(texts.length);
          for (const [place, outcome] of outcomes.entries()) {
            if (outcome instanceof ChannelFailure) continue;
            expect(outcome.translated.trim() === '').toBe(texts[place]?.trim() === '');
          }
        }
        // A slow response without a caller may still be in flight.
        await clock.pass(15_000);
        expect(clock.set).toBe(0);
      },
    ),
    { numRuns: 150 },
  );
});
