import { ChannelFailure, type TextOutcome, type TextRequest } from '../../src/translation/channels/channel.js';
import { type VendorAnswer, type VendorRequest } from '../../src/translation/channels/vendor.js';
import { VendorFailure, type VendorFailureKind } from '../../src/translation/channels/vendor-failure.js';
import { Upstream } from '../../src/translation/routing/upstream.js';
import type { VendorChannel } from '../../src/translation/routing/vendor-channel.js';
import type { FakeClock } from './fake-clock.js';
import { type ScriptedVendor, vendorAccount } from './scripted-vendor.js';

/** Shared set-up of the specs with scripted vendors. */
export const HELLO = 'good morning friends';

export const failure = (kind: VendorFailureKind, retryAfterMs: number | null = null): VendorFailure =>
  new VendorFailure(kind, `scripted ${kind}`, retryAfterMs);

export const echoing = ({ texts }: VendorRequest): VendorAnswer => ({ texts, detected: texts.map(() => null) });

export const answer = (text: string) => ({
  translated: text,
  quality: 'translation',
  warning: null,
  detected: 'en',
});

export const kindOf = (outcome: TextOutcome | undefined): string | null =>
  outcome instanceof ChannelFailure ? outcome.kind : null;

type Ways = { ms?: number; source?: null; signal?: AbortSignal };

/** Accounts and requests under a fake clock. */
export const scriptedBy = (clock: () => FakeClock) => {
  const upstream = (name: string, vendor: ScriptedVendor, caps: object = {}): Upstream =>
    new Upstream(vendorAccount(name, caps), vendor, { time: clock(), today: () => 'today' });
  const ask = (text: string): TextRequest => ({
    texts: [text],
    source: 'en',
    target: 'zh-Hans',
    signal: new AbortController().signal,
    deadline: clock().now() + 15_000,
  });
  /** Translates, and advances the clock. */
  const translated = async (
    channel: VendorChannel,
    texts: readonly string[],
    { ms = 15_000, source, signal = new AbortController().signal }: Ways = {},
  ): Promise<readonly TextOutcome[]> => {
    let outcomes: readonly TextOutcome[] | null = null;
    void channel
      .translate({ ...ask(''), texts, source: source === undefined ? 'en' : source, signal })
      .then((found) => (outcomes = found));
    await clock().pass(ms);
    if (outcomes === null) throw new Error(`nothing after ${ms} ms`);
    return outcomes;
  };
  return { upstream, ask, translated };
};
