import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Outbox } from '../platform/outbox.js';
import { Closures } from './closures.js';
import { lockMain } from './lock-main.js';

/** Deletes sub-accounts for good, all or none; an id that is named twice counts once. */
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
    private readonly closures: Closures,
    private readonly outbox: Outbox,
  ) {}

  execute({ mainId, childIds }: DeleteChildUsers): Promise<{ count: number }> {
    const ids = [...new Set(childIds)].sort((a, b) => a - b);
    return this.em.fork().transactional(async (em) => {
      await lockMain(em, mainId);
      const mine = await em.execute<unknown[]>(LOCK, [`{${ids.join(',')}}`, mainId]);
      if (mine.length !== ids.length) throw new Refusal('NOT_FOUND');
      await this.closures.recover(em, { mainId, childIds: ids, releaseHolds: ids });
      await this.closures.close(em, ids);
      await this.outbox.record(em, { type: 'SubAccountsDeleted', familyId: mainId });
      return { count: ids.length };
    });
  }
}

// Waits for a distribution under way (SubAccounts.hold), which then goes back with the rest.
const LOCK = `
SELECT id FROM member WHERE id = ANY (?::bigint[]) AND parent_id = ? AND closed_at IS NULL ORDER BY id FOR NO KEY UPDATE`;
