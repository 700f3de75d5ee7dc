import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, SESSION_DAYS } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import { Session } from './session.entity.js';

/** Deletes old sessions. A scheduled job runs it. */
export class PruneSessions extends Command<void> {}

@CommandHandler(PruneSessions)
export class PruneSessionsHandler implements ICommandHandler<PruneSessions> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** After twice the lifetime of a session, so that a client that returns late still learns why its session ended. */
  async execute(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - 2 * SESSION_DAYS * DAY_MS);
    const em = this.em.fork();
    await em.nativeDelete(Session, { lastUsedAt: { $lt: before } });
    // Raw: the table has no entity.
    await em.execute('DELETE FROM member_view WHERE until < ?', [before]);
  }
}
