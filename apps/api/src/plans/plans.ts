import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ChannelCode } from '@yiqiao/domain/channels';
import { type Availability, type ChannelOffer, ChannelOffers } from './channel-offers.js';
import { MemberGroup } from './member-group.entity.js';
import { seedPlans } from './seed-plans.js';
import { TranChannel, type TranChannel as Channel } from './tran-channel.entity.js';

export type { MemberGroup } from './member-group.entity.js';
export type { TranChannel as Channel } from './tran-channel.entity.js';
export type { Availability, ChannelOffer } from './channel-offers.js';

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

  /** Every group, on sale or not, in the operator's order. */
  groups(em: EntityManager): Promise<MemberGroup[]> {
    return em.findAll(MemberGroup, { orderBy: { position: 'asc', id: 'asc' } });
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

  /** The group, locked until the transaction of `em` ends; null when there is none. */
  findGroup(em: EntityManager, id: number): Promise<MemberGroup | null> {
    return em.findOne(MemberGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** By id or code, locked until the transaction of `em` ends; null when there is none. */
  findChannel(em: EntityManager, which: string): Promise<Channel | null> {
    const where = /^\d{1,9}$/.test(which) ? { id: Number(which) } : { code: which };
    return em.findOne(TranChannel, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Values that the schema refuses are a bug of the caller. */
  async setGroup(em: EntityManager, id: number, change: Partial<Omit<MemberGroup, 'id'>>): Promise<void> {
    await em.nativeUpdate(MemberGroup, { id }, change);
  }

  async setChannel(em: EntityManager, id: number, change: Partial<Omit<Channel, 'id' | 'code'>>): Promise<void> {
    await em.nativeUpdate(TranChannel, { id }, change);
  }
}
