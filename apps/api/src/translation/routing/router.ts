import { Logger } from '@nestjs/common';
import type { Register } from '@yiqiao/domain/formality';
import type { PairTerms } from '@yiqiao/domain/glossary';
import { TEXT_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { channelCodeOf } from '@yiqiao/domain/channels';
import { waitsForOthers } from '../../platform/admission.js';
import { ChannelFailure, type TextAnswer, type TextChannel, type TextOutcome } from '../channels/channel.js';
import { SingleFlight } from './single-flight.js';
import { linkedAbort, type Time } from './time.js';
import type { Traffic } from './traffic.js';
import { LEAST_MS } from './upstream.js';

export type RouteRequest = {
  readonly familyId: number;
  /** The id of the requested channel, then its fallbacks, in order. */
  readonly channels: readonly [number, ...number[]];
  readonly texts: readonly string[];
  /** Null: the channel detects it. */
  readonly source: string | null;
  readonly target: string;
  /** The family's glossary for this pair. */
  readonly terms?: PairTerms | null | undefined;
  readonly register?: Register | undefined;
  /** Ends the wait of this caller only. */
  readonly signal?: AbortSignal;
  /** Of a try that continues an earlier one: its {@link Router.deadline}. */
  readonly deadline?: number;
  /** For the log. */
  readonly requestId?: string;
};

export type Routed = TextAnswer & { readonly channelId: number };
export type RoutedOutcome = Routed | ChannelFailure;

type RouterSurroundings = {
  /** The channel with this id, if it is open in this process. */
  readonly channel: (id: number) => TextChannel | null;
  readonly traffic: Pick<Traffic, 'note'>;
  readonly time: Time;
};

/** The share of the time that is reserved for fallbacks. */
const KEPT_FOR_OTHERS = 1 / 3;

/** A caller that shares another's call leaves it this long after its own deadline, so that it does not miss a result in time. */
const GRACE_MS = 100;

type ChannelAttempt = {
  readonly id: number;
  readonly channel: TextChannel;
  readonly hasStandIn: boolean;
  readonly deadline: number;
};

/** Translates through the requested channel, and the failed texts through its fallbacks. */
export class Router {
  readonly #flights = new SingleFlight<TextOutcome>();
  readonly #log = new Logger('Router');

  constructor(private readonly surroundings: RouterSurroundings) {}

  /** When a request that begins now ends: milliseconds since 1970, by the clock of `time.ts`. */
  deadline(): number {
    return this.surroundings.time.now() + TEXT_UPSTREAM_MS;
  }

  /** One outcome per text, in their order, within {@link TEXT_UPSTREAM_MS}; never throws for a text. */
  async translate(request: RouteRequest): Promise<readonly RoutedOutcome[]> {
    waitsForOthers();
    const outcomes: (RoutedOutcome | undefined)[] = request.texts.map(() => undefined);
    const deadline = request.deadline ?? this.deadline();
    const failures = new FailedAttempts();
    for (const [nth, id] of request.channels.entries()) {
      const open = [...outcomes.keys()].filter((at) => !isAnswer(outcomes[at]));
      const channel = this.surroundings.channel(id);
      if (open.length === 0 || request.signal?.aborted) break;
      if (channel === null || (nth > 0 && !(await canTakeOver(channel, request)))) continue;
      const hasStandIn = nth < request.channels.length - 1;
      const attempt = { id, channel, hasStandIn, deadline: this.#deadlineOf(nth, { request, deadline }) };
      const found = await this.#through(attempt, { ...request, texts: open.map((at) => request.texts[at] ?? '') });
      failures.add(id, found);
      // The failure of the requested channel is reported.
      for (const [place, at] of open.entries())
        if (isAnswer(found[place]) || !outcomes[at]) outcomes[at] = found[place];
    }
    const ended = outcomes.map((outcome) => outcome ?? new ChannelFailure('unavailable', 'no channel could be asked'));
    if (!request.signal?.aborted && !ended.every((one) => isAnswer(one) || one.kind === 'busy'))
      this.#log.warn(failures.line(request, ended));
    return ended;
  }

  #deadlineOf(nth: number, { request, deadline }: { request: RouteRequest; deadline: number }): number {
    if (nth === request.channels.length - 1) return deadline;
    return deadline - (deadline - this.surroundings.time.now()) * KEPT_FOR_OTHERS;
  }

  /** One channel's outcomes for these texts. */
  async #through(attempt: ChannelAttempt, request: RouteRequest): Promise<readonly RoutedOutcome[]> {
    // A JSON array, so that different requests never have the same key, whatever the texts contain.
    const { familyId, source, target, terms, register } = request;
    const further = [...(terms ? [terms.digest] : []), ...(register ? [register] : [])];
    const keys = request.texts.map((text) => JSON.stringify([familyId, attempt.id, source, target, text, ...further]));
    const begun = new Set<string>();
    const outcomes = [...(await this.#once(attempt, request, { keys, begun }))];
    // A shared call may have had less time than this caller has.
    const again = [...keys.keys()].filter((at) => !begun.has(keys[at] ?? '') && isTimeout(outcomes[at]));
    if (again.length === 0 || request.signal?.aborted) return outcomes;
    if (attempt.deadline - this.surroundings.time.now() < LEAST_MS) return outcomes;
    const found = await this.#through(attempt, { ...request, texts: again.map((at) => request.texts[at] ?? '') });
    for (const [place, outcome] of found.entries()) outcomes[again[place] ?? 0] = outcome;
    return outcomes;
  }

  /** `begun` receives the keys that were not in flight yet. */
  async #once(
    attempt: ChannelAttempt,
    request: RouteRequest,
    { keys, begun }: { keys: readonly string[]; begun: Set<string> },
  ): Promise<readonly RoutedOutcome[]> {
    const { texts, signal } = request;
    const ask = (places: readonly number[], abandoned: AbortSignal) => {
      for (const at of places) begun.add(keys[at] ?? '');
      return this.#ask(attempt, { ...request, texts: places.map((at) => texts[at] ?? ''), signal: abandoned });
    };
    const { controller: leaving, release } = linkedAbort(signal);
    const results = this.#flights.all(keys, ask, leaving.signal);
    const { time } = this.surroundings;
    const isShared = keys.some((key) => !begun.has(key));
    const cancelTimer = isShared
      ? time.after(attempt.deadline + GRACE_MS - time.now(), () => leaving.abort())
      : () => undefined;
    try {
      const outcomes = await results;
      return outcomes.map((one, at) => {
        if (one instanceof ChannelFailure) return one;
        const answer = { ...one, channelId: attempt.id };
        // A shared call costs the one that began it.
        return one.vendor && !begun.delete(keys[at] ?? '') ? { ...answer, vendor: { ...one.vendor, cost: 0 } } : answer;
      });
    } catch (error) {
      return texts.map(() => this.#failureOf(error, leaving.signal));
    } finally {
      cancelTimer();
      release();
    }
  }

  async #ask(
    attempt: ChannelAttempt,
    { familyId, texts, source, target, terms, register, signal }: RouteRequest,
  ): Promise<readonly TextOutcome[]> {
    const { time, traffic } = this.surroundings;
    const { channel, deadline, hasStandIn } = attempt;
    const { controller, release } = linkedAbort(signal);
    const begun = time.now();
    const cancelTimer = time.after(deadline - begun, () => controller.abort());
    try {
      const outcomes = await channel.translate({
        texts,
        source,
        target,
        terms,
        register,
        familyId,
        hasStandIn,
        deadline,
        signal: controller.signal,
      });
      if (!signal?.aborted) traffic.note(attempt.id, { ok: !outcomes.some(isFault), ms: time.now() - begun });
      return outcomes;
    } finally {
      cancelTimer();
      release();
    }
  }

  #failureOf(error: unknown, leaving: AbortSignal): ChannelFailure {
    if (leaving.aborted) return new ChannelFailure('timeout', 'the caller waits no longer');
    // Channels never throw, so this is our bug; the member learns only that it failed.
    const name = error instanceof Error ? error.name : typeof error;
    this.#log.error({ msg: 'a channel threw', name, stack: error instanceof Error ? error.stack : undefined });
    return new ChannelFailure('unavailable', `unexpected: ${name}`);
  }
}

