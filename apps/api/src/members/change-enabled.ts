import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type ChildOf, SubAccounts } from './sub-accounts.js';

/** Enables or disables a sub-account; a disabled one is signed out within a second (decisions §2). */
export class ChangeEnabled extends Command<true> {
  constructor(
    readonly child: ChildOf,
    readonly enabled: 0 | 1,
  ) {
    super();
  }
}

@CommandHandler(ChangeEnabled)
export class ChangeEnabledHandler implements ICommandHandler<ChangeEnabled> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
  ) {}

  async execute({ child, enabled }: ChangeEnabled): Promise<true> {
    await this.em.fork().transactional((em) => this.subAccounts.edit(em, child, { enabled }));
    return true;
  }
}
