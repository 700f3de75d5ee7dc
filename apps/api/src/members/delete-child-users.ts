import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { AccountDeletion } from './account-deletion.js';
import { lockMain } from './lock-main.js';
import { SubAccounts } from './sub-accounts.js';

/** Deletes sub-accounts permanently, all or none; duplicate ids count once. */
export class DeleteChildUsers extends Command<{ count: number }> {
  constructor(
    readonly mainId: number,
    readonly childIds: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(DeleteChildUsers)
export class DeleteChildUsersHandler implements ICommandHandler<DeleteChildUsers> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccounts: SubAccounts,
    private readonly deletion: AccountDeletion,
    private readonly outbox: Outbox,
  ) {}

  execute({ mainId, childIds }: DeleteChildUsers): Promise<{ count: number }> {
    const ids = [...new Set(childIds)].sort((a, b) => a - b);
    return this.em.fork().transactional(async (em) => {
      await lockMain(em, mainId);
      const mine = await this.subAccounts.lockedIdsOf(em, mainId, ids);
      if (mine.length !== ids.length) throw new Refusal('NOT_FOUND');
      await this.deletion.returnQuota(em, { mainId, childIds: ids, releaseHolds: ids });
      await this.deletion.close(em, ids);
      await this.outbox.record(em, { type: 'SubAccountsDeleted', familyId: mainId });
      return { count: ids.length };
    });
  }
}
