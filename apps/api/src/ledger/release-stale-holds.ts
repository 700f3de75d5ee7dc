import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LedgerWriter } from './writer.js';

/** Gives back what a crash left reserved: a hold lives 90 s and this runs every 15 s (decisions §4). Answers how many. */
export class ReleaseStaleHolds extends Command<number> {}

const BATCH = 500;

@CommandHandler(ReleaseStaleHolds)
export class ReleaseStaleHoldsHandler implements ICommandHandler<ReleaseStaleHolds> {
  constructor(
    private readonly em: EntityManager,
    private readonly writer: LedgerWriter,
  ) {}

  async execute(): Promise<number> {
    const em = this.em.fork();
    let released = 0;
    for (;;) {
      const stale = await em.execute<{ id: string; user_id: number; family_id: number }[]>(STALE, [BATCH]);
      // Through the gate like every release: a settlement that comes at the same time is either before it or after it.
      await Promise.all(
        stale.map((hold) =>
          this.writer.release({
            id: hold.id,
            userId: Number(hold.user_id),
            familyId: Number(hold.family_id),
            usage: null,
          }),
        ),
      );
      released += stale.length;
      if (stale.length < BATCH) break;
    }
    await em.execute(PRUNE);
    return released;
  }
}

const STALE = `
SELECT id, user_id, family_id FROM ledger_hold WHERE released_at IS NULL AND expires_at < now() ORDER BY expires_at LIMIT ?`;

/** Longer than any command is sent again (decisions §1: an idempotency key lives 24 h). */
const PRUNE = `DELETE FROM ledger_hold WHERE released_at < now() - interval '24 hours'`;
