import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { Member } from './member.entity.js';

export class UpdateNickname extends Command<true> {
  constructor(
    readonly userId: number,
    readonly nickname: string,
  ) {
    super();
  }
}

@CommandHandler(UpdateNickname)
export class UpdateNicknameHandler implements ICommandHandler<UpdateNickname> {
  constructor(private readonly em: EntityManager) {}

  async execute({ userId, nickname }: UpdateNickname): Promise<true> {
    // The schema's CHECK forbids a nickname on a closed account; a late request changes nothing.
    await this.em.fork().nativeUpdate(Member, { id: userId, closedAt: null }, { nickname });
    return true;
  }
}

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

/** Sets whether a member's translations use the family's translation memory (docs/decisions/0020). */
export class ChangeTranslationCache extends Command<true> {
  constructor(
    readonly userId: number,
    readonly translationCache: 0 | 1,
  ) {
    super();
  }
}

@CommandHandler(ChangeTranslationCache)
export class ChangeTranslationCacheHandler implements ICommandHandler<ChangeTranslationCache> {
  constructor(
    private readonly em: EntityManager,
    private readonly caches: CacheInvalidation,
  ) {}

  async execute({ userId, translationCache }: ChangeTranslationCache): Promise<true> {
    const change = { translationCache: translationCache === 1 };
    await this.em.fork().nativeUpdate(Member, { id: userId, closedAt: null }, change);
    this.caches.invalidate(userId);
    return true;
  }
}
