import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { RateLimits } from '../platform/rate-limits.js';
import { Clock } from '../platform/clock.js';
import { type ChannelOffer, Plans } from '../plans/plans.js';
import { FamilyConversions } from './family-conversions.js';
import { type ChannelRow, channelRow } from './list-mapping.js';

export class ChangeChannel extends Command<ChannelRow> {
  constructor(
    readonly mainId: number,
    readonly targetChannelId: number,
    readonly language: Language,
  ) {
    super();
  }
}

/** Changes the channel of a family, converting each account at equal value (decisions §4). Returns what was applied. */
@CommandHandler(ChangeChannel)
export class ChangeChannelHandler implements ICommandHandler<ChangeChannel> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly conversions: FamilyConversions,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ mainId, targetChannelId, language }: ChangeChannel): Promise<ChannelRow> {
    // Outside the transaction: checking the availability of channels may take a while.
    const offer = (await this.plans.channelOffers()).find(({ id }) => id === targetChannelId);
    if (!offer) throw new Refusal('NOT_FOUND');
    await this.conversions.requireOther(mainId, targetChannelId);
    if (!offer.available) throw unavailable(offer, language);
    await this.limits.take('channelChanges', `channel:${mainId}`);
    const applied = await this.em
      .fork()
      .transactional((em) => this.conversions.changeChannel(em, mainId, targetChannelId));
    return channelRow({ ...offer, price: applied.charPrice }, applied.quota, this.clock);
  }
}

const unavailable = ({ id, reason }: ChannelOffer, language: Language): Refusal =>
  new Refusal('CHANNEL_UNAVAILABLE', { data: { channelId: id, reason: reason?.[language] ?? null } });
