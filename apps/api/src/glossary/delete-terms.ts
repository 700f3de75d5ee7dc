import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { GlossaryTerm } from './glossary.entity.js';
import { GlossaryChanges } from './glossary-changes.js';

/** Deletes terms of one family, all or none. */
export class DeleteTerms extends Command<{ count: number }> {
  constructor(
    readonly familyId: number,
    readonly ids: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(DeleteTerms)
export class DeleteTermsHandler implements ICommandHandler<DeleteTerms> {
  constructor(private readonly changes: GlossaryChanges) {}

  async execute({ familyId, ids }: DeleteTerms): Promise<{ count: number }> {
    const unique = [...new Set(ids)];
    const { answer } = await this.changes.make(familyId, async (em) => {
      const count = await em.nativeDelete(GlossaryTerm, { familyId, id: { $in: unique } });
      if (count !== unique.length) throw new Refusal('NOT_FOUND');
      return { answer: { count }, changed: true };
    });
    return answer;
  }
}
