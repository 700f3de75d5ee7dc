import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { Closures } from './closures.js';
import { lockMain } from './lock-main.js';
import { OwnPassword } from './own-password.js';
import { SubAccounts } from './sub-accounts.js';

/** The end of a family: main account and all sub-accounts, for good, in one transaction (decisions §3). */
export class LogOff extends Command<true> {
  constructor(
    readonly mainId: number,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(LogOff)
export class LogOffHandler implements ICommandHandler<LogOff> {
  constructor(
    private readonly em: EntityManager,
    private readonly ownPassword: OwnPassword,
    private readonly subAccounts: SubAccounts,
    private readonly closures: Closures,
    private readonly outbox: Outbox,
  ) {}

  async execute({ mainId, password }: LogOff): Promise<true> {
    const passwordHash = await this.ownPassword.prove(mainId, password);
    await this.em.fork().transactional(async (em) => {
      const main = await lockMain(em, mainId);
      // Changed meanwhile: then this is no longer the password.
      if (main.passwordHash !== passwordHash) throw new Refusal('WRONG_PASSWORD');
      const childIds = await this.subAccounts.lockedIdsOf(em, mainId);
      const everybody = [mainId, ...childIds];
      await this.closures.recover(em, { mainId, childIds, releaseHolds: everybody });
      await this.closures.close(em, everybody);
      await this.outbox.record(em, { type: 'MemberLoggedOff', userId: mainId });
    });
    return true;
  }
}
