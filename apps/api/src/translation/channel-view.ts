import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { billingModeOf } from '@yiqiao/domain/ledger';
import type { BillingMode } from '@yiqiao/domain/plans';
import { textCost } from '@yiqiao/domain/quotes';
import { type FamilyGlossary, Glossary } from '../glossary/glossary.js';
import type { ChannelOffer } from '../plans/plans.js';
import type { Caller } from '../platform/endpoint.js';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { CachedReads } from '../platform/cached-reads.js';
import type { Candidate, Candidates } from './resolve-languages.js';
import { TextChannels } from './text-channels.js';

/** The channels that may serve one request, and what they cost its member. */
export type ChannelView = {
  /** The member's own channel, whose price is the price of a character. */
  readonly own: number;
  /** Read for this request; from the cache it may be half a second old. */
  readonly isCurrent: boolean;
  readonly asked: number;
  /** The server and model behind the requested channel: another one translates differently. */
  readonly servedBy: string;
  /** The requested channel, then its fallbacks: never dearer, the nearest price first. They may not support the pair. */
  readonly candidates: Candidates;
  readonly glossary: FamilyGlossary;
  /** The member uses the translation memory. */
  readonly remembers: boolean;
  /** What a text of this size costs the member when `channelId` serves it (decisions §4). */
  cost(codePoints: number, channelId: number): number;
  /** The channel's name in the price list, with its mark. */
  nameOf(channelId: number): Pick<ChannelOffer, 'name' | 'enName'>;
};

type Wish = { readonly channelId?: number | undefined; readonly failover?: boolean | undefined };

/** What a translation needs to know of its member: channel and expiry are the main account's (decisions §3). */
type MemberView = {
  /** Null when none was ever set. */
  readonly channelId: number | null;
  readonly billingMode: BillingMode;
  /** ms since 1970; 0: no package was ever bought. */
  readonly expiresAt: number;
  /** Another channel may serve the request; main accounts only, off by default. */
  readonly failover: boolean;
  /** Off by default. */
  readonly remembers: boolean;
  /** 0: the family never had terms. */
  readonly glossaryVersion: number;
};

type Row = Omit<MemberView, 'billingMode'> & { userId: number; mode: number };

/**
 * Raw: every translation of a member who was away for half a second waits for it, and one statement costs three fifths of what three
 * features' own would.
 */
const MEMBER_VIEWS = `
SELECT a.user_id::float8 AS "userId", main.tran_channel_id AS "channelId", a.billing_mode AS mode,
  coalesce(extract(epoch FROM main.expire_at) * 1000, 0)::float8 AS "expiresAt",
  coalesce(m.channel_failover AND m.parent_id IS NULL, false) AS failover, coalesce(m.translation_cache, false) AS remembers,
  coalesce(g.version, 0)::float8 AS "glossaryVersion"
FROM member_account a LEFT JOIN member_account main ON main.user_id = a.family_id
  LEFT JOIN member m ON m.id = a.user_id AND m.closed_at IS NULL LEFT JOIN glossary g ON g.family_id = a.family_id
WHERE a.user_id = ANY (?::bigint[])`;

/**
 * The channel, settings and glossary version of members. Cached for half a second: the hold finds out when the channel has changed since.
 * A change of settings or terms is visible at once in the process that made it, in others within half a second.
 */
@Injectable()
export class MemberViews {
  readonly #views = new CachedReads<number, MemberView>((userIds) => this.#read(userIds));

  constructor(
    private readonly em: EntityManager,
    caches: CacheInvalidation,
  ) {
    caches.onInvalidate((userId) => this.#views.invalidate(userId));
  }

  /** Throws NOT_FOUND without account. */
  async of(userId: number): Promise<MemberView> {
    const view = await this.#views.get(userId);
    if (!view) throw new Refusal('NOT_FOUND');
    return view;
  }

  /** The next read of this member goes to the database. */
  forget(userId: number): void {
    this.#views.invalidate(userId);
  }

  async #read(userIds: number[]): Promise<Map<number, MemberView>> {
    const rows = await this.em.fork().execute<Row[]>(MEMBER_VIEWS, [`{${userIds.join(',')}}`]);
    return new Map(
      rows.map(({ userId, mode, ...view }) => [userId, { ...view, billingMode: billingModeOf(mode) ?? 'char' }]),
    );
  }
}

/** Decides which channels may serve a request. */
@Injectable()
export class ChannelViews {
  constructor(
    private readonly members: MemberViews,
    private readonly channels: TextChannels,
    private readonly glossaries: Glossary,
  ) {}

