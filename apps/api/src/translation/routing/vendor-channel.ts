import type { PairTerms } from '@yiqiao/domain/glossary';
import { codePoints } from '@yiqiao/domain/members';
import type { VendorUse } from '../../ledger/ledger.js';
import { externalCall } from '../../platform/admission.js';
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
import type { AccountRecord } from '../channels/vendor.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor-failure.js';
import { joinUses } from '../vendor-use.js';
import { findProtected } from '../text/find-protected.js';
import { prepare, type Strategy } from '../text/prepare.js';
import { pack, type TextLimits } from '../text/split.js';
import { FailoverRequest, type PieceAnswer, type PieceOutcome, type RequestContext } from './failover-request.js';
import { LoadBalancer } from './load-balancer.js';
import { RECOVERY_MS } from './retry-policy.js';
import type { Time } from './time.js';
import { NoTurn, QueueFull, tighter, type Upstream } from './upstream.js';

/** The outcome of one try of a text. `lost`: protected pieces that did not survive. */
type Tried = {
  readonly translated: string;
  readonly lost: readonly string[];
  readonly detected: string | null;
  readonly vendor: VendorUse | null;
};

/** A text and the strategy of a try. */
type Trial = { readonly text: string; readonly strategy: Strategy };

/** The strategy of the first try, and of the second one when something was lost. */
type Strategies = { readonly first: Strategy; readonly second: Strategy };
const MASKED_THEN_PLAIN: Strategies = { first: 'masked', second: 'plain' };

type Tries = { readonly first: Tried | VendorFailure; readonly second: Tried | VendorFailure | undefined };

/** Of requests without a family. */
const NO_FAMILY = 0;

/** A channel that is a vendor's service, through one or more accounts. */
export class VendorChannel implements TextChannel {
  readonly #balancer = new LoadBalancer();
  #languages: { readonly parts: readonly ChannelLanguages[]; readonly all: ChannelLanguages } = {
    parts: [],
    all: joined([]),
  };

  #upstreams: readonly [Upstream, ...Upstream[]];

  constructor(
    upstreams: readonly [Upstream, ...Upstream[]],
    private readonly time: Time,
  ) {
    this.#upstreams = upstreams;
  }

  /** From the next request on these serve; a request under way keeps those that still admit it. */
  replace(upstreams: readonly [Upstream, ...Upstream[]]): void {
    this.#upstreams = upstreams;
  }

  /**
   * Available as soon as there are accounts, even while all of their breakers are open: an outage of seconds must not take packages off
   * sale or refuse a change of channel, and without requests no breaker would ever close again. For its health see `GET /tranChannel/status`.
   */
  availability(): Promise<Availability> {
    return Promise.resolve({
      available: true,
      reason: null,
      sandbox: this.#upstreams.some((one) => one.account.sandbox),
    });
  }

  supports(source: string, target: string): Promise<Quality | null> {
    const able = source !== target && this.#upstreams.some(({ client }) => client.supports(source, target));
    return Promise.resolve(able ? 'translation' : null);
  }

  languages(): Promise<ChannelLanguages> {
    const parts = this.#upstreams.map(({ client }) => client.languages());
    // Joined again only when an account's languages changed, because every request reads them.
    if (parts.some((part, at) => part !== this.#languages.parts[at])) this.#languages = { parts, all: joined(parts) };
    return Promise.resolve(this.#languages.all);
  }

  hasRegisters(target: string): boolean {
    return this.#upstreams.some(({ client }) => client.hasRegisters?.(target));
  }

  async translate(request: TextRequest): Promise<readonly TextOutcome[]> {
    const { texts, source, target, register, signal, deadline } = request;
    const upstreams = this.#upstreams.filter(({ client }) => client.supports(source, target));
    if (upstreams.length === 0)
      return texts.map(() => new ChannelFailure('unsupported', `no upstream for ${source} to ${target}`));
    const context: RequestContext = {
      source,
      target,
      register,
      signal,
      deadline,
      upstreams,
      family: request.familyId ?? NO_FAMILY,
      recoveryMs: request.hasStandIn ? 0 : RECOVERY_MS,
      failed: new Map(),
      slow: new Set(),
      attempts: new Set(),
      balancer: this.#balancer,
      time: this.time,
    };
    const { terms, strategiesOf } = plan(request, upstreams);
    const trials = texts.map((text) => ({ text, ...strategiesOf(text) }));
    const firsts = await this.#try(
      trials.map(({ text, first }) => ({ text, strategy: first })),
      terms ? { ...context, terms } : context,
    );
    // The second try is free: a text is charged once.
    const damaged = [...texts.keys()].filter((at) => isDamaged(firsts[at], terms));
    const seconds = await this.#try(
      damaged.flatMap((at) => trials[at] ?? []).map(({ text, second }) => ({ text, strategy: second })),
      context,
    );
    return firsts.map((first, at) => outcomeOf({ first, second: seconds[damaged.indexOf(at)] }, context));
  }

  async keepOnlyTerms(familyId: number, current: readonly PairTerms[]): Promise<void> {
    await Promise.all(this.#upstreams.map(async ({ client }) => client.keepOnlyTerms?.(familyId, current)));
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#upstreams.map((upstream) => {
        upstream.flush();
        return upstream.client.close();
      }),
    );
  }

  async #try(trials: readonly Trial[], context: RequestContext): Promise<(Tried | VendorFailure)[]> {
    // Read for each try: a vendor may turn out to accept less than documented.
    const limits = strictest(context.upstreams);
    const prepared = trials.map(({ text, strategy }) => prepare(text, limits, strategy));
    const pieces = prepared.flatMap((text) => text.pieces);
    const outcomes: PieceOutcome[] = [];
    const requests = pack(pieces, limits).map(async (indexes) => {
      const delivery = new FailoverRequest(
        indexes.map((at) => pieces[at] ?? ''),
        context,
      );
      const answers = await externalCall(() => delivery.run());
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
      const vendor = useOf(text.pieces, answers);
      return { ...text.restore(answers.map((answer) => answer.text)), detected, vendor };
    });
  }
}

