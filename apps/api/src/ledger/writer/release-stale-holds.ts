import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LedgerWriter } from './ledger-writer.js';

/** Releases holds that a crash left open: a hold lives 90 s and this runs every 15 s (decisions §4). Returns how many. */
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
    let failure: unknown;
    for (;;) {
      const stale = await em.execute<StaleHold[]>(STALE, [BATCH]);
      // Through the writer like every release, so a concurrent settlement is ordered before or after it.
      const outcomes = await Promise.allSettled(
        stale.map((hold) => this.writer.release({ ...addressOf(hold), usage: null })),
      );
      released += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
      failure = outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
      if (stale.length < BATCH || failure !== undefined) break;
    }
    await em.execute(PRUNE);
    // The job will be retried; released holds stay released.
    if (failure !== undefined) throw new Error('a stale hold was not released', { cause: failure });
    return released;
  }
}

type StaleHold = { id: string; user_id: number; family_id: number };

const addressOf = (hold: StaleHold): { id: string; userId: number; familyId: number } => ({
  id: hold.id,
  userId: Number(hold.user_id),
  familyId: Number(hold.family_id),
});

const STALE = `
SELECT id, user_id, family_id FROM ledger_hold WHERE released_at IS NULL AND expires_at < now() ORDER BY expires_at LIMIT ?`;

/** Longer than any command can be repeated (decisions §1: an idempotency key lives 24 h). */
const PRUNE = `DELETE FROM ledger_hold WHERE released_at < now() - interval '24 hours'`;
