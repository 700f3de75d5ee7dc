import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { Member } from './member.entity.js';

/** Sets whether another channel may serve when the main account's own fails, at no higher price (decisions §4). */
export class ChangeFailover extends Command<true> {
  constructor(
    readonly mainId: number,
    readonly channelFailover: 0 | 1,
  ) {
    super();
  }
}

@CommandHandler(ChangeFailover)
export class ChangeFailoverHandler implements ICommandHandler<ChangeFailover> {
  constructor(
    private readonly em: EntityManager,
    private readonly caches: CacheInvalidation,
  ) {}

  async execute({ mainId, channelFailover }: ChangeFailover): Promise<true> {
    const change = { channelFailover: channelFailover === 1 };
    await this.em.fork().nativeUpdate(Member, { id: mainId, parentId: null, closedAt: null }, change);
    this.caches.invalidate(mainId);
    return true;
  }
}
