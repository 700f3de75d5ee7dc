import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { textCost } from '@yiqiao/domain/quotes';
import { type FamilyGlossary, Glossary } from '../glossary/glossary.js';
import type { Caller } from '../platform/endpoint.js';
import type { ChannelOffer } from '../plans/plans.js';
import { MemberChannels } from './member-channels.js';
import type { Candidate, Candidates } from './resolve-languages.js';
import { TextChannels } from './text-channels.js';

/** The channels of one request and what they cost its member. */
export type Choice = {
  /** The member's own channel: characters are worth what its price says. */
  readonly own: number;
  /** Whether that was read for this request; remembered, it may be the one before. */
  readonly present: boolean;
  readonly asked: number;
  /** What translates for the one that is asked: another server or model of its vendor is another one. */
  readonly servedBy: string;
  /** The one that is asked, then who may take over: never dearer, the nearest price first. Whether they do the pair is not said. */
  readonly candidates: Candidates;
  /** The words that the member's family wants translated its own way. */
  readonly glossary: FamilyGlossary;
  /** Whether its member wants translations remembered. */
  readonly remembers: boolean;
  /** Characters of the member that a text of so many code points costs when `channelId` serves it (decisions §4). */
  cost(codePoints: number, channelId: number): number;
  /** What a channel is called in the price list, with its mark. */
  nameOf(channelId: number): Pick<ChannelOffer, 'name' | 'enName'>;
};

type Wish = { readonly channelId?: number | undefined; readonly failover?: boolean | undefined };

/** Decides which channels may serve a request. */
@Injectable()
export class ChannelChoice {
  constructor(
    private readonly members: MemberChannels,
    private readonly channels: TextChannels,
    private readonly glossaries: Glossary,
  ) {}

  /**
   * Throws MAIN_ACCOUNT_ONLY for a sub-account that names another channel than its main account's, NOT_FOUND for a channel that does
   * not exist, CHANNEL_NOT_INCLUDED in time mode for one that is dearer than the own one, CHANNEL_UNAVAILABLE with the reason in
   * `language` for one that cannot be used now.
   */
  async of({ channelId, failover }: Wish, caller: Caller, language: Language): Promise<Choice> {
    const isMain = caller.userId === caller.familyId;
    const [{ tranChannelId, billingMode, expireAt }, offers, settings, glossary] = await Promise.all([
      this.members.of(caller.userId),
      this.channels.views(),
      this.members.settings(caller.userId),
      this.glossaries.of(caller.familyId),
    ]);
    const own = tranChannelId ?? channelId;
    if (own === undefined) throw new Error(`member ${caller.userId} has no channel`);
    if (!isMain && channelId !== undefined && channelId !== own) throw new Refusal('MAIN_ACCOUNT_ONLY');
    const offerOf = (id: number): ChannelOffer => {
      const offer = offers.find((each) => each.id === id);
      if (!offer) throw new Refusal('NOT_FOUND');
      return offer;
    };
    const asked = offerOf(channelId ?? own);
    const { price } = offerOf(own);
    // Before what is remembered is looked up; the hold finds out by itself. It also says when the package has expired.
    const isPaidByTime = billingMode === 'time' && (expireAt?.getTime() ?? 0) > Date.now();
    if (isPaidByTime && asked.price > price) throw new Refusal('CHANNEL_NOT_INCLUDED');
    const first = { id: asked.id, channel: this.channels.pick(offers, asked.id, language) };
    const mayFailOver = isMain && failover !== false && settings.failover;
    const others = mayFailOver ? instead(asked, offers).flatMap((offer) => this.#candidate(offer) ?? []) : [];
    return {
      ...{ own, present: false },
      asked: asked.id,
      servedBy: this.channels.servedBy(asked.id),
      candidates: [first, ...others],
      glossary,
      remembers: settings.remembers,
      cost: (codePoints, id) => textCost(codePoints, { asked: offerOf(id).price, own: price }),
      nameOf: offerOf,
    };
  }

  /** The same, by the member's channel as it is now. */
  async anew(wish: Wish, caller: Caller, language: Language): Promise<Choice> {
    this.members.forget(caller.userId);
    return { ...(await this.of(wish, caller, language)), present: true };
  }

  #candidate({ id, available }: ChannelOffer): Candidate | null {
    const channel = available ? this.channels.channel(id) : null;
    return channel && { id, channel };
  }
}

/** The nearest price is likely the nearest quality, and never above the quote. */
const instead = (asked: ChannelOffer, offers: readonly ChannelOffer[]): ChannelOffer[] =>
  offers
    .filter(({ id, price }) => id !== asked.id && price <= asked.price)
    .sort((a, b) => b.price - a.price || a.id - b.id);
