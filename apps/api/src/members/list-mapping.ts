import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { Clock } from '../platform/clock.js';
import { type ChannelOffer, Plans } from '../plans/plans.js';
import { type FamilyQuota, previewOf } from './convert-family.js';
import { ConversionPrices } from './conversion-prices.js';

export type ChannelRow = Answer<typeof changeChannel>;

export class ListMapping extends Query<Answer<typeof listMapping>> {
  constructor(readonly mainId: number) {
    super();
  }
}

/** The channels that the family can change to, each with the resulting quota of every account. */
@QueryHandler(ListMapping)
export class ListMappingHandler implements IQueryHandler<ListMapping> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly prices: ConversionPrices,
    private readonly clock: Clock,
  ) {}

  async execute({ mainId }: ListMapping): Promise<ChannelRow[]> {
    const em = this.em.fork();
    const offers = await this.plans.channelOffers(em);
    const { accounts, from, now } = await this.prices.of(em, mainId);
    return offers
      .filter((offer) => offer.available && offer.id !== from.tranChannelId)
      .flatMap((offer) => {
        const to = { ...from, tranChannelId: offer.id, charPrice: offer.price };
        const quota = previewOf(accounts, { type: 'MATRIX', from, to }, now);
        return quota ? [channelRow(offer, quota, this.clock)] : [];
      });
  }
}

export const channelRow = (
  { id, name, enName, price }: Pick<ChannelOffer, 'id' | 'name' | 'enName' | 'price'>,
  { usableCharNum, expireAt, children }: FamilyQuota,
  clock: Clock,
): ChannelRow => ({
  id,
  name,
  enName,
  price,
  usableCharNum,
  children,
  expireDateTime: expireAt === null ? null : clock.toWire(new Date(expireAt)),
});
