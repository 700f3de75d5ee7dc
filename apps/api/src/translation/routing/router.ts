import { Logger } from '@nestjs/common';
import { TEXT_UPSTREAM_MS } from '@yiqiao/domain/limits';
import { ChannelFailure, type TextAnswer, type TextChannel, type TextOutcome } from '../channels/channel.js';
import { SingleFlight } from './single-flight.js';
import type { Time } from './time.js';
import type { Traffic } from './traffic.js';

export type RouteRequest = {
  readonly familyId: number;
  /** The id of the channel that is asked, then those that may take over when it fails, in order. */
  readonly channels: readonly [number, ...number[]];
  readonly texts: readonly string[];
  /** Null: left to the channel. */
  readonly source: string | null;
  readonly target: string;
  /** Ends the wait of this caller, and nobody else's. */
  readonly signal?: AbortSignal;
};

export type Routed = TextAnswer & { readonly channelId: number };
export type RoutedOutcome = Routed | ChannelFailure;

export type RouterSurroundings = {
  /** The channel with this id, where it is open in this process. */
  readonly channel: (id: number) => TextChannel | null;
  readonly traffic: Pick<Traffic, 'note'>;
  readonly time: Time;
};

/** What is kept for the channels that may take over: the asked one must not use up the time in which they could. */
const KEPT_FOR_OTHERS = 1 / 3;

type Leg = { readonly id: number; readonly channel: TextChannel; readonly deadline: number };

/** From a member's texts to their translations: through the channel that was asked, then through the others for what it failed. */
export class Router {
  readonly #flights = new SingleFlight<TextOutcome>();
  readonly #log = new Logger('Router');

  constructor(private readonly surroundings: RouterSurroundings) {}

  /** One outcome per text, in their order, within {@link TEXT_UPSTREAM_MS}; never throws for a text. */
  async translate(request: RouteRequest): Promise<readonly RoutedOutcome[]> {
    const outcomes: (RoutedOutcome | undefined)[] = request.texts.map(() => undefined);
    const deadline = this.surroundings.time.now() + TEXT_UPSTREAM_MS;
    for (const [nth, id] of request.channels.entries()) {
      const open = [...outcomes.keys()].filter((at) => !isAnswer(outcomes[at]));
      const channel = this.surroundings.channel(id);
      if (open.length === 0 || request.signal?.aborted) break;
      if (channel === null || (nth > 0 && !(await canTakeOver(channel, request)))) continue;
      const leg = { id, channel, deadline: this.#deadlineOf(nth, { request, deadline }) };
      const found = await this.#through(leg, { ...request, texts: open.map((at) => request.texts[at] ?? '') });
      // What the channel that was asked says about its failure is what counts.
      for (const [place, at] of open.entries())
        if (isAnswer(found[place]) || !outcomes[at]) outcomes[at] = found[place];
    }
    return outcomes.map((outcome) => outcome ?? new ChannelFailure('unavailable', 'no channel could be asked'));
  }

  #deadlineOf(nth: number, { request, deadline }: { request: RouteRequest; deadline: number }): number {
    if (nth === request.channels.length - 1) return deadline;
    return deadline - (deadline - this.surroundings.time.now()) * KEPT_FOR_OTHERS;
  }

  /** One channel's outcomes for these texts. */
  async #through(leg: Leg, request: RouteRequest): Promise<readonly RoutedOutcome[]> {
    const { familyId, texts, source, target } = request;
    // An array as JSON: whatever the texts hold, two different requests never have the same key.
    const keys = texts.map((text) => JSON.stringify([familyId, leg.id, source, target, text]));
    const ask = (places: readonly number[], signal: AbortSignal) =>
      this.#ask(leg, { ...request, texts: places.map((at) => texts[at] ?? ''), signal });
    try {
      const outcomes = await this.#flights.all(keys, ask, request.signal ?? NEVER);
      return outcomes.map((one) => (one instanceof ChannelFailure ? one : { ...one, channelId: leg.id }));
    } catch (error) {
      return texts.map(() => this.#failureOf(error, request));
    }
  }

  async #ask(leg: Leg, { texts, source, target, signal }: RouteRequest): Promise<readonly TextOutcome[]> {
    const { time, traffic } = this.surroundings;
    const { channel, deadline } = leg;
    const upstream = new AbortController();
    const giveUp = (): void => upstream.abort();
    signal?.addEventListener('abort', giveUp);
    const begun = time.now();
    const stopAlarm = time.after(deadline - begun, giveUp);
    try {
      const outcomes = await channel.translate({ texts, source, target, signal: upstream.signal, deadline });
      if (!signal?.aborted) traffic.note(leg.id, { ok: !outcomes.some(isFault), ms: time.now() - begun });
      return outcomes;
    } finally {
      stopAlarm();
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #failureOf(error: unknown, { signal }: RouteRequest): ChannelFailure {
    if (signal?.aborted) return new ChannelFailure('timeout', 'the caller went away');
    // Channels never throw: this is a bug of ours, and a member gets no more than that it failed.
    const name = error instanceof Error ? error.name : typeof error;
    this.#log.error({ msg: 'a channel threw', name, stack: error instanceof Error ? error.stack : undefined });
    return new ChannelFailure('unavailable', `unexpected: ${name}`);
  }
}

const NEVER = new AbortController().signal;

const isAnswer = (outcome: RoutedOutcome | undefined): outcome is Routed =>
  outcome !== undefined && !(outcome instanceof ChannelFailure);

/** A channel is not to blame for a pair that it does not do. */
const isFault = (outcome: TextOutcome): boolean => outcome instanceof ChannelFailure && outcome.kind !== 'unsupported';

/** Only a channel that translates in full may serve in place of another one. */
const canTakeOver = async (channel: TextChannel, { source, target }: RouteRequest): Promise<boolean> => {
  if (source !== null) return (await channel.supports(source, target)) === 'translation';
  const { targets, auto } = await channel.languages();
  return auto && targets.has(target);
};
