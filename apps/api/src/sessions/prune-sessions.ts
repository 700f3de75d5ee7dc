import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SESSION_DAYS } from '@yiqiao/domain/limits';

/** Removes sessions that nobody can mean any more. A repeating job sends it. */
export class PruneSessions extends Command<void> {}

@CommandHandler(PruneSessions)
export class PruneSessionsHandler implements ICommandHandler<PruneSessions> {
  constructor(private readonly em: EntityManager) {}

  /** Kept for twice a session's life, so that a client that comes back late is still told what became of its own. */
  async execute(): Promise<void> {
    await this.em
      .fork()
      .execute(`DELETE FROM session WHERE last_used_at < now() - interval '${2 * SESSION_DAYS} days'`);
  }
}
