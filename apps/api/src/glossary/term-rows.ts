import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { exportTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { type Term, termKey } from '@yiqiao/domain/glossary';
import type { Clock } from '../platform/clock.js';
import { readFilter } from './language-pair.js';
import type { GlossaryTerm } from './glossary.entity.js';
import type { Glossary } from './glossary.js';

export type TermRow = Answer<typeof saveTerm>;

/** A term with its pair of langCodes. */
export type PairedTerm = Term & { readonly source: string; readonly target: string };

/** The derived columns of a term: its unique key, and the text that the filter searches. */
export const keysOf = ({ term, translation }: Term): { readonly termKey: string; readonly sought: string } => ({
  termKey: termKey(term),
  sought: searchText(`${term}\n${translation}`),
});

const searchText = (text: string): string => text.normalize('NFKC').toLowerCase();

export const wireRow = (
  { id, source, target, term, translation, createdAt, updatedAt }: GlossaryTerm,
  clock: Clock,
) => ({
  id,
  source,
  target,
  term,
  translation,
  createDateTime: clock.toWire(createdAt),
  updateDateTime: clock.toWire(updatedAt),
});

/** `keyword` is matched literally. */
export type TermFilter = Pick<GlossaryTerm, 'familyId'> & { source?: string; target?: string; keyword: string };

export function termFilter(familyId: number, filter: Input<typeof exportTerms>, glossary: Glossary): TermFilter {
  const { source, target } = readFilter(glossary, filter);
  return {
    familyId,
    ...(source === undefined ? {} : { source }),
    ...(target === undefined ? {} : { target }),
    keyword: searchText(filter.keyword ?? '').trim(),
  };
}

/** The condition for the ORM. */
export function whereOf({ keyword, ...pair }: TermFilter): FilterQuery<GlossaryTerm> {
  const literal = keyword.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return keyword === '' ? pair : { ...pair, sought: { $like: `%${literal}%` } };
}
