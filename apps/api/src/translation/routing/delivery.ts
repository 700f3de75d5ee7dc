import { codePoints } from '@yiqiao/domain/members';
import { NoAnswer, VendorFailure } from '../channels/vendor.js';
import { flawOf } from '../text/flaw.js';
import type { Errand, PieceAnswer, PieceOutcome, Ways } from './errand.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './failure-rules.js';
import { LEAST_MS, NoTurn, type Upstream } from './upstream.js';

/** The way of one vendor request through the accounts of its channel: on to the next when one fails, until it is answered or time is up. */
export class Delivery {
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

  constructor(
    private readonly pieces: readonly string[],
    private readonly errand: Errand,
    private readonly ways: Ways,
  ) {
    this.#open = pieces.map((_, at) => at);
    this.#outcomes = pieces.map(() => undefined);
  }

  /** One outcome per piece; never throws. */
  async run(): Promise<readonly PieceOutcome[]> {
    while (this.#open.length > 0 && !this.#isFinal) {
      const upstream = await this.#next();
      if (upstream === null) break;
      await this.#ask(upstream);
    }
    if (this.#open.length > 1 && this.#failure !== null && FAILURE_RULES[this.#failure.kind].byOneText)
      await this.#divide();
    return this.#outcomes.map((one) => one ?? notAsked());
  }

  get #isFinal(): boolean {
    return this.#failure !== null && FAILURE_RULES[this.#failure.kind].final;
  }

  async #ask(upstream: Upstream): Promise<void> {
    const { source, target, signal, deadline, family, failed } = this.errand;
    const patienceMs = this.#patienceWith(upstream);
    const isRetry = this.#stumbled.has(upstream) || failed.has(upstream);
    if (isRetry) this.#retries++;
    this.#tried.add(upstream);
    const asked = this.#open;
    const texts = asked.map((at) => this.#piece(at));
    try {
      const answer = await upstream.ask({ texts, source, target, signal, deadline, patienceMs, family });
      if (answer === null) return void this.#tried.delete(upstream);
      this.#failure = null;
      // What was under way before it failed says nothing.
      if (isRetry) failed.delete(upstream);
      const given = answer.texts.map((text, place) => ({ text, detected: answer.detected[place] ?? null }));
      this.#open = asked.filter((at, place) => !this.#accepts(at, given[place], upstream));
    } catch (error) {
      const why = error instanceof VendorFailure ? error : new VendorFailure('transient', String(error));
      this.#failed(upstream, why);
      // What happened first is what is told: the rest is often only its consequence.
      for (const at of asked) this.#outcomes[at] ??= why;
    }
  }

  #failed(upstream: Upstream, why: VendorFailure): void {
    const { failed, attempts } = this.errand;
    this.#failure = why;
    attempts.add(`${upstream.name} ${why.kind}`);
    if (why instanceof NoAnswer) for (const at of this.#open) this.#suspect(at, upstream);
    // Its pace is its own matter: this request queues up with it again, or with another one where that is sooner.
    if (why.kind === 'rate' && !(why instanceof NoTurn)) this.#tried.delete(upstream);
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
    const flaw = atHome ? null : flawOf(this.#piece(at), given?.text ?? '', { source, target });
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

  /** Who is asked now; null when nobody is left, or no time. */
  async #next(): Promise<Upstream | null> {
    const { choice } = this.ways;
    for (;;) {
      if (this.errand.signal.aborted || !this.#hasTimeAfter(0)) return null;
      const chars = this.#open.reduce((sum, at) => sum + codePoints(this.#piece(at)), 0);
      const load = { chars, family: this.errand.family };
      const [others, again] = [this.#others(), this.#again()];
      const ready = again.filter((upstream) => this.#readyIn(upstream) === 0);
      const isFree = others.some((upstream) => upstream.admits && upstream.isFree(chars));
      const chosen = choice.of(isFree ? others : [...others, ...ready], load);
      const soonest = Math.min(...[...others, ...again].map((upstream) => this.#comesBackIn(upstream)));
      if (chosen !== null && (isFree || chosen.delay(load) <= soonest)) return chosen;
      // Whether an upstream works again is about to be known.
      const probes = [...others, ...again].flatMap(({ probe }) => (probe === null ? [] : [probe]));
      if (probes.length === 0 && soonest === Number.POSITIVE_INFINITY) return chosen;
      await this.#first(probes, soonest);
    }
  }

  /** Those that have failed and may be asked once more, after a while. */
  #again(): readonly Upstream[] {
    if (this.#retries >= RETRIES) return [];
    return this.errand.upstreams.filter((one) => this.#stumbled.has(one) || this.errand.failed.has(one));
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
      new Delivery(
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

  /** While another upstream is left, one that hangs gets half of the time at the most. */
  #patienceWith(upstream: Upstream): number {
    const { requestMs } = upstream.limits;
    const most = Math.min(requestMs, this.errand.deadline - this.ways.time.now());
    return this.#others().some((other) => other !== upstream && other.admits) ? most / 2 : most;
  }

  #others(): readonly Upstream[] {
    return this.errand.upstreams.filter((one) => !this.#tried.has(one) && !this.errand.failed.has(one));
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
