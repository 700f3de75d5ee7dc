import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { saveTerm } from '@yiqiao/contracts/glossary';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { readPair } from './language-pair.js';
import { type Changed, GlossaryChanges } from './glossary-changes.js';
import { GlossaryTerm } from './glossary.entity.js';
import { Glossary } from './glossary.js';
import { keysOf, type PairedTerm } from './term-keys.js';
import { type TermRow, wireRow } from './term-rows.js';

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
    const term = { ...given, ...readPair(this.glossary, given) };
    const { answer } = await this.changes.make(familyId, (em) => save(em, { familyId, id: id ?? null, term }));
    return wireRow(answer, this.clock);
  }
}

type TermChange = { readonly familyId: number; readonly id: number | null; readonly term: PairedTerm };

/** The caller has locked the family, so the check for duplicates is safe. */
async function save(em: EntityManager, { familyId, id, term }: TermChange): Promise<Changed<GlossaryTerm>> {
  const { source, target } = term;
  const keys = keysOf(term);
  const before = id === null ? null : await em.findOne(GlossaryTerm, { id, familyId }, { disableIdentityMap: true });
  if (id !== null && !before) throw new Refusal('NOT_FOUND');
  const same = await em.findOne(
    GlossaryTerm,
    { familyId, source, target, termKey: keys.termKey },
    { disableIdentityMap: true },
  );
  if (same && same.id !== id) throw new Refusal('TERM_EXISTS', { data: { id: same.id } });
  if (before && isSame(before, term)) return { answer: before, changed: false };
  const columns = { source, target, term: term.term, translation: term.translation, ...keys };
  if (before) await em.nativeUpdate(GlossaryTerm, { id: before.id }, { ...columns, updatedAt: raw('now()') });
  const savedId = before?.id ?? Number(await em.insert(GlossaryTerm, { familyId, ...columns }));
  const saved = await em.findOneOrFail(GlossaryTerm, { id: savedId }, { disableIdentityMap: true });
  return { answer: saved, changed: true };
}

const isSame = (one: PairedTerm, other: PairedTerm): boolean =>
  (['source', 'target', 'term', 'translation'] as const).every((field) => one[field] === other[field]);
