import type { EntityManager } from '@mikro-orm/postgresql';
import { GlossaryTerm } from './glossary.entity.js';
import { keyOf, keysOf, type PairedTerm } from './term-keys.js';

export type TermsChange = {
  readonly familyId: number;
  /** Replace: the given terms are all that the family has afterwards. */
  readonly mode: 'merge' | 'replace';
  readonly given: readonly PairedTerm[];
};

export type TermCounts = {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
};

/** Adds the given terms and gives existing ones the new translation, in the transaction of `em`, which has locked the family. */
export async function mergeTerms(em: EntityManager, { familyId, mode, given }: TermsChange): Promise<TermCounts> {
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
  return {
    added: added.length,
    changed: changed.length,
    unchanged: given.length - added.length - changed.length,
    removed: removed.length,
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