const isAnswer = (outcome: RoutedOutcome | undefined): outcome is Routed =>
  outcome !== undefined && !(outcome instanceof ChannelFailure);

const isTimeout = (outcome: RoutedOutcome | undefined): boolean =>
  outcome instanceof ChannelFailure && outcome.kind === 'timeout';

/** An unsupported pair and a full queue are not faults of the channel. */
const isFault = (outcome: TextOutcome): boolean =>
  outcome instanceof ChannelFailure && !['unsupported', 'crowded', 'busy'].includes(outcome.kind);

/** Only a channel that translates in full may take over. */
const canTakeOver = async (channel: TextChannel, { source, target }: RouteRequest): Promise<boolean> => {
  if (source !== null) return (await channel.supports(source, target)) === 'translation';
  const { targets, auto } = await channel.languages();
  return auto && targets.has(target);
};

type Asked = { readonly requestId?: string; readonly source: string | null; readonly target: string };

/** Collects how the channels of a request failed, for the operator's log: no texts, no keys. */
class FailedAttempts {
  readonly #channels: { channel: string; failed: string[]; attempts: string[] }[] = [];

  add(channelId: number, outcomes: readonly unknown[]): void {
    const failures = outcomes.filter((outcome) => outcome instanceof ChannelFailure);
    if (failures.length === 0) return;
    this.#channels.push({
      channel: channelCodeOf(channelId) ?? String(channelId),
      failed: unique(failures.map(({ kind, message }) => `${kind}: ${message}`)),
      attempts: unique(failures.flatMap(({ attempts }) => attempts)),
    });
  }

  line({ requestId, source, target }: Asked, outcomes: readonly unknown[]) {
    const texts = outcomes.length;
    const failed = outcomes.filter((outcome) => outcome instanceof ChannelFailure).length;
    return { msg: 'a translation failed', requestId, source, target, texts, failed, channels: this.#channels };
  }
}

const unique = (all: readonly string[]): string[] => [...new Set(all)];
