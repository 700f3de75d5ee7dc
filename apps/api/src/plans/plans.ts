import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ChannelCode } from '@yiqiao/domain/channels';
import { type Availability, type ChannelOffer, ChannelOffers } from './channel-offers.js';
import { MemberGroup } from './member-group.entity.js';
import { seedPlans } from './seed-plans.js';
import { TranChannel } from './tran-channel.entity.js';

export type { MemberGroup } from './member-group.entity.js';
export type { Availability, Bilingual, ChannelOffer } from './channel-offers.js';

/** The price list: member groups and the channels they are used with. Both are rows that operators may change. */
@Injectable()
export class Plans {
  readonly #offers = new ChannelOffers();

  constructor(private readonly em: EntityManager) {}

  /** Adds what the price list lacks; changes nothing that is there. Runs before every start. */
  seed(): Promise<void> {
    return seedPlans(this.em.fork());
  }

  /**
   * The group with this id, on the connection of `em`: a transaction that waited for a second connection could wait for ever.
   * Members point at groups by foreign key, so an unknown id is a bug and throws.
   */
  group(em: EntityManager, id: number): Promise<MemberGroup> {
    return em.findOneOrFail(MemberGroup, { id });
  }

  /** Whoever runs a channel says here whether it works now. */
  announce(code: ChannelCode, availability: () => Promise<Availability>): void {
    this.#offers.announce(code, availability);
  }

  /** Every channel with its price and whether it can be used now, by id, switched off ones included. */
  channelOffers(em: EntityManager = this.em.fork()): Promise<ChannelOffer[]> {
    return this.#offers.list(em);
  }

  /** Micro-yuan per character of each channel, by id, on the connection of `em`. Asks no channel whether it works. */
  async channelPrices(em: EntityManager): Promise<Map<number, number>> {
    const rows = await em.findAll(TranChannel);
    return new Map(rows.map((row) => [row.id, row.price]));
  }
}
