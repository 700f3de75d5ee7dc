import { codePoints } from '@yiqiao/domain/members';
import type { PairTerms } from '@yiqiao/domain/glossary';
import type { AccountRecord, VendorAnswer, VendorRequest } from '../channels/vendor.js';
import { NoAnswer, VendorFailure } from '../channels/vendor-failure.js';
import { qualityIssueOf } from '../text/quality-check.js';
import type { LoadBalancer } from './load-balancer.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './retry-policy.js';
import { linkedAbort, type Time, untilAborted } from './time.js';
import { LEAST_MS, NoTurn, OVERTAKEN, QueueFull, type Upstream } from './upstream.js';

/** A member's request to a channel's upstreams, shared by all the parts it is sent in. */
export type RequestContext = {
  readonly source: string | null;
  readonly target: string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** The accounts that can do this pair. */
  readonly upstreams: readonly Upstream[];
  /** The family it belongs to. */
  readonly family: number;
  /** Terms that the vendor itself applies. */
  readonly terms?: PairTerms | null | undefined;
  readonly register?: VendorRequest['register'];
  /** How long it may wait for upstreams whose breakers are open, in milliseconds. */
  readonly recoveryMs: number;
  /** Upstreams that failed this request: no part of it goes to them again before their backoff is over. */
  readonly failed: Map<Upstream, Backoff>;
  /** Upstreams that took more than half of their time: others come first from then on. */
  readonly slow: Set<Upstream>;
  /** Failed attempts, for the log. */
  readonly attempts: Set<string>;
  /** Shared by all requests of the channel. */
  readonly balancer: LoadBalancer;
  readonly time: Time;
};

export type Backoff = {
  /** How often it was retried in vain. */
  readonly retries: number;
  /** When it may be retried: milliseconds since 1970; Infinity: never. */
  readonly readyAt: number;
};

/** A piece is one text of a vendor request: a text of the member, or a part of one. `detected`: a langCode. `by`: the account. */
export type PieceAnswer = { readonly text: string; readonly detected: string | null; readonly by?: AccountRecord };
export type PieceOutcome = PieceAnswer | VendorFailure;

/** A request under way at one upstream. */
type Attempt = {
  readonly upstream: Upstream;
  readonly stop: AbortController;
  /** Half of its time is over without an answer: a second upstream may be asked beside it. */
  isSlow: boolean;
};

/** The upstream to ask now; null: none yet. Then look again when one of the `events` settles, or after `ms`. */
type Next = { readonly upstream: Upstream | null; readonly events: readonly Promise<unknown>[]; readonly ms: number };
const NOBODY: Next = { upstream: null, events: [], ms: Number.POSITIVE_INFINITY };

/**
 * One vendor request with retries and failover over the accounts of its channel: the next account when one fails, a second one beside it
 * when one is slow (hedging), until it is answered or time is up. The first good answer counts; attempts still running are aborted.
 */
export class FailoverRequest {
  /** The answer to each piece, in order, or why there is none so far; undefined before the first attempt. */
  readonly #outcomes: (PieceOutcome | undefined)[];
  /** Pieces without an answer. */
  #open: readonly number[];
  readonly #tried = new Set<Upstream>();
  /** The upstreams that answered a piece with no translation of it. */
  readonly #suspects = new Map<number, Upstream[]>();
  readonly #blamed = new Set<Upstream>();
  /** Upstreams that failed here in a way that may pass. */
  readonly #stumbled = new Set<Upstream>();
  /** Why the last attempt failed as a whole; null when it did not. */
  #failure: VendorFailure | null = null;
  #retries = 0;
  readonly #running = new Set<Attempt>();
  /** Resolved when the choice of the next upstream may have changed. */
  #change = Promise.withResolvers<void>();

  constructor(
    private readonly pieces: readonly string[],
    private readonly context: RequestContext,
  ) {
    this.#open = pieces.map((_, at) => at);
    this.#outcomes = pieces.map(() => undefined);
  }

