import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CACHE_DAYS } from '@yiqiao/domain/limits';

/** Removes remembered translations that are too old to be answered with. */
export class PruneTranslations extends Command<void> {}

/** At once: short locks, short transactions. */
const BATCH = 5_000;

@CommandHandler(PruneTranslations)
export class PruneTranslationsHandler implements ICommandHandler<PruneTranslations> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    for (;;) {
      const gone = await em.execute<unknown[]>(PRUNE);
      if (gone.length < BATCH) return;
    }
  }
}

const PRUNE = `
DELETE FROM cached_translation c USING (
  SELECT family_id, key FROM cached_translation
  WHERE created_at < now() - interval '${CACHE_DAYS} days' ORDER BY created_at LIMIT ${BATCH}
) AS old WHERE c.family_id = old.family_id AND c.key = old.key RETURNING 1`;
