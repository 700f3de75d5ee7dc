import { Logger } from '@nestjs/common';
import type { VendorAccount } from '../channels/account.js';
import { VendorFailure } from '../channels/vendor.js';
import { Breaker, type Pass } from './breaker.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './retry-policy.js';
import { FailureLog } from './upstream.js';
import { RateLimiter } from './rate-limiter.js';
import type { Time } from './time.js';
import { WeightedRoundRobin } from './load-balancer.js';

/** What is asked, whose it is, and until when anybody waits (milliseconds since 1970). */
export type Call<C, T> = {
  readonly family: number;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly work: (client: C, signal: AbortSignal) => Promise<T>;
};

export type CallRules = {
  /** What it is, for the log: `transcription`. */
  readonly name: string;
  /** Requests at the same time over one account. */
  readonly inFlight: number;
  /** How long one request may take. */
  readonly requestMs: number;
};

/** A server that has no such thing is asked again after this: somebody may have given it one. */
const LACKS_MS = 10 * 60_000;
/** Nothing is sent that has less time than this for its answer. */
const LEAST_MS = 500;

type Post<C> = {
  readonly name: string;
  readonly weight: number;
  readonly client: C;
  readonly breaker: Breaker;
  readonly pacer: RateLimiter;
  readonly failures: FailureLog;
  lacksUntil: number;
};

/**
 * Asks the accounts of a vendor for something other than text, one after another until one delivers. Such work has breakers and a pace of
 * its own: vendors limit it apart from text, and one that cannot speak translates as well as ever.
 */
export class MediaUpstreams<C> {
  readonly #posts: readonly Post<C>[];
  readonly #order = new WeightedRoundRobin<Post<C>>();
  readonly #log = new Logger('Upstream');

  constructor(
    accounts: readonly { readonly account: Omit<VendorAccount, 'key' | 'secret'>; readonly client: C }[],
    private readonly rules: CallRules,
    private readonly time: Time,
  ) {
    this.#posts = accounts.map(({ account, client }) => this.#post(account, client));
  }

  /** Whether anybody is known to have it, or not known to have it not. */
  get isOffered(): boolean {
    return this.#posts.some((post) => !this.#lacks(post));
  }

  /** Throws VendorFailure and nothing else: `unsupported` when no account has it, `timeout` when time is up. */
  async ask<T>(call: Call<C, T>): Promise<T> {
    const tried = new Set<Post<C>>();
    let [failure, retries]: [VendorFailure | null, number] = [null, 0];
    for (;;) {
      const post = this.#next(tried);
      if (post === null) {
        if (!this.isOffered) throw failure ?? new VendorFailure('unsupported', `nobody offers ${this.rules.name}`);
        const again = failure !== null && mayPass(failure) && retries < RETRIES;
        if (!again || failure === null || !(await this.#pause(backoffMs(retries++, failure), call)))
          throw failure ?? new VendorFailure('transient', `nobody may be asked for ${this.rules.name} now`);
        tried.clear();
        continue;
      }
      tried.add(post);
      try {
        return await this.#send(post, call);
      } catch (error) {
        const why = error instanceof VendorFailure ? error : unexpected(error);
        // What happened first is what is told, unless it was nothing but a lack.
        failure = failure === null || failure.kind === 'unsupported' ? why : failure;
        if (FAILURE_RULES[why.kind].final || call.signal.aborted) throw why;
      }
    }
  }

  #post(account: Omit<VendorAccount, 'key' | 'secret'>, client: C): Post<C> {
    const name = `${account.code}/${account.name}`;
    const pace = { requestsPerSecond: account.requestsPerSecond, charsPerMinute: null, day: null };
    const pacer = new RateLimiter({ ...pace, inFlight: this.rules.inFlight }, this.time);
    const breaker = new Breaker(this.time, (change) => {
      if (change.to === 'open') pacer.flush();
      this.#log.warn({ msg: 'an upstream changed', upstream: `${name} ${this.rules.name}`, ...change });
    });
    const failures = new FailureLog(`${name} ${this.rules.name}`, this.time);
    return { name, weight: account.weight, client, breaker, pacer, failures, lacksUntil: 0 };
  }

  #lacks({ lacksUntil }: Post<C>): boolean {
    return this.time.now() < lacksUntil;
  }

  #next(tried: ReadonlySet<Post<C>>): Post<C> | null {
    const [first, ...rest] = this.#posts.filter(
      (post) => !tried.has(post) && !this.#lacks(post) && post.breaker.admits,
    );
    return first ? this.#order.next([first, ...rest]) : null;
  }

  async #send<T>(post: Post<C>, call: Call<C, T>): Promise<T> {
    const { signal, deadline, family } = call;
    const until = deadline - LEAST_MS;
    if (!(await post.pacer.enter({ chars: 1, until, family, signal })))
      throw new VendorFailure(signal.aborted ? 'timeout' : 'rate', `${post.name}: no turn in time`);
    try {
      const pass = post.breaker.admit();
      if (pass === null) throw new VendorFailure('transient', `${post.name}: given up meanwhile`);
      return await this.#through(post, pass, call);
    } finally {
      post.pacer.leave();
    }
  }

  async #through<T>(post: Post<C>, pass: Pass, { signal, deadline, work }: Call<C, T>): Promise<T> {
    const attempt = new AbortController();
    const giveUp = (): void => attempt.abort();
    const stopAlarm = this.time.after(Math.min(this.rules.requestMs, deadline - this.time.now()), giveUp);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    try {
      const answer = await work(post.client, attempt.signal);
      pass.succeeded();
      post.pacer.resume();
      return answer;
    } catch (error) {
      const failure = error instanceof VendorFailure ? error : unexpected(error);
      if (failure.kind === 'unsupported') post.lacksUntil = this.time.now() + LACKS_MS;
      if (failure.kind === 'rate') post.pacer.pause(failure.retryAfterMs);
      post.failures.note(failure);
      if (signal.aborted && this.time.now() < deadline) pass.dropped();
      else pass.failed(failure.kind, failure.retryAfterMs);
      throw failure;
    } finally {
      stopAlarm();
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Whether there is still time after it. */
  async #pause(ms: number, { signal, deadline }: Call<C, unknown>): Promise<boolean> {
    if (signal.aborted || this.time.now() + ms + LEAST_MS > deadline) return false;
    const over = Promise.withResolvers<void>();
    const leave = (): void => over.resolve();
    const stop = this.time.after(ms, leave);
    signal.addEventListener('abort', leave);
    await over.promise;
    stop();
    signal.removeEventListener('abort', leave);
    return !signal.aborted;
  }
}

/** Too fast is too fast only for a while. */
const mayPass = ({ kind }: VendorFailure): boolean => FAILURE_RULES[kind].passes || kind === 'rate';

const unexpected = (error: unknown): VendorFailure =>
  new VendorFailure('transient', `unexpected: ${error instanceof Error ? error.name : typeof error}`, null, {
    cause: error,
  });
