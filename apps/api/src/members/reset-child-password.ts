import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Passwords } from '../platform/passwords.js';
import { Members } from './members.js';
import { type ChildOf, SubAccounts } from './sub-accounts.js';

/** A main account sets a new password for a sub-account, which ends all its sessions (decisions §2). */
export class ResetChildPassword extends Command<true> {
  constructor(
    readonly child: ChildOf,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(ResetChildPassword)
export class ResetChildPasswordHandler implements ICommandHandler<ResetChildPassword> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly subAccounts: SubAccounts,
    private readonly passwords: Passwords,
  ) {}

  async execute({ child, password }: ResetChildPassword): Promise<true> {
    await this.em.fork().transactional((em) => this.subAccounts.edit(em, child, {}));
    const passwordHash = await this.passwords.hash(password);
    await this.em.fork().transactional(async (em) => {
      await this.subAccounts.edit(em, child, {});
      await this.members.setPassword(em, child.userId, passwordHash);
    });
    return true;
  }
}
