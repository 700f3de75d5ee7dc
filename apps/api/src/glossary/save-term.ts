import type { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { saveTerm } from '@yiqiao/contracts/glossary';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { pairOf } from './asked-pair.js';
import { type Changed, GlossaryChanges } from './glossary-changes.js';
import { Glossary } from './glossary.js';
import { COLUMNS, keysOf, type PairedTerm, type StoredTerm, type TermRow, wireRow } from './term-rows.js';

export class SaveTerm extends Command<TermRow> {
  constructor(
    readonly familyId: number,
    readonly input: Input<typeof saveTerm>,
  ) {
    super();
  }
}

/** Adds a term or edits one. */
@CommandHandler(SaveTerm)
export class SaveTermHandler implements ICommandHandler<SaveTerm> {
  constructor(
    private readonly changes: GlossaryChanges,
    private readonly glossary: Glossary,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, input: { id, ...given } }: SaveTerm): Promise<TermRow> {
    const term = { ...given, ...pairOf(this.glossary, given) };
    const { answer } = await this.changes.make(familyId, (em) => save(em, { familyId, id: id ?? null, term }));
    return wireRow(answer, this.clock);
  }
}

type Saving = { readonly familyId: number; readonly id: number | null; readonly term: PairedTerm };

/** The family is locked: nobody adds the same term meanwhile. */
async function save(em: EntityManager, { familyId, id, term }: Saving): Promise<Changed<StoredTerm>> {
  const { source, target, translation } = term;
  const { termKey, sought } = keysOf(term);
  const before = id === null ? null : await theirs(em, familyId, id);
  const [same] = await em.execute<{ id: number }[]>(
    'SELECT id FROM glossary_term WHERE family_id = ? AND source = ? AND target = ? AND term_key = ?',
    [familyId, source, target, termKey],
  );
  if (same && Number(same.id) !== id) throw new Refusal('TERM_EXISTS', { data: { id: Number(same.id) } });
  if (before && isSame(before, term)) return { answer: before, changed: false };
  const values = [source, target, term.term, termKey, translation, sought];
  const [row] = before
    ? await em.execute<StoredTerm[]>(
        `UPDATE glossary_term SET source = ?, target = ?, term = ?, term_key = ?, translation = ?, sought = ?,
           updated_at = now() WHERE id = ? RETURNING ${COLUMNS}`,
        [...values, before.id],
      )
    : await em.execute<StoredTerm[]>(
        `INSERT INTO glossary_term (family_id, source, target, term, term_key, translation, sought)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
        [familyId, ...values],
      );
  if (!row) throw new Error('a term was not saved');
  return { answer: row, changed: true };
}

async function theirs(em: EntityManager, familyId: number, id: number): Promise<StoredTerm> {
  const [row] = await em.execute<StoredTerm[]>(`SELECT ${COLUMNS} FROM glossary_term WHERE id = ? AND family_id = ?`, [
    id,
    familyId,
  ]);
  if (!row) throw new Refusal('NOT_FOUND');
  return row;
}

const isSame = (one: PairedTerm, other: PairedTerm): boolean =>
  (['source', 'target', 'term', 'translation'] as const).every((field) => one[field] === other[field]);
