import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SESSION_DAYS } from '@yiqiao/domain/limits';

/** Deletes old sessions. A scheduled job runs it. */
export class PruneSessions extends Command<void> {}

@CommandHandler(PruneSessions)
export class PruneSessionsHandler implements ICommandHandler<PruneSessions> {
  constructor(private readonly em: EntityManager) {}

  /** After twice the lifetime of a session, so that a client that returns late still learns why its session ended. */
  async execute(): Promise<void> {
    await this.em
      .fork()
      .execute(`DELETE FROM session WHERE last_used_at < now() - interval '${2 * SESSION_DAYS} days'`);
  }
}
