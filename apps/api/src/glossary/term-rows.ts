import type { EntityManager } from '@mikro-orm/postgresql';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { exportTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { type Term, termKey } from '@yiqiao/domain/glossary';
import type { Clock } from '../platform/clock.js';
import { filterOf } from './asked-pair.js';
import type { Glossary } from './glossary.js';

export type TermRow = Answer<typeof saveTerm>;

/** A term with its pair of langCodes. */
export type PairedTerm = Term & { readonly source: string; readonly target: string };

/** As `glossary_term` holds it. */
export type StoredTerm = PairedTerm & { readonly id: number; readonly created_at: Date; readonly updated_at: Date };

export const COLUMNS = 'id, source, target, term, translation, created_at, updated_at';

/** What a term is found by in its table: the key that is unique within its pair, and what the filter of the page looks in. */
export const keysOf = ({ term, translation }: Term): { readonly termKey: string; readonly sought: string } => ({
  termKey: termKey(term),
  sought: lookedFor(`${term}\n${translation}`),
});

const lookedFor = (text: string): string => text.normalize('NFKC').toLowerCase();

export const wireRow = ({ id, created_at, updated_at, ...term }: StoredTerm, clock: Clock): TermRow => ({
  id: Number(id),
  ...term,
  createDateTime: clock.toWire(new Date(created_at)),
  updateDateTime: clock.toWire(new Date(updated_at)),
});

/** The condition over `glossary_term` that a filter is; `keyword` is taken literally. */
export type Matching = { readonly condition: string; readonly parameters: readonly (string | number)[] };

export function matching(familyId: number, filter: Input<typeof exportTerms>, glossary: Glossary): Matching {
  const { source, target } = filterOf(glossary, filter);
  const keyword = lookedFor(filter.keyword ?? '').trim();
  const wanted: (readonly [condition: string, parameter: string | number])[] = [['family_id = ?', familyId]];
  if (source !== undefined) wanted.push(['source = ?', source]);
  if (target !== undefined) wanted.push(['target = ?', target]);
  if (keyword !== '') wanted.push(['position(? IN sought) > 0', keyword]);
  return {
    condition: wanted.map(([condition]) => condition).join(' AND '),
    parameters: wanted.map(([, parameter]) => parameter),
  };
}

/** The terms that match, newest first. */
export const readTerms = (
  em: EntityManager,
  { condition, parameters }: Matching,
  limit: { readonly count: number; readonly offset: number },
): Promise<StoredTerm[]> =>
  em.execute<StoredTerm[]>(
    `SELECT ${COLUMNS} FROM glossary_term WHERE ${condition} ORDER BY id DESC LIMIT ? OFFSET ?`,
    [...parameters, limit.count, limit.offset],
  );