  /**
   * Throws MAIN_ACCOUNT_ONLY for a sub-account that names another channel than its main account's, NOT_FOUND for a channel that does
   * not exist, CHANNEL_NOT_INCLUDED in time mode for one that is dearer than the own one, CHANNEL_UNAVAILABLE with the reason in
   * `language` for one that cannot be used now.
   */
  async of({ channelId, failover }: Wish, caller: Caller, language: Language): Promise<ChannelView> {
    const isMain = caller.userId === caller.familyId;
    const [member, offers] = await Promise.all([this.members.of(caller.userId), this.channels.offers()]);
    const glossary = await this.glossaries.of(caller.familyId, member.glossaryVersion);
    const own = member.channelId ?? channelId;
    if (own === undefined) throw new Error(`member ${caller.userId} has no channel`);
    if (!isMain && channelId !== undefined && channelId !== own) throw new Refusal('MAIN_ACCOUNT_ONLY');
    const offerOf = (id: number): ChannelOffer => {
      const offer = offers.find((each) => each.id === id);
      if (!offer) throw new Refusal('NOT_FOUND');
      return offer;
    };
    const asked = offerOf(channelId ?? own);
    const { price } = offerOf(own);
    // For cached translations, which need no hold; a hold checks this itself, and the expiry of the package.
    const isPaidByTime = member.billingMode === 'time' && member.expiresAt > Date.now();
    if (isPaidByTime && asked.price > price) throw new Refusal('CHANNEL_NOT_INCLUDED');
    const first = { id: asked.id, channel: this.channels.pick(offers, asked.id, language) };
    const mayFailOver = isMain && failover !== false && member.failover;
    const others = mayFailOver ? fallbacksFor(asked, offers).flatMap((offer) => this.#candidate(offer) ?? []) : [];
    return {
      own,
      isCurrent: false,
      asked: asked.id,
      servedBy: this.channels.servedBy(asked.id),
      candidates: [first, ...others],
      glossary,
      remembers: member.remembers,
      cost: (codePoints, id) => textCost(codePoints, { asked: offerOf(id).price, own: price }),
      nameOf: offerOf,
    };
  }

  /** The same without the cache. */
  async current(wish: Wish, caller: Caller, language: Language): Promise<ChannelView> {
    this.members.forget(caller.userId);
    return { ...(await this.of(wish, caller, language)), isCurrent: true };
  }

  #candidate({ id, available }: ChannelOffer): Candidate | null {
    const channel = available ? this.channels.channel(id) : null;
    return channel && { id, channel };
  }
}

/** The nearest price probably means the nearest quality; never above the quote. */
const fallbacksFor = (asked: ChannelOffer, offers: readonly ChannelOffer[]): ChannelOffer[] =>
  offers
    .filter(({ id, price }) => id !== asked.id && price <= asked.price)
    .sort((a, b) => b.price - a.price || a.id - b.id);

/** Without the channels that cannot choose how to address a reader in `target`. Throws FORMALITY_NOT_SUPPORTED if the requested one cannot. */
export function withRegisters(view: ChannelView, target: string): ChannelView {
  const [first, ...others] = view.candidates;
  const hasRegisters = ({ channel }: Candidate): boolean => channel.hasRegisters?.(target) === true;
  if (!hasRegisters(first)) throw new Refusal('FORMALITY_NOT_SUPPORTED', { data: { channelId: first.id, target } });
  return { ...view, candidates: [first, ...others.filter(hasRegisters)] };
}

/** Refusals that may come from a channel that the member has left since it was read. */
const OUTDATED: readonly ErrorCode[] = [
  'CHANNEL_CHANGED',
  'CHANNEL_UNAVAILABLE',
  'CHANNEL_NOT_INCLUDED',
  'PAIR_NOT_SUPPORTED',
  'FORMALITY_NOT_SUPPORTED',
  'LANGUAGE_NOT_DETECTED',
  'MAIN_ACCOUNT_ONLY',
];

const is = (error: unknown, codes: readonly ErrorCode[]): boolean =>
  error instanceof Refusal && codes.includes(error.code);

/**
 * Runs `work` with the member's current channel: `cached` may be half a second old, and the channel may change once more before the hold.
 * Starting again on another channel is safe, because nothing is held yet.
 */
export async function withCurrentChannel<T>(
  cached: Promise<ChannelView>,
  current: () => Promise<ChannelView>,
  work: (view: ChannelView) => Promise<T>,
): Promise<T> {
  try {
    return await work(await cached);
  } catch (error) {
    if (!is(error, OUTDATED)) throw error;
    const now = await current();
    const before = await cached.catch(() => null);
    if (before?.own === now.own && !is(error, ['CHANNEL_CHANGED'])) throw error;
    return await work(now).catch(async (again: unknown) => {
      if (!is(again, ['CHANNEL_CHANGED'])) throw again;
      return work(await current());
    });
  }
}