/** Each piece costs what its account takes for it; the account with the most characters is named. */
const useOf = (pieces: readonly string[], answers: readonly PieceAnswer[]): VendorUse | null => {
  const chars = new Map<AccountRecord, number>();
  for (const [at, { by }] of answers.entries())
    if (by !== undefined) chars.set(by, (chars.get(by) ?? 0) + codePoints(pieces[at] ?? ''));
  const [most] = [...chars].sort(([, a], [, b]) => b - a);
  const cost = [...chars].reduce((sum, [{ charCost }, count]) => sum + charCost * count, 0);
  return most ? { accountId: most[0].id, cost } : null;
};

/** The language detected for most of the text: a heading may be in another one. */
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

/**
 * How the glossary changes the request: who applies the terms (`terms`: the vendor itself, when all of its accounts can), and the
 * strategies for each text. Texts without a term are translated as usual.
 */
const plan = (
  { terms, source }: TextRequest,
  upstreams: readonly Upstream[],
): { readonly terms: PairTerms | null; readonly strategiesOf: (text: string) => Strategies } => {
  if (!terms) return { terms: null, strategiesOf: () => MASKED_THEN_PLAIN };
  const { index } = terms;
  const uses = new Set(upstreams.map(({ client }) => client.uses?.(terms) ?? null));
  // A vendor's glossary is for one source language; the one that it detects may be another.
  if (source === null) uses.delete('vendor');
  const [use] = uses.size === 1 ? uses : [null];
  const mask: Strategy = { terms: index, by: 'mask' };
  const strategies: Strategies = use
    ? { first: { terms: index, by: use }, second: mask }
    : { first: mask, second: { terms: index, by: 'plain' } };
  const holdsOne = (text: string): boolean => index.find(text, findProtected(text)).length > 0;
  return { terms: use ? terms : null, strategiesOf: (text) => (holdsOne(text) ? strategies : MASKED_THEN_PLAIN) };
};

/** `terms`: those that the vendor should apply. If it refused the text because of them, it may accept it without. */
const isDamaged = (tried: Tried | VendorFailure | undefined, terms: PairTerms | null): boolean => {
  if (tried instanceof VendorFailure)
    return terms !== null && (tried.kind === 'bad-request' || tried.kind === 'bad-answer');
  return tried !== undefined && tried.lost.length > 0;
};

/** The pause before a retry after a full queue: any sooner the queue has hardly moved. */
const BUSY_MS = 1_000;

/** The second try if it succeeded and lost no more than the first; else the first. */
const outcomeOf = ({ first, second }: Tries, { attempts }: RequestContext): TextOutcome => {
  const tried = isBetter(second, first) ? second : first;
  if (tried instanceof NoTurn && tried.crowdedForMs !== null)
    return new ChannelFailure('crowded', tried.message, { retryAfterMs: tried.crowdedForMs, attempts: [...attempts] });
  if (tried instanceof QueueFull)
    return new ChannelFailure('busy', tried.message, { retryAfterMs: BUSY_MS, attempts: [...attempts] });
  if (tried instanceof VendorFailure)
    return new ChannelFailure(CHANNEL_KINDS[tried.kind], tried.message, { cause: tried, attempts: [...attempts] });
  const { translated, lost, detected } = tried;
  // Both tries were paid for.
  const vendor = joinUses([tried, first, second].flatMap((one, at) => (at > 0 && one === tried ? [] : vendorOf(one))));
  const warning: TextAnswer['warning'] = lost.length > 0 ? { code: 'LOST', lost } : null;
  return { translated, quality: 'translation', warning, detected, ...(vendor && { vendor }) };
};

const vendorOf = (tried: Tried | VendorFailure | undefined): VendorUse[] =>
  tried === undefined || tried instanceof VendorFailure || tried.vendor === null ? [] : [tried.vendor];

const isBetter = (second: Tries['second'], first: Tries['first']): second is Tried => {
  if (second === undefined || second instanceof VendorFailure) return false;
  return first instanceof VendorFailure || second.lost.length <= first.lost.length;
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

/** The limits of one request: the vendor's, and no more characters than the account may use in a minute. */
export const textLimitsOf = ({ client: { limits }, account }: Upstream): TextLimits => {
  const charsPerMinute = tighter(limits.charsPerMinute, account.charsPerMinute);
  return { ...limits, charsPerRequest: tighter(limits.charsPerRequest, charsPerMinute) ?? limits.charsPerRequest };
};

/** The limits common to all accounts, because a request may go to any of them. */
const strictest = (upstreams: readonly Upstream[]): TextLimits => {
  const all = upstreams.map(textLimitsOf);
  const bytes = all.flatMap(({ bytesPerRequest }) => bytesPerRequest ?? []);
  return {
    charsPerRequest: Math.min(...all.map(({ charsPerRequest }) => charsPerRequest)),
    textsPerRequest: Math.min(...all.map(({ textsPerRequest }) => textsPerRequest)),
    bytesPerRequest: bytes.length > 0 ? Math.min(...bytes) : null,
  };
};
