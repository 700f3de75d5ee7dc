import { readFile } from 'node:fs/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { importTerms } from '@yiqiao/contracts/glossary';
import { Clock } from '../platform/clock.js';
import { Outbox } from '../platform/outbox.js';
import { uuid7 } from '../platform/uuid7.js';
import { type Changed, GlossaryChanges } from './glossary-changes.js';
import { Glossary } from './glossary.js';
import { GlossaryTerm } from './glossary.entity.js';
import { keysOf, type PairedTerm } from './term-rows.js';
import { keyOf, readTermsFile } from './terms-file.js';

type Imported = Answer<typeof importTerms>;
type Mode = Input<typeof importTerms>['mode'];

/** Imports the terms of a file, all or none. */
export class ImportTerms extends Command<Imported> {
  constructor(
    readonly familyId: number,
    readonly mode: Mode,
    readonly path: string,
  ) {
    super();
  }
}

@CommandHandler(ImportTerms)
export class ImportTermsHandler implements ICommandHandler<ImportTerms> {
  constructor(
    private readonly changes: GlossaryChanges,
    private readonly glossary: Glossary,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, mode, path }: ImportTerms): Promise<Imported> {
    const given = readTermsFile(await readFile(path), this.glossary);
    const at = this.clock.now().getTime();
    const { answer, version } = await this.changes.make(familyId, async (em) => {
      const change = await applyImport(em, { familyId, mode, given });
      const importId = uuid7();
      await this.outbox.record(em, { type: 'GlossaryImported', familyId, importId, ...change.answer, at });
      return change;
    });
    return { ...answer, version };
  }
}

type ImportChange = { readonly familyId: number; readonly mode: Mode; readonly given: readonly PairedTerm[] };
type Counts = Omit<Imported, 'version'>;

async function applyImport(em: EntityManager, { familyId, mode, given }: ImportChange): Promise<Changed<Counts>> {
  const fields = ['id', 'source', 'target', 'term', 'translation'] as const;
  const rows = await em.find(GlossaryTerm, { familyId }, { fields, disableIdentityMap: true });
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  const givenKeys = new Set(given.map(keyOf));
  const added = given.filter((term) => !known.has(keyOf(term)));
  const changed = given.flatMap((term) => {
    const row = known.get(keyOf(term));
    return row && (row.term !== term.term || row.translation !== term.translation) ? [{ id: row.id, ...term }] : [];
  });
  const removed = mode === 'merge' ? [] : rows.filter((row) => !givenKeys.has(keyOf(row)));
  if (removed.length > 0) await em.nativeDelete(GlossaryTerm, { id: { $in: removed.map(({ id }) => id) } });
  if (changed.length > 0) await em.execute(CHANGE, [JSON.stringify(changed.map(rowOf))]);
  if (added.length > 0) await em.execute(ADD, [familyId, JSON.stringify(added.map(rowOf))]);
  const counts = { added: added.length, changed: changed.length, removed: removed.length };
  return {
    answer: { ...counts, unchanged: given.length - added.length - changed.length },
    changed: added.length + changed.length + removed.length > 0,
  };
}

const rowOf = <T extends PairedTerm>(term: T): object => {
  const { termKey: term_key, sought } = keysOf(term);
  return { ...term, term_key, sought };
};

// Raw SQL: bulk work.
const ADD = `
INSERT INTO glossary_term (family_id, source, target, term, term_key, translation, sought)
SELECT ?, source, target, term, term_key, translation, sought
FROM jsonb_to_recordset(?::jsonb)
  AS t (source text, target text, term text, term_key text, translation text, sought text)`;

const CHANGE = `
UPDATE glossary_term g SET term = t.term, translation = t.translation, sought = t.sought, updated_at = now()
FROM jsonb_to_recordset(?::jsonb) AS t (id bigint, term text, translation text, sought text) WHERE g.id = t.id`;
