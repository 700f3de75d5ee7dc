import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { GlossaryChanges } from './glossary-changes.js';

/** Of one family, all or none. */
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
    const wanted = new Set(ids);
    const { answer } = await this.changes.make(familyId, async (em) => {
      const gone = await em.execute<unknown[]>(
        'DELETE FROM glossary_term WHERE family_id = ? AND id = ANY (?::bigint[]) RETURNING id',
        [familyId, `{${[...wanted].join(',')}}`],
      );
      if (gone.length !== wanted.size) throw new Refusal('NOT_FOUND');
      return { answer: { count: gone.length }, changed: true };
    });
    return answer;
  }
}
