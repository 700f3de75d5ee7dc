import { codePoints } from '@yiqiao/domain/members';
import {
  type Availability,
  ChannelFailure,
  type ChannelFailureKind,
  type ChannelLanguages,
  type Quality,
  type TextAnswer,
  type TextChannel,
  type TextOutcome,
  type TextRequest,
} from '../channels/channel.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor.js';
import { pack } from '../text/pack.js';
import { type Manner, prepare } from '../text/prepare.js';
import type { TextLimits } from '../text/text-size.js';
import { Delivery } from './delivery.js';
import type { Errand, PieceAnswer, PieceOutcome, Ways } from './errand.js';
import { RECOVERY_MS } from './failure-rules.js';
import type { Time } from './time.js';
import { NoTurn, type Upstream } from './upstream.js';
import { UpstreamChoice } from './upstream-choice.js';

/** What became of a text at one try: `lost` is what had to survive and did not. */
type Tried = { readonly translated: string; readonly lost: readonly string[]; readonly detected: string | null };

type Tries = { readonly first: Tried | VendorFailure; readonly second: Tried | VendorFailure | undefined };

/** The family of requests that belong to none. */
const NOBODY = 0;

/** A channel that is somebody else's service, through one or more accounts there. */
export class VendorChannel implements TextChannel {
  readonly #ways: Ways;
  #languages: { readonly parts: readonly ChannelLanguages[]; readonly all: ChannelLanguages } = {
    parts: [],
    all: joined([]),
  };

  constructor(
    private readonly upstreams: readonly [Upstream, ...Upstream[]],
    time: Time,
  ) {
    this.#ways = { choice: new UpstreamChoice(), time };
  }

  /**
   * Available as soon as there are accounts, even while all of their breakers are open: an outage of seconds must not take packages off
   * sale or refuse a change of channel, and without requests no breaker would ever close again. How it does: `GET /tranChannel/status`.
   */
  availability(): Promise<Availability> {
    return Promise.resolve({
      available: true,
      reason: null,
      sandbox: this.upstreams.some((one) => one.account.sandbox),
    });
  }

  supports(source: string, target: string): Promise<Quality | null> {
    const able = source !== target && this.upstreams.some(({ client }) => client.supports(source, target));
    return Promise.resolve(able ? 'translation' : null);
  }

  languages(): Promise<ChannelLanguages> {
    const parts = this.upstreams.map(({ client }) => client.languages());
    // Put together again only when a part has changed: every request asks.
    if (parts.some((part, at) => part !== this.#languages.parts[at])) this.#languages = { parts, all: joined(parts) };
    return Promise.resolve(this.#languages.all);
  }

  async translate(request: TextRequest): Promise<readonly TextOutcome[]> {
    const { texts, source, target, signal, deadline } = request;
    const upstreams = this.upstreams.filter(({ client }) => client.supports(source, target));
    if (upstreams.length === 0)
      return texts.map(() => new ChannelFailure('unsupported', `no upstream for ${source} to ${target}`));
    const errand: Errand = {
      ...{ source, target, signal, deadline, upstreams },
      family: request.familyId ?? NOBODY,
      recoveryMs: request.hasStandIn ? 0 : RECOVERY_MS,
      failed: new Map(),
      slow: new Set(),
      attempts: new Set(),
    };
    const firsts = await this.#try(texts, errand, 'masked');
    // Free for the member, whose text is charged once, whatever it takes.
    const damaged = [...texts.keys()].filter((at) => isDamaged(firsts[at]));
    const seconds = await this.#try(
      damaged.map((at) => texts[at] ?? ''),
      errand,
      'plain',
    );
    return firsts.map((first, at) => outcomeOf({ first, second: seconds[damaged.indexOf(at)] }, errand));
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  async #try(texts: readonly string[], errand: Errand, manner: Manner): Promise<(Tried | VendorFailure)[]> {
    // Read each time: a vendor may turn out to take less than it said.
    const limits = strictest(errand.upstreams);
    const prepared = texts.map((text) => prepare(text, limits, manner));
    const pieces = prepared.flatMap((text) => text.pieces);
    const outcomes: PieceOutcome[] = [];
    const requests = pack(pieces, limits).map(async (indexes) => {
      const answers = await new Delivery(
        indexes.map((at) => pieces[at] ?? ''),
        errand,
        this.#ways,
      ).run();
      answers.forEach((answer, place) => (outcomes[indexes[place] ?? 0] = answer));
    });
    await Promise.all(requests);
    let from = 0;
    return prepared.map((text) => {
      const own = outcomes.slice(from, (from += text.pieces.length));
      const failure = own.find((outcome) => outcome instanceof VendorFailure);
      if (failure) return failure;
      const answers = own.flatMap((outcome) => (outcome instanceof VendorFailure ? [] : [outcome]));
      const detected = mostDetected(text.pieces, answers);
      return { ...text.restore(answers.map((answer) => answer.text)), detected };
    });
  }
}

/** The language of most of a text: its heading may be in another one. */
const mostDetected = (pieces: readonly string[], answers: readonly PieceAnswer[]): string | null => {
  const sizes = new Map<string, number>();
  for (const [at, { detected }] of answers.entries())
    if (detected !== null) sizes.set(detected, (sizes.get(detected) ?? 0) + codePoints(pieces[at] ?? ''));
  const [most] = [...sizes].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
};

const joined = (parts: readonly ChannelLanguages[]): ChannelLanguages => ({
  sources: new Set(parts.flatMap(({ sources }) => [...sources])),
  targets: new Set(parts.flatMap(({ targets }) => [...targets])),
  auto: parts.some(({ auto }) => auto),
});

const isDamaged = (tried: Tried | VendorFailure | undefined): boolean =>
  tried !== undefined && !(tried instanceof VendorFailure) && tried.lost.length > 0;

/** The second try where there was one and it was answered; else the first. */
const outcomeOf = ({ first, second }: Tries, { attempts }: Errand): TextOutcome => {
  const tried = second === undefined || second instanceof VendorFailure ? first : second;
  if (tried instanceof NoTurn && tried.crowdedForMs !== null)
    return new ChannelFailure('crowded', tried.message, { retryAfterMs: tried.crowdedForMs, attempts: [...attempts] });
  if (tried instanceof VendorFailure)
    return new ChannelFailure(CHANNEL_KINDS[tried.kind], tried.message, { cause: tried, attempts: [...attempts] });
  const { translated, lost, detected } = tried;
  const warning: TextAnswer['warning'] = lost.length > 0 ? { code: 'LOST', lost } : null;
  return { translated, quality: 'translation', warning, detected };
};

const CHANNEL_KINDS: Readonly<Record<VendorFailureKind, ChannelFailureKind>> = {
  auth: 'unavailable',
  quota: 'unavailable',
  rate: 'unavailable',
  transient: 'unavailable',
  timeout: 'timeout',
  unsupported: 'unsupported',
  'too-long': 'unavailable',
  blocked: 'blocked',
  'bad-request': 'unavailable',
  'bad-answer': 'bad-answer',
};

/** What every account takes: a request may end up with any of them. */
const strictest = (upstreams: readonly Upstream[]): TextLimits => {
  const all = upstreams.map(({ limits }) => limits);
  const bytes = all.flatMap(({ bytesPerRequest }) => bytesPerRequest ?? []);
  return {
    charsPerRequest: Math.min(...all.map(({ charsPerRequest }) => charsPerRequest)),
    textsPerRequest: Math.min(...all.map(({ textsPerRequest }) => textsPerRequest)),
    bytesPerRequest: bytes.length > 0 ? Math.min(...bytes) : null,
  };
};
