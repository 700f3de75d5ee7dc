import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MemberGroup } from './member-group.entity.js';
import { seedPlans } from './seed-plans.js';
import { TranChannel } from './tran-channel.entity.js';

/** The price list: member groups and the channels they are used with. Both are rows that operators may change. */
@Injectable()
export class Plans {
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

  /** Every channel, by id, switched off ones included. */
  channels(): Promise<TranChannel[]> {
    return this.em.fork().findAll(TranChannel, { orderBy: { id: 'asc' } });
  }
}