  /** One outcome per piece; never throws. */
  async run(): Promise<readonly PieceOutcome[]> {
    while (this.#open.length > 0 && !this.#isFinal) {
      const { upstream, events, ms } = this.#mayAsk ? this.#next() : NOBODY;
      if (upstream !== null) void this.#ask(upstream);
      else if (this.#running.size > 0 || events.length > 0 || ms < Number.POSITIVE_INFINITY)
        await this.#first([this.#change.promise, ...events], ms);
      else break;
    }
    for (const { stop } of this.#running) stop.abort(OVERTAKEN);
    if (this.#open.length > 1 && this.#failure !== null && FAILURE_RULES[this.#failure.kind].byOneText)
      await this.#divide();
    return this.#outcomes.map((one) => one ?? notAsked());
  }

  get #mayAsk(): boolean {
    return !this.context.signal.aborted && this.#hasTimeAfter(0) && [...this.#running].every(({ isSlow }) => isSlow);
  }

  get #isFinal(): boolean {
    return this.#failure !== null && FAILURE_RULES[this.#failure.kind].final;
  }

  async #ask(upstream: Upstream): Promise<void> {
    const { failed } = this.context;
    const isRetry = this.#stumbled.has(upstream) || failed.has(upstream);
    if (isRetry) this.#retries++;
    this.#tried.add(upstream);
    const { controller: stop, release } = linkedAbort(this.context.signal);
    const attempt: Attempt = { upstream, stop, isSlow: false };
    this.#running.add(attempt);
    const asked = this.#open;
    try {
      const answer = await this.#answerOf(attempt);
      if (stop.signal.reason === OVERTAKEN) return;
      if (answer === null) return void this.#tried.delete(upstream);
      this.#failure = null;
      // An attempt that began before the upstream failed proves nothing.
      if (isRetry) failed.delete(upstream);
      const { record } = upstream.account;
      const by = record && { by: record };
      const given = answer.texts.map((text, place) => ({ text, detected: answer.detected[place] ?? null, ...by }));
      // Another one may have answered some of them meanwhile.
      this.#open = this.#open.filter((at) => !this.#accepts(at, given[asked.indexOf(at)], upstream));
    } catch (error) {
      if (stop.signal.reason === OVERTAKEN) return;
      const why = error instanceof VendorFailure ? error : new VendorFailure('transient', String(error));
      this.#failed(upstream, why);
      // The first failure is reported: the later ones are often its consequences.
      for (const at of this.#open) this.#outcomes[at] ??= why;
    } finally {
      release();
      this.#running.delete(attempt);
      this.#wake();
    }
  }

  /** Sends everything still open. An attempt is slow when half of its time has passed since it left the queue. */
  async #answerOf(attempt: Attempt): Promise<VendorAnswer | null> {
    const { upstream, stop } = attempt;
    const { source, target, terms, register, deadline, family, slow, attempts, time } = this.context;
    const texts = this.#open.map((at) => this.#piece(at));
    let cancelTimer = (): void => undefined;
    const onSent = (): void => {
      const mostMs = Math.min(upstream.requestMs, deadline - time.now());
      cancelTimer = time.after(mostMs / 2, () => {
        attempt.isSlow = true;
        slow.add(upstream);
        attempts.add(`${upstream.name} slow`);
        this.#wake();
      });
    };
    try {
      return await upstream.send({
        chars: this.#openChars,
        family,
        deadline,
        signal: stop.signal,
        onSent,
        work: (client, signal) => client.translate({ texts, source, target, terms, register, signal }),
      });
    } finally {
      cancelTimer();
    }
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  #failed(upstream: Upstream, why: VendorFailure): void {
    const { failed, attempts } = this.context;
    this.#failure = why;
    attempts.add(`${upstream.name} ${why.kind}`);
    if (why instanceof NoAnswer) for (const at of this.#open) this.#suspect(at, upstream);
    // A rate refusal is handled by the queue: the request queues again here, or at another upstream that is free sooner.
    if (why.kind === 'rate' && !(why instanceof NoTurn || why instanceof QueueFull)) this.#tried.delete(upstream);
    const { account, passes } = FAILURE_RULES[why.kind];
    if (!account) return;
    if (passes) this.#stumbled.add(upstream);
    else this.#stumbled.delete(upstream);
    const now = this.context.time.now();
    const last = failed.get(upstream);
    const retries = last === undefined ? 0 : last.retries + Number(now >= last.readyAt);
    failed.set(upstream, { retries, readyAt: passes ? now + backoffMs(retries, why) : Number.POSITIVE_INFINITY });
  }

  #accepts(at: number, given: PieceAnswer | undefined, upstream: Upstream): boolean {
    const { source, target } = this.context;
    // A text that is in the target language already rightly comes back unchanged.
    const atHome = source === null && given?.detected === target;
    const flaw = atHome ? null : qualityIssueOf(this.#piece(at), given?.text ?? '', { source, target });
    if (given !== undefined && flaw === null) {
      this.#outcomes[at] = given;
      // Only now is the text cleared: one that nobody can translate must not open the breaker of an upstream for everybody.
      for (const suspect of this.#suspects.get(at) ?? []) this.#blame(suspect);
      return true;
    }
    const failure = new VendorFailure('bad-answer', `${upstream.name}: ${flaw}`);
    this.#outcomes[at] = failure;
    upstream.note(failure);
    this.context.attempts.add(`${upstream.name} bad-answer`);
    this.#suspect(at, upstream);
    return false;
  }

  #suspect(at: number, upstream: Upstream): void {
    this.#suspects.set(at, [...(this.#suspects.get(at) ?? []), upstream]);
  }

  /** Once per request, however many texts it held. */
  #blame(suspect: Upstream): void {
    if (!this.#blamed.has(suspect)) suspect.blame();
    this.#blamed.add(suspect);
  }

  #next(): Next {
    const chars = this.#openChars;
    const load = { chars, family: this.context.family };
    const [others, again] = [this.#others(), this.#again()];
    // Before looking who is ready: one whose pause ends in between is then among those.
    const soonest = Math.min(...[...others, ...again].map((upstream) => this.#comesBackIn(upstream)));
    const ready = again.filter((upstream) => this.#readyIn(upstream) === 0);
    const isFree = others.some((upstream) => upstream.admits && upstream.isFree(chars));
    const chosen = this.context.balancer.pick(isFree ? others : [...others, ...ready], load);
    if (chosen !== null && (isFree || chosen.delay(load) <= soonest)) return { ...NOBODY, upstream: chosen };
    // A probe under way will soon say whether its upstream works again.
    const probes = [...others, ...again].flatMap(({ probe }) => (probe === null ? [] : [probe]));
    const isWorthWaiting = probes.length > 0 || soonest < Number.POSITIVE_INFINITY;
    return isWorthWaiting ? { upstream: null, events: probes, ms: soonest } : { ...NOBODY, upstream: chosen };
  }

  /** Upstreams that failed and may be retried after their backoff. */
  #again(): readonly Upstream[] {
    if (this.#retries >= RETRIES) return [];
    const { upstreams, failed } = this.context;
    return upstreams.filter((one) => !this.#isRunning(one) && (this.#stumbled.has(one) || failed.has(one)));
  }

  /** What is left of an upstream's backoff, its breaker aside. */
  #readyIn(upstream: Upstream): number {
    const { readyAt } = this.context.failed.get(upstream) ?? { readyAt: 0 };
    return Math.max(0, readyAt - this.context.time.now());
  }

  /** In how many milliseconds an upstream is worth another look; Infinity: not within this request. */
  #comesBackIn(upstream: Upstream): number {
    const { openFor } = upstream;
    const wait = Math.max(openFor, this.#readyIn(upstream));
    const isWorthIt = wait > 0 && openFor <= this.context.recoveryMs && this.#hasTimeAfter(wait);
    return isWorthIt ? wait : Number.POSITIVE_INFINITY;
  }

  /** Waits until one of the events settles, `ms` have passed or the caller is gone. */
  async #first(events: readonly Promise<unknown>[], ms: number): Promise<void> {
    const { signal, time } = this.context;
    const over = Promise.withResolvers<void>();
    const cancelTimer = ms === Number.POSITIVE_INFINITY ? over.resolve : time.after(ms, over.resolve);
    await untilAborted(Promise.race([...events, over.promise]), signal).catch(() => undefined);
    cancelTimer();
  }

  /** Sends two halves when one piece may have failed all of them. */
  async #divide(): Promise<void> {
    const middle = Math.ceil(this.#open.length / 2);
    const halves = [this.#open.slice(0, middle), this.#open.slice(middle)];
    const runs = halves.map((half) =>
      new FailoverRequest(
        half.map((at) => this.#piece(at)),
        this.context,
      ).run(),
    );
    for (const [which, outcomes] of (await Promise.all(runs)).entries())
      for (const [place, outcome] of outcomes.entries()) {
        const at = halves[which]?.[place];
        // Alone, each text has its own reason.
        if (at !== undefined && !isNotAsked(outcome)) this.#outcomes[at] = outcome;
      }
  }

  /** Upstreams not asked yet; those found slow only when no others are left. */
  #others(): readonly Upstream[] {
    const { upstreams, failed, slow } = this.context;
    const others = upstreams.filter((one) => !this.#tried.has(one) && !failed.has(one));
    const quick = others.filter((one) => !slow.has(one));
    return quick.some(({ admits }) => admits) ? quick : others;
  }

  #isRunning(upstream: Upstream): boolean {
    return [...this.#running].some((attempt) => attempt.upstream === upstream);
  }

  #hasTimeAfter(ms: number): boolean {
    return this.context.time.now() + ms <= this.context.deadline - LEAST_MS;
  }

  get #openChars(): number {
    return this.#open.reduce((sum, at) => sum + codePoints(this.#piece(at)), 0);
  }

  #piece(at: number): string {
    return this.pieces[at] ?? '';
  }
}

const NOT_ASKED = 'no upstream may be asked now';
const notAsked = (): VendorFailure => new VendorFailure('transient', NOT_ASKED);
const isNotAsked = (outcome: PieceOutcome): boolean =>
  outcome instanceof VendorFailure && outcome.message === NOT_ASKED;
