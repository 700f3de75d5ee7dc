import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountMails } from './account-mails.js';
import { lockMain } from './lock-main.js';
import { MemberPasswords } from './member-passwords.js';
import { SubAccounts } from './sub-accounts.js';

/** Deletes a family permanently: main account and all sub-accounts, in one transaction (decisions §3). */
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
    private readonly passwords: MemberPasswords,
    private readonly subAccounts: SubAccounts,
    private readonly deletion: AccountDeletion,
    private readonly mails: AccountMails,
    private readonly outbox: Outbox,
  ) {}

  async execute({ mainId, password }: LogOff): Promise<true> {
    const passwordHash = await this.passwords.verify(mainId, password);
    await this.em.fork().transactional(async (em) => {
      // A family of ten thousand takes seconds per statement on a busy machine, and it is all or nothing.
      await em.execute(`SET LOCAL statement_timeout = '55s'; SET LOCAL idle_in_transaction_session_timeout = '55s'`);
      const main = await lockMain(em, mainId);
      // Changed concurrently: the given password is no longer valid.
      if (main.passwordHash !== passwordHash) throw new Refusal('WRONG_PASSWORD');
      const childIds = await this.subAccounts.lockedIdsOf(em, mainId);
      const family = [mainId, ...childIds];
      await this.deletion.returnQuota(em, { mainId, childIds, releaseHolds: family });
      const addressee = await this.mails.addresseeOf(em, mainId);
      await this.deletion.close(em, family);
      if (addressee) await this.mails.closed(em, mainId, addressee, childIds.length);
      await this.outbox.record(em, { type: 'MemberLoggedOff', userId: mainId });
    });
    return true;
  }
}
