import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Owner, TranslationCache } from './translation-cache.js';

/** Forgets remembered translations: all of the family's for its main account, its own for a sub-account. */
export class ForgetTranslations extends Command<{ count: number }> {
  constructor(readonly who: Owner) {
    super();
  }
}

@CommandHandler(ForgetTranslations)
export class ForgetTranslationsHandler implements ICommandHandler<ForgetTranslations> {
  constructor(private readonly cache: TranslationCache) {}

  async execute({ who }: ForgetTranslations): Promise<{ count: number }> {
    return { count: await this.cache.forget(who) };
  }
}
