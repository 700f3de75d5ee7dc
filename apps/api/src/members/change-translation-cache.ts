import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { Member } from './member.entity.js';

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
