import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Term } from '@yiqiao/domain/glossary';
import { GlossaryChanges } from './glossary-changes.js';
import { GlossaryTerm } from './glossary.entity.js';
import { mergeTerms } from './merge-terms.js';
import { keysOf } from './term-keys.js';

/** langCodes */
type Pair = { readonly source: string; readonly target: string };

/** The terms of one pair as a glossary of its own. `givenAt`: when all of them were given together, null when they were not. */
export type PairGlossary = Pair & { readonly count: number; readonly createdAt: Date; readonly givenAt: Date | null };

/**
 * A family's glossary, one pair of languages at a time, for clients that know many glossaries of one pair each. Terms that were given together
 * bear the same time, so that they can be taken away together, without those that came before or after.
 */
@Injectable()
export class PairGlossaries {
  constructor(
    private readonly em: EntityManager,
    private readonly changes: GlossaryChanges,
  ) {}

  /** Of every pair with terms. */
  async list(familyId: number): Promise<PairGlossary[]> {
    const rows = await this.em.fork().execute<Row[]>(PAIRS, [familyId]);
    return rows.map(({ source, target, terms, created, first, last }) => ({
      source,
      target,
      count: Number(terms),
      createdAt: new Date(Number(created)),
      givenAt: Number(first) === Number(last) ? new Date(Number(last)) : null,
    }));
  }

  /** In the order in which they were added. */
  async terms(familyId: number, { source, target }: Pair): Promise<Term[]> {
    const where = { familyId, source, target };
    const rows = await this.em.fork().find(GlossaryTerm, where, { orderBy: { id: 'asc' }, disableIdentityMap: true });
    return rows.map(({ term, translation }) => ({ term, translation }));
  }

  /**
   * Adds terms to a pair; existing ones get the new translation. Returns the time that all of them bear. Throws GLOSSARY_FULL, and NOT_FOUND
   * after log-off.
   */
  async add(familyId: number, pair: Pair, terms: readonly Term[]): Promise<Date> {
    const given = terms.map((term) => ({ ...term, ...pair }));
    const { answer } = await this.changes.make(familyId, async (em) => {
      const { added, changed } = await mergeTerms(em, { familyId, mode: 'merge', given });
      const keys = JSON.stringify(given.map((term) => keysOf(term).termKey));
      const [row] = await em.execute<{ at: string }[]>(TOUCH, [familyId, pair.source, pair.target, keys]);
      if (!row) throw new Error('no term was added');
      return { answer: new Date(Number(row.at)), changed: added + changed > 0 };
    });
    return answer;
  }

  /** Removes the terms of a pair: those that were given together at a time, or all. Returns their number. */
  async remove(familyId: number, pair: Pair, givenAt: Date | null): Promise<number> {
    const where = { familyId, ...pair, ...(givenAt && { updatedAt: givenAt }) };
    const { answer } = await this.changes.make(familyId, async (em) => {
      const count = await em.nativeDelete(GlossaryTerm, where);
      return { answer: count, changed: count > 0 };
    });
    return answer;
  }
}

type Row = Pair & { terms: string; created: string; first: string; last: string };

const ms = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::bigint`;

// Raw SQL: sums, and bulk work.
const PAIRS = `
SELECT source, target, count(*) AS terms, ${ms('min(created_at)')} AS created, ${ms('min(updated_at)')} AS first,
  ${ms('max(updated_at)')} AS last
FROM glossary_term WHERE family_id = ? GROUP BY source, target ORDER BY min(id)`;

const TOUCH = `
WITH touched AS (
  UPDATE glossary_term SET updated_at = now()
  WHERE family_id = ? AND source = ? AND target = ? AND term_key IN (SELECT jsonb_array_elements_text(?::jsonb))
  RETURNING updated_at)
SELECT ${ms('max(updated_at)')} AS at FROM touched HAVING count(*) > 0`;
