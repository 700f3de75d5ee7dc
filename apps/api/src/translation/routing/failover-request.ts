import { codePoints } from '@yiqiao/domain/members';
import type { PairTerms } from '@yiqiao/domain/glossary';
import { NoAnswer, type VendorAnswer, VendorFailure } from '../channels/vendor.js';
import { qualityIssueOf } from '../text/quality-check.js';
import type { LoadBalancer } from './load-balancer.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './retry-policy.js';
import type { Time } from './time.js';
import { LEAST_MS, NoTurn, OVERTAKEN, QueueFull, type Upstream } from './upstream.js';

/** What one request of a member asks of a channel's upstreams, in however many parts. */
export type RequestContext = {
  readonly source: string | null;
  readonly target: string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** The accounts that can do this pair. */
  readonly upstreams: readonly Upstream[];
  /** Whose it is. */
  readonly family: number;
  /** What the vendor itself is to see to. */
  readonly terms?: PairTerms | null | undefined;
  /** How long it may wait for upstreams whose breakers are open, in milliseconds. */
  readonly recoveryMs: number;
  /** Those that have failed this errand: they are asked for no part of it any more, unless that passes. */
  readonly failed: Map<Upstream, Backoff>;
  /** Those that have not answered this errand in half of their time: others are asked first from then on. */
  readonly slow: Set<Upstream>;
  /** Who failed how, for the log. */
  readonly attempts: Set<string>;
};

export type Backoff = {
  /** How often it was asked again in vain. */
  readonly retries: number;
  /** When it may be asked again: milliseconds since 1970; Infinity: never. */
  readonly readyAt: number;
};

/** What a channel's errands share. */
export type Ways = { readonly choice: LoadBalancer; readonly time: Time };

/** A piece is what goes to a vendor as one text: a text of a member, or a part of one. `detected`: a langCode. */
export type PieceAnswer = { readonly text: string; readonly detected: string | null };
export type PieceOutcome = PieceAnswer | VendorFailure;

/** One upstream that is asked. */
type Attempt = {
  readonly upstream: Upstream;
  readonly stop: AbortController;
  /** It has not answered in half of its time: another one may be asked beside it. */
  isSlow: boolean;
};

/** Whom to ask now; null: nobody. Then it pays to look again when one of the `events` is over, or after so many milliseconds. */
type Next = { readonly upstream: Upstream | null; readonly events: readonly Promise<unknown>[]; readonly ms: number };
const NOBODY: Next = { upstream: null, events: [], ms: Number.POSITIVE_INFINITY };

/**
 * The way of one vendor request through the accounts of its channel: on to the next when one fails, and to one more when one is slow, until
 * it is answered or time is up. The first good answer counts, and those who are still asked then are given up.
 */
export class FailoverRequest {
  /** Of each piece, in their order: the answer, or why there is none so far; nothing before anybody was asked. */
  readonly #outcomes: (PieceOutcome | undefined)[];
  /** Pieces without an answer. */
  #open: readonly number[];
  readonly #tried = new Set<Upstream>();
  /** Who answered a piece with something that was no translation of it. */
  readonly #suspects = new Map<number, Upstream[]>();
  readonly #blamed = new Set<Upstream>();
  /** Those that failed here in a way that may pass. */
  readonly #stumbled = new Set<Upstream>();
  /** Why the last request failed as a whole; null when it did not. */
  #failure: VendorFailure | null = null;
  #retries = 0;
  readonly #running = new Set<Attempt>();
  /** Something has changed that decides who is asked next. */
  #news = Promise.withResolvers<void>();

  constructor(
    private readonly pieces: readonly string[],
    private readonly errand: RequestContext,
    private readonly ways: Ways,
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
        await this.#first([this.#news.promise, ...events], ms);
      else break;
    }
    for (const { stop } of this.#running) stop.abort(OVERTAKEN);
    if (this.#open.length > 1 && this.#failure !== null && FAILURE_RULES[this.#failure.kind].byOneText)
      await this.#divide();
    return this.#outcomes.map((one) => one ?? notAsked());
  }

  get #mayAsk(): boolean {
    return !this.errand.signal.aborted && this.#hasTimeAfter(0) && [...this.#running].every(({ isSlow }) => isSlow);
  }

