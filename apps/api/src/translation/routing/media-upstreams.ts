import type { AccountRecord, VendorAccount } from '../channels/vendor.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { WeightedRoundRobin } from './load-balancer.js';
import { backoffMs, FAILURE_RULES, RETRIES } from './retry-policy.js';
import { untilAborted } from './time.js';
import {
  LEAST_MS,
  Upstream,
  type UpstreamClient,
  type UpstreamRequest,
  type UpstreamSurroundings,
} from './upstream.js';

export type MediaRequest<C, T> = Pick<UpstreamRequest<C, T>, 'family' | 'signal' | 'deadline' | 'work'>;
/** `by`: the account that answered; absent until the database has been read. */
export type MediaAnswer<T> = { readonly value: T; readonly by: AccountRecord | undefined };

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
type Server<C> = { readonly upstream: Upstream<Client<C>>; unsupportedUntil: number };
type MediaAccount<C> = { readonly account: Omit<VendorAccount, 'key' | 'secret'>; readonly client: C };

/** The account's caps on characters are for texts. */
const uncapped = <A extends Omit<VendorAccount, 'key' | 'secret'>>(account: A, { name }: MediaLimits): A => ({
  ...account,
  name: `${account.name} ${name}`,
  charsPerMinute: null,
  charsPerDay: null,
});

/**
 * Sends audio and pictures to the accounts of a vendor, one after another until one succeeds. Unlike texts they are never hedged, because
 * each attempt costs a whole recording.
 */
export class MediaUpstreams<C> {
  #servers: readonly Server<C>[] = [];
  readonly #order = new WeightedRoundRobin<Upstream<Client<C>>>();

  constructor(
    accounts: readonly MediaAccount<C>[],
    private readonly limits: MediaLimits,
    private readonly surroundings: Pick<UpstreamSurroundings, 'time' | 'shared'>,
  ) {
    this.replace(accounts);
  }

  /** From the next attempt on these serve. An account keeps its breaker and queue as long as its client. */
  replace(accounts: readonly MediaAccount<C>[]): void {
    const before = new Map(this.#servers.map((server) => [server.upstream.client.api, server]));
    this.#servers = accounts.map(({ account, client }) => {
      const known = before.get(client);
      known?.upstream.changeTo(uncapped(account, this.limits));
      return known ?? this.#server(account, client);
    });
    for (const [client, { upstream }] of before)
      if (!accounts.some((account) => account.client === client)) upstream.retire();
  }

  /** Whether an account has the feature or has not been tried yet. */
  get isOffered(): boolean {
    return this.#servers.some((server) => this.#supports(server));
  }

  /** Throws only VendorFailure: `unsupported` when no account has the feature, `timeout` at the deadline. */
  async ask<T>(request: MediaRequest<C, T>): Promise<MediaAnswer<T>> {
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
        if (why.kind === 'unsupported') server.unsupportedUntil = this.surroundings.time.now() + UNSUPPORTED_MS;
        // The first failure is reported, unless it only said that the account lacks the feature.
        failure = failure === null || failure.kind === 'unsupported' ? why : failure;
        if (FAILURE_RULES[why.kind].final || request.signal.aborted) throw why;
      }
    }
  }

  #server(account: Omit<VendorAccount, 'key' | 'secret'>, api: C): Server<C> {
    const { inFlight, requestMs } = this.limits;
    const limits = { requestsPerSecond: null, charsPerMinute: null, inFlight, requestMs };
    // A late recording is given up at once: it would hold one of few places, and be billed.
    const surroundings = { ...this.surroundings, today: () => '', watchedMost: 0 };
    const upstream = new Upstream<Client<C>>(uncapped(account, this.limits), { limits, api }, surroundings);
    return { upstream, unsupportedUntil: 0 };
  }

  #supports({ unsupportedUntil }: Server<C>): boolean {
    return this.surroundings.time.now() >= unsupportedUntil;
  }

  #next(tried: ReadonlySet<Server<C>>): Server<C> | null {
    const [first, ...rest] = this.#servers.filter(
      (server) => !tried.has(server) && this.#supports(server) && server.upstream.admits,
    );
    if (!first) return null;
    const next = this.#order.next([first.upstream, ...rest.map(({ upstream }) => upstream)]);
    return [first, ...rest].find(({ upstream }) => upstream === next) ?? first;
  }

  async #send<T>({ upstream }: Server<C>, { work, ...request }: MediaRequest<C, T>): Promise<MediaAnswer<T>> {
    const answer = await upstream.send({
      ...request,
      chars: 1,
      work: async ({ api }, signal) => ({ value: await work(api, signal) }),
    });
    if (answer === null) throw new VendorFailure('transient', `${upstream.name}: given up meanwhile`);
    return { ...answer, by: upstream.account.record };
  }

  /** Whether there is still time for a request after it. */
  async #pause(ms: number, { signal, deadline }: MediaRequest<C, unknown>): Promise<boolean> {
    if (this.surroundings.time.now() + ms + LEAST_MS > deadline) return false;
    const pause = Promise.withResolvers<void>();
    const cancel = this.surroundings.time.after(ms, pause.resolve);
    await untilAborted(pause.promise, signal).catch(() => undefined);
    cancel();
    return !signal.aborted;
  }
}

/** Rate refusals are transient, too. */
const mayPass = ({ kind }: VendorFailure): boolean => FAILURE_RULES[kind].passes || kind === 'rate';
