import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listSale } from '@yiqiao/contracts/plans';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { MemberGroup } from './member-group.entity.js';
import { Plans } from './plans.js';

type Sale = Answer<typeof listSale>;

export class ListSale extends Query<Sale> {}

/** Plans on sale in the operator's order, without the trial and without packages of unavailable channels. */
@QueryHandler(ListSale)
export class ListSaleHandler implements IQueryHandler<ListSale> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
  ) {}

  async execute(): Promise<Sale> {
    const em = this.em.fork();
    const groups = await em.find(
      MemberGroup,
      { onSale: true, id: { $ne: TRIAL_GROUP_ID } },
      { orderBy: { position: 'asc', id: 'asc' } },
    );
    const offers = await this.plans.channelOffers(em);
    const usable = new Set(offers.filter((offer) => offer.available).map((offer) => offer.id));
    return groups
      .filter((group) => group.tranChannelId === null || usable.has(group.tranChannelId))
      .map(({ billingMode, ...group }) => ({
        id: group.id,
        name: group.name,
        enName: group.enName,
        tier: group.tier,
        translationBillingMode: billingModeOf(billingMode) ?? 'char',
        num: group.num,
        salePrice: group.salePrice,
        createChildUser: group.createChildUser,
        tranChannelId: group.tranChannelId,
        referenceChannelId: group.referenceChannelId,
        voiceNum: group.voiceNum,
        imageNum: group.imageNum,
      }));
  }
}
