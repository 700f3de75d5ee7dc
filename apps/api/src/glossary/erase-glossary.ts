import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Outbox } from '../platform/outbox.js';

/** What a family that has logged off called things is forgotten, here and at the vendors. May run again. */
export class EraseGlossary extends Command<void> {
  constructor(readonly familyId: number) {
    super();
  }
}

@CommandHandler(EraseGlossary)
export class EraseGlossaryHandler implements ICommandHandler<EraseGlossary> {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
  ) {}

  async execute({ familyId }: EraseGlossary): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      await em.execute('DELETE FROM glossary_term WHERE family_id = ?', [familyId]);
      const had = await em.execute<unknown[]>('DELETE FROM glossary WHERE family_id = ? RETURNING family_id', [
        familyId,
      ]);
      if (had.length > 0) await this.outbox.record(em, { type: 'GlossaryChanged', familyId });
    });
  }
}
