import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Memories } from '../platform/memories.js';
import { Member } from './member.entity.js';

/** Whether a member's translations are remembered for its family and answered from there (docs/decisions/0020). */
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
    private readonly memories: Memories,
  ) {}

  async execute({ userId, translationCache }: ChangeTranslationCache): Promise<true> {
    const change = { translationCache: translationCache === 1 };
    await this.em.fork().nativeUpdate(Member, { id: userId, closedAt: null }, change);
    this.memories.forget(userId);
    return true;
  }
}
