import { type VendorAccount } from '../channels/vendor.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { WeightedRoundRobin } from './load-balancer.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './retry-policy.js';
import { type Time, untilAborted } from './time.js';
import { LEAST_MS, Upstream, type UpstreamClient, type UpstreamRequest } from './upstream.js';

export type MediaRequest<C, T> = Pick<UpstreamRequest<C, T>, 'family' | 'signal' | 'deadline' | 'work'>;

export type MediaLimits = {
  /** The feature's name in the log: `transcription`. */
  readonly name: string;
  /** Concurrent requests per account. */
  readonly inFlight: number;
  /** How long one request may take. */
  readonly requestMs: number;
};

/** A server without the feature is tried again after this time, because it may have gained it. */
const UNSUPPORTED_MS = 10 * 60_000;

type Client<C> = UpstreamClient & { readonly api: C };
type Server<C> = { readonly upstream: Upstream<Client<C>>; readonly weight: number; unsupportedUntil: number };

/**
 * Sends audio and pictures to the accounts of a vendor, one after another until one succeeds. Unlike texts they are never hedged, because
 * each attempt costs a whole recording.
 */
export class MediaUpstreams<C> {
  readonly #servers: readonly Server<C>[];
  readonly #order = new WeightedRoundRobin<Server<C>>();

  constructor(
    accounts: readonly { readonly account: Omit<VendorAccount, 'key' | 'secret'>; readonly client: C }[],
    private readonly limits: MediaLimits,
    private readonly time: Time,
  ) {
    this.#servers = accounts.map(({ account, client }) => this.#server(account, client));
  }

  /** Whether an account has the feature or has not been tried yet. */
  get isOffered(): boolean {
    return this.#servers.some((server) => this.#supports(server));
  }

  /** Throws only VendorFailure: `unsupported` when no account has the feature, `timeout` at the deadline. */
  async ask<T>(request: MediaRequest<C, T>): Promise<T> {
    const tried = new Set<Server<C>>();
    let [failure, retries]: [VendorFailure | null, number] = [null, 0];
    for (;;) {
      const server = this.#next(tried);
      if (server === null) {
        if (!this.isOffered) throw failure ?? new VendorFailure('unsupported', `nobody offers ${this.limits.name}`);
        const again = failure !== null && mayPass(failure) && retries < RETRIES;
        if (!again || failure === null || !(await this.#pause(backoffMs(retries++, failure), request)))
          throw failure ?? new VendorFailure('transient', `nobody may be asked for ${this.limits.name} now`);
        tried.clear();
        continue;
      }
      tried.add(server);
      try {
        return await this.#send(server, request);
      } catch (error) {
        const why = error as VendorFailure;
        if (why.kind === 'unsupported') server.unsupportedUntil = this.time.now() + UNSUPPORTED_MS;
        // The first failure is reported, unless it only said that the account lacks the feature.
        failure = failure === null || failure.kind === 'unsupported' ? why : failure;
        if (FAILURE_RULES[why.kind].final || request.signal.aborted) throw why;
      }
    }
  }

  #server(account: Omit<VendorAccount, 'key' | 'secret'>, api: C): Server<C> {
    const { inFlight, requestMs, name } = this.limits;
    const limits = { requestsPerSecond: null, charsPerMinute: null, inFlight, requestMs };
    // The account's caps on characters are for texts.
    const uncapped = { ...account, name: `${account.name} ${name}`, charsPerMinute: null, charsPerDay: null };
    // A late recording is given up at once: it would hold one of few places, and be billed.
    const surroundings = { time: this.time, today: () => '', watchedMost: 0 };
    const upstream = new Upstream<Client<C>>(uncapped, { limits, api }, surroundings);
    return { upstream, weight: account.weight, unsupportedUntil: 0 };
  }

  #supports({ unsupportedUntil }: Server<C>): boolean {
    return this.time.now() >= unsupportedUntil;
  }

  #next(tried: ReadonlySet<Server<C>>): Server<C> | null {
    const [first, ...rest] = this.#servers.filter(
      (server) => !tried.has(server) && this.#supports(server) && server.upstream.admits,
    );
    return first ? this.#order.next([first, ...rest]) : null;
  }

  async #send<T>({ upstream }: Server<C>, { work, ...request }: MediaRequest<C, T>): Promise<T> {
    const answer = await upstream.send({
      ...request,
      chars: 1,
      work: async ({ api }, signal) => ({ value: await work(api, signal) }),
    });
    if (answer === null) throw new VendorFailure('transient', `${upstream.name}: given up meanwhile`);
    return answer.value;
  }

  /** Whether there is still time for a request after it. */
  async #pause(ms: number, { signal, deadline }: MediaRequest<C, unknown>): Promise<boolean> {
    if (this.time.now() + ms + LEAST_MS > deadline) return false;
    const pause = Promise.withResolvers<void>();
    const cancel = this.time.after(ms, pause.resolve);
    await untilAborted(pause.promise, signal).catch(() => undefined);
    cancel();
    return !signal.aborted;
  }
}

/** Rate refusals are transient, too. */
const mayPass = ({ kind }: VendorFailure): boolean => FAILURE_RULES[kind].passes || kind === 'rate';
