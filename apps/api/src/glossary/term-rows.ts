import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { exportTerms, saveTerm } from '@yiqiao/contracts/glossary';
import type { Clock } from '../platform/clock.js';
import { readFilter } from './language-pair.js';
import type { GlossaryTerm } from './glossary.entity.js';
import type { Glossary } from './glossary.js';
import { searchText } from './term-keys.js';

export type TermRow = Answer<typeof saveTerm>;

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
