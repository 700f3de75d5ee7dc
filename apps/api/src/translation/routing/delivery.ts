import { codePoints } from '@yiqiao/domain/members';
import { VendorFailure } from '../channels/vendor.js';
import { flawOf } from '../text/flaw.js';
import type { Errand, PieceAnswer, PieceOutcome, Ways } from './errand.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './failure-rules.js';
import { LEAST_MS, type Upstream } from './upstream.js';

/** The way of one vendor request through the accounts of its channel: on to the next when one fails, until it is answered or time is up. */
export class Delivery {
  /** Of each piece, in their order: the answer, or why there is none so far; nothing before anybody was asked. */
  readonly #outcomes: (PieceOutcome | undefined)[];
  /** Pieces without an answer. */
  #open: readonly number[];
  readonly #tried = new Set<Upstream>();
  /** Who answered a piece with something that was no translation of it. */
  readonly #suspects = new Map<number, Upstream[]>();
  /** Why the last request failed as a whole; null when it did not. */
  #failure: { readonly of: Upstream; readonly why: VendorFailure } | null = null;
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
    if (this.#open.length > 1 && this.#failure !== null && FAILURE_RULES[this.#failure.why.kind].byOneText)
      await this.#divide();
    return this.#outcomes.map((one) => one ?? new VendorFailure('transient', 'no upstream may be asked now'));
  }

  get #isFinal(): boolean {
    return this.#failure !== null && FAILURE_RULES[this.#failure.why.kind].final;
  }

  async #ask(upstream: Upstream): Promise<void> {
    const { source, target, signal, deadline, failed } = this.errand;
    const patienceMs = this.#patienceWith(upstream);
    const isFirst = this.#tried.size === 0;
    this.#tried.add(upstream);
    const asked = this.#open;
    const texts = asked.map((at) => this.#piece(at));
    try {
      const answer = await upstream.ask({ texts, source, target, signal, deadline, patienceMs });
      if (answer === null) return void this.#tried.delete(upstream);
      this.#failure = null;
      failed.delete(upstream);
      const given = answer.texts.map((text, place) => ({ text, detected: answer.detected[place] ?? null }));
      this.#open = asked.filter((at, place) => !this.#accepts(at, given[place], upstream));
    } catch (error) {
      const why = error instanceof VendorFailure ? error : new VendorFailure('transient', String(error));
      this.#failure = { of: upstream, why };
      if (FAILURE_RULES[why.kind].account) failed.add(upstream);
      // What happened first is what is told: the rest is often only its consequence.
      if (isFirst) for (const at of asked) this.#outcomes[at] = why;
    }
  }

  #accepts(at: number, given: PieceAnswer | undefined, upstream: Upstream): boolean {
    const { source, target } = this.errand;
    // A text that turns out to be in the target language rightly comes back as it is.
    const atHome = source === null && given?.detected === target;
    const flaw = atHome ? null : flawOf(this.#piece(at), given?.text ?? '', { source, target });
    if (given !== undefined && flaw === null) {
      this.#outcomes[at] = given;
      // Only now it is sure that it was not the text: one that nobody can translate must not close an upstream to everybody.
      for (const suspect of this.#suspects.get(at) ?? []) suspect.blame();
      return true;
    }
    this.#outcomes[at] = new VendorFailure('bad-answer', `${upstream.name}: ${flaw}`);
    this.#suspects.set(at, [...(this.#suspects.get(at) ?? []), upstream]);
    return false;
  }

  /** Who is asked now; null when nobody is left, or no time. */
  async #next(): Promise<Upstream | null> {
    const { choice } = this.ways;
    for (;;) {
      if (this.errand.signal.aborted || !this.#hasTimeAfter(0)) return null;
      const others = this.#others();
      const chars = this.#open.reduce((sum, at) => sum + codePoints(this.#piece(at)), 0);
      const chosen = choice.of(others, chars);
      if (chosen !== null) return chosen;
      const probes = others.flatMap(({ probe }) => (probe === null ? [] : [probe]));
      if (probes.length === 0) return this.#again();
      // Whether an upstream works again is about to be known.
      await this.#unlessGone(Promise.race(probes));
    }
  }

  /** The only upstream that there is, once more, after a while. */
  async #again(): Promise<Upstream | null> {
    if (this.#failure === null || this.#tried.size > 1 || this.#retries >= RETRIES) return null;
    const { of: upstream, why } = this.#failure;
    const wait = backoffMs(this.#retries, why);
    if (!FAILURE_RULES[why.kind].passes || !upstream.admits || !this.#hasTimeAfter(wait)) return null;
    this.#retries++;
    const over = Promise.withResolvers<void>();
    const stop = this.ways.time.after(wait, over.resolve);
    await this.#unlessGone(over.promise);
    stop();
    return this.errand.signal.aborted || !upstream.admits ? null : upstream;
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
        if (at !== undefined && !(outcome instanceof VendorFailure)) this.#outcomes[at] = outcome;
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
