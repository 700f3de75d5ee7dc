import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { API_KEY_UNUSED_DAYS } from '@yiqiao/domain/limits';

/** Deletes keys that were revoked a while ago and never used: nothing names them. A scheduled job runs it. */
export class PruneApiKeys extends Command<void> {}

// Raw: the days of keys belong to the ledger.
const PRUNE = `
DELETE FROM api_key k
WHERE k.revoked_at < now() - interval '${API_KEY_UNUSED_DAYS} days' AND k.last_used_at IS NULL
  AND NOT EXISTS (SELECT FROM api_key_day d WHERE d.api_key_id = k.id)`;

@CommandHandler(PruneApiKeys)
export class PruneApiKeysHandler implements ICommandHandler<PruneApiKeys> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().execute(PRUNE);
  }
}
