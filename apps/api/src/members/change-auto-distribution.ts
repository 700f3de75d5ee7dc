import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { lockMain } from './lock-main.js';
import type { ChildOf } from './sub-accounts.js';

/** For one sub-account, or with the main account's id for all of them and future ones, which inherit it (decisions §4). */
export class ChangeAutoDistribution extends Command<{ count: number }> {
  constructor(
    readonly target: ChildOf,
    readonly autoDistribution: 0 | 1,
  ) {
    super();
  }
}

/** Returns how many sub-accounts have been set. */
@CommandHandler(ChangeAutoDistribution)
export class ChangeAutoDistributionHandler implements ICommandHandler<ChangeAutoDistribution> {
  constructor(private readonly em: EntityManager) {}

  execute({ target: { mainId, userId }, autoDistribution }: ChangeAutoDistribution): Promise<{ count: number }> {
    const on = autoDistribution === 1;
    return this.em.fork().transactional(async (em) => {
      const isWholeFamily = userId === mainId;
      // A sub-account that is being added waits for this lock and then inherits the new flag.
      if (isWholeFamily) await lockMain(em, mainId);
      const changed = await em.execute<{ id: number }[]>(
        `UPDATE member SET auto_distribution = ? WHERE family_id = ? AND closed_at IS NULL AND ${isWholeFamily ? 'true' : 'id = ?'}
         RETURNING id`,
        [on, mainId, ...(isWholeFamily ? [] : [userId])],
      );
      if (changed.length === 0) throw new Refusal('NOT_FOUND');
      return { count: changed.filter(({ id }) => Number(id) !== mainId).length };
    });
  }
}