  get #isFinal(): boolean {
    return this.#failure !== null && FAILURE_RULES[this.#failure.kind].final;
  }

  async #ask(upstream: Upstream): Promise<void> {
    const { failed } = this.errand;
    const isRetry = this.#stumbled.has(upstream) || failed.has(upstream);
    if (isRetry) this.#retries++;
    this.#tried.add(upstream);
    const leg: Attempt = { upstream, stop: new AbortController(), isSlow: false };
    this.#running.add(leg);
    const asked = this.#open;
    try {
      const answer = await this.#answerOf(leg);
      if (leg.stop.signal.reason === OVERTAKEN) return;
      if (answer === null) return void this.#tried.delete(upstream);
      this.#failure = null;
      // What was under way before it failed says nothing.
      if (isRetry) failed.delete(upstream);
      const given = answer.texts.map((text, place) => ({ text, detected: answer.detected[place] ?? null }));
      // Another one may have answered some of them meanwhile.
      this.#open = this.#open.filter((at) => !this.#accepts(at, given[asked.indexOf(at)], upstream));
    } catch (error) {
      if (leg.stop.signal.reason === OVERTAKEN) return;
      const why = error instanceof VendorFailure ? error : new VendorFailure('transient', String(error));
      this.#failed(upstream, why);
      // What happened first is what is told: the rest is often only its consequence.
      for (const at of this.#open) this.#outcomes[at] ??= why;
    } finally {
      this.#running.delete(leg);
      this.#wake();
    }
  }

  /** Asks for all that is open. In half of the time that it may take it is slow, from the moment that it is sent. */
  async #answerOf(leg: Attempt): Promise<VendorAnswer | null> {
    const { upstream, stop } = leg;
    const { source, target, terms, signal, deadline, family, slow, attempts } = this.errand;
    const texts = this.#open.map((at) => this.#piece(at));
    let stopAlarm = (): void => undefined;
    const onSent = (): void => {
      const mostMs = Math.min(upstream.limits.requestMs, deadline - this.ways.time.now());
      stopAlarm = this.ways.time.after(mostMs / 2, () => {
        leg.isSlow = true;
        slow.add(upstream);
        attempts.add(`${upstream.name} slow`);
        this.#wake();
      });
    };
    const leave = (): void => stop.abort();
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    try {
      return await upstream.ask({ texts, source, target, terms, signal: stop.signal, deadline, family, onSent });
    } finally {
      stopAlarm();
      signal.removeEventListener('abort', leave);
    }
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  #failed(upstream: Upstream, why: VendorFailure): void {
    const { failed, attempts } = this.errand;
    this.#failure = why;
    attempts.add(`${upstream.name} ${why.kind}`);
    if (why instanceof NoAnswer) for (const at of this.#open) this.#suspect(at, upstream);
    // Its pace is its own matter: this request queues up with it again, or with another one where that is sooner.
    if (why.kind === 'rate' && !(why instanceof NoTurn || why instanceof QueueFull)) this.#tried.delete(upstream);
    const { account, passes } = FAILURE_RULES[why.kind];
    if (!account) return;
    if (passes) this.#stumbled.add(upstream);
    else this.#stumbled.delete(upstream);
    const now = this.ways.time.now();
    const last = failed.get(upstream);
    const retries = last === undefined ? 0 : last.retries + Number(now >= last.readyAt);
    failed.set(upstream, { retries, readyAt: passes ? now + backoffMs(retries, why) : Number.POSITIVE_INFINITY });
  }

  #accepts(at: number, given: PieceAnswer | undefined, upstream: Upstream): boolean {
    const { source, target } = this.errand;
    // A text that turns out to be in the target language rightly comes back as it is.
    const atHome = source === null && given?.detected === target;
    const flaw = atHome ? null : qualityIssueOf(this.#piece(at), given?.text ?? '', { source, target });
    if (given !== undefined && flaw === null) {
      this.#outcomes[at] = given;
      // Only now it is sure that it was not the text: one that nobody can translate must not close an upstream to everybody.
      for (const suspect of this.#suspects.get(at) ?? []) this.#blame(suspect);
      return true;
    }
    const failure = new VendorFailure('bad-answer', `${upstream.name}: ${flaw}`);
    this.#outcomes[at] = failure;
    upstream.note(failure);
    this.errand.attempts.add(`${upstream.name} bad-answer`);
    this.#suspect(at, upstream);
    return false;
  }

  #suspect(at: number, upstream: Upstream): void {
    this.#suspects.set(at, [...(this.#suspects.get(at) ?? []), upstream]);
  }

  /** For one request once, however many texts it held. */
  #blame(suspect: Upstream): void {
    if (!this.#blamed.has(suspect)) suspect.blame();
    this.#blamed.add(suspect);
  }

  #next(): Next {
    const { choice } = this.ways;
    const chars = this.#open.reduce((sum, at) => sum + codePoints(this.#piece(at)), 0);
    const load = { chars, family: this.errand.family };
    const [others, again] = [this.#others(), this.#again()];
    const ready = again.filter((upstream) => this.#readyIn(upstream) === 0);
    const isFree = others.some((upstream) => upstream.admits && upstream.isFree(chars));
    const chosen = choice.pick(isFree ? others : [...others, ...ready], load);
    const soonest = Math.min(...[...others, ...again].map((upstream) => this.#comesBackIn(upstream)));
    if (chosen !== null && (isFree || chosen.delay(load) <= soonest)) return { ...NOBODY, upstream: chosen };
    // Whether an upstream works again is about to be known.
    const probes = [...others, ...again].flatMap(({ probe }) => (probe === null ? [] : [probe]));
    const isWorthWaiting = probes.length > 0 || soonest < Number.POSITIVE_INFINITY;
    return isWorthWaiting ? { upstream: null, events: probes, ms: soonest } : { ...NOBODY, upstream: chosen };
  }

  /** Those that have failed and may be asked once more, after a while. */
  #again(): readonly Upstream[] {
    if (this.#retries >= RETRIES) return [];
    const { upstreams, failed } = this.errand;
    return upstreams.filter((one) => !this.#isRunning(one) && (this.#stumbled.has(one) || failed.has(one)));
  }

  /** How long an upstream that has failed must still be left alone, its breaker aside. */
  #readyIn(upstream: Upstream): number {
    const { readyAt } = this.errand.failed.get(upstream) ?? { readyAt: 0 };
    return Math.max(0, readyAt - this.ways.time.now());
  }

  /** When it pays to look at an upstream again that cannot be asked now; Infinity: it does not. */
  #comesBackIn(upstream: Upstream): number {
    const { openFor } = upstream;
    const wait = Math.max(openFor, this.#readyIn(upstream));
    const isWorthIt = wait > 0 && openFor <= this.errand.recoveryMs && this.#hasTimeAfter(wait);
    return isWorthIt ? wait : Number.POSITIVE_INFINITY;
  }

  /** Until one of these ends or so much time has passed. */
  async #first(events: readonly Promise<unknown>[], ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const stop = ms === Number.POSITIVE_INFINITY ? over.resolve : this.ways.time.after(ms, over.resolve);
    await this.#unlessGone(Promise.race([...events, over.promise]));
    stop();
  }

  /** When all failed together because of one of them, the others may be translated without it. */
  async #divide(): Promise<void> {
    const middle = Math.ceil(this.#open.length / 2);
    const halves = [this.#open.slice(0, middle), this.#open.slice(middle)];
    const runs = halves.map((half) =>
      new FailoverRequest(
        half.map((at) => this.#piece(at)),
        this.errand,
        this.ways,
      ).run(),
    );
    for (const [which, outcomes] of (await Promise.all(runs)).entries())
      for (const [place, outcome] of outcomes.entries()) {
        const at = halves[which]?.[place];
        // Alone, each text has its own reason.
        if (at !== undefined && !isNotAsked(outcome)) this.#outcomes[at] = outcome;
      }
  }

  /** Those that this errand has not asked, nor found slow while others are left. */
  #others(): readonly Upstream[] {
    const { upstreams, failed, slow } = this.errand;
    const others = upstreams.filter((one) => !this.#tried.has(one) && !failed.has(one));
    const quick = others.filter((one) => !slow.has(one));
    return quick.some(({ admits }) => admits) ? quick : others;
  }

  #isRunning(upstream: Upstream): boolean {
    return [...this.#running].some((leg) => leg.upstream === upstream);
  }

  #hasTimeAfter(ms: number): boolean {
    return this.ways.time.now() + ms <= this.errand.deadline - LEAST_MS;
  }

  #piece(at: number): string {
    return this.pieces[at] ?? '';
  }

  /** Waits for `event`, as long as anybody waits for this errand. */
  async #unlessGone(event: Promise<unknown>): Promise<void> {
    const { signal } = this.errand;
    const gone = Promise.withResolvers<void>();
    const leave = (): void => gone.resolve();
    signal.addEventListener('abort', leave);
    await Promise.race([event, gone.promise]);
    signal.removeEventListener('abort', leave);
  }
}

const NOT_ASKED = 'no upstream may be asked now';
const notAsked = (): VendorFailure => new VendorFailure('transient', NOT_ASKED);
const isNotAsked = (outcome: PieceOutcome): boolean =>
  outcome instanceof VendorFailure && outcome.message === NOT_ASKED;
