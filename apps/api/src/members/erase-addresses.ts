import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

/**
 * Erases the IP addresses in the translation logs of a family's closed members; the lines that explain the ledger stay (decisions §3).
 * Without a family: of all members closed recently, because a translation in progress writes its line a little later. Idempotent.
 */
export class EraseAddresses extends Command<void> {
  constructor(readonly familyId: number | null) {
    super();
  }
}

/** Rows per statement: short locks, short transactions. */
const BATCH = 5_000;
const RECENTLY = '3 hours';

@CommandHandler(EraseAddresses)
export class EraseAddressesHandler implements ICommandHandler<EraseAddresses> {
  constructor(private readonly em: EntityManager) {}

  async execute({ familyId }: EraseAddresses): Promise<void> {
    const em = this.em.fork();
    const members = await em.execute<{ user_id: number; usage_seq: number }[]>(CLOSED, [familyId, familyId]);
    for (const { user_id: userId, usage_seq: newest } of members)
      for (let from = 1; from <= Number(newest); from += BATCH)
        await em.execute(ERASE, [userId, from, from + BATCH - 1]);
  }
}

// Raw: tables of the ledger, in batches.
const CLOSED = `
SELECT a.user_id, a.usage_seq FROM member m JOIN member_account a ON a.user_id = m.id
WHERE m.closed_at IS NOT NULL AND a.usage_seq > 0
  AND CASE WHEN ?::bigint IS NULL THEN m.closed_at > now() - interval '${RECENTLY}' ELSE m.family_id = ? END`;

const ERASE = 'UPDATE translation_log SET ip = NULL WHERE user_id = ? AND usage_seq BETWEEN ? AND ? AND ip IS NOT NULL';
