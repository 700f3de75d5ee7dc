import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Outbox } from '../platform/outbox.js';
import { GlossaryTerm, GlossaryVersion } from './glossary.entity.js';

/** Deletes the glossary of a closed account, here and at the vendors. Idempotent. */
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
      await em.nativeDelete(GlossaryTerm, { familyId });
      const deleted = await em.nativeDelete(GlossaryVersion, { familyId });
      if (deleted > 0) await this.outbox.record(em, { type: 'GlossaryChanged', familyId });
    });
  }
}
