import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type PairTerms, type Term, TermIndex } from '@yiqiao/domain/glossary';
import { GlossaryVersion } from './glossary.entity.js';
import { WrittenVersions } from './written-versions.js';

export { PairGlossaries, type PairGlossary } from './pair-glossaries.js';

/** A snapshot of a family's terms. `version` 0: it never had any. */
export type FamilyGlossary = {
  readonly version: number;
  /** All pairs with terms. */
  pairs(this: void): readonly PairTerms[];
  /** Null when the family has no terms for this pair (langCodes). */
  terms(source: string, target: string): PairTerms | null;
};

export const NO_TERMS: FamilyGlossary = { version: 0, pairs: () => [], terms: () => null };

/** Cached terms of all families together. */
const CACHED_TERMS_MAX = 100_000;

type CachedGlossary = { readonly version: number; readonly count: number; readonly glossary: FamilyGlossary };

/** Terms that families want translated their own way (docs/decisions/0019). */
@Injectable()
export class Glossary {
  /** Least recently used first. */
  readonly #cache = new Map<number, CachedGlossary>();
  readonly #reading = new Map<string, Promise<FamilyGlossary>>();
  #canonical: (code: string) => string | null = () => null;

  constructor(
    private readonly em: EntityManager,
    private readonly written: WrittenVersions,
  ) {}

  /** Sets the function that maps a language code to its langCode, or null. */
  useLanguages(canonical: (code: string) => string | null): void {
    this.#canonical = canonical;
  }

  langCode(code: string): string | null {
    return this.#canonical(code);
  }

  /**
   * The terms of this version or a later one. The caller passes the version because it has read it with other data (0: the family never had
   * terms); it may be half a second old.
   */
  async of(familyId: number, version: number): Promise<FamilyGlossary> {
    const least = this.written.newest(familyId, version);
    if (least === 0) return NO_TERMS;
    const cached = this.#cache.get(familyId);
    if (cached === undefined || cached.version < least) return this.#readOnce(familyId, least);
    this.#store(familyId, cached);
    return cached.glossary;
  }

  /** The current glossary, including changes by other processes. */
  async current(familyId: number): Promise<FamilyGlossary> {
    const found = await this.em.fork().findOne(GlossaryVersion, { familyId });
    return this.of(familyId, found?.version ?? 0);
  }

  #readOnce(familyId: number, version: number): Promise<FamilyGlossary> {
    const key = `${familyId}:${version}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(familyId).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  // Raw SQL: one statement reads version and terms consistently.
  async #read(familyId: number): Promise<FamilyGlossary> {
    const rows = await this.em.fork().execute<Row[]>(
      `SELECT g.version, t.source, t.target, t.term, t.translation
       FROM glossary g LEFT JOIN glossary_term t ON t.family_id = g.family_id
       WHERE g.family_id = ? ORDER BY t.id`,
      [familyId],
    );
    const [first] = rows;
    if (!first) return NO_TERMS;
    const version = Number(first.version);
    const pairs = Map.groupBy(rows.filter(isTerm), ({ source, target }) => pairKey(source, target));
    const terms = termsBy(familyId, pairs);
    const all = (): PairTerms[] =>
      [...pairs.values()].flatMap(([row]) => (row ? (terms(row.source, row.target) ?? []) : []));
    const glossary = { version, pairs: all, terms };
    this.#store(familyId, { version, count: rows.length, glossary });
    return glossary;
  }

  #store(familyId: number, entry: CachedGlossary): void {
    this.#cache.delete(familyId);
    this.#cache.set(familyId, entry);
    let count = 0;
    for (const one of this.#cache.values()) count += one.count;
    for (const [id, one] of this.#cache) {
      if (count <= CACHED_TERMS_MAX || id === familyId) break;
      this.#cache.delete(id);
      count -= one.count;
    }
  }
}

type TermRow = { readonly source: string; readonly target: string } & Term;
type Row = { readonly version: number } & (TermRow | { readonly term: null });

const isTerm = (row: Row): row is Row & TermRow => row.term !== null;

const pairKey = (source: string, target: string): string => `${source} ${target}`;

/** Builds the index of a pair on first use. */
const termsBy = (familyId: number, pairs: ReadonlyMap<string, readonly TermRow[]>): FamilyGlossary['terms'] => {
  const made = new Map<string, PairTerms>();
  return (source, target) => {
    const key = pairKey(source, target);
    const rows = pairs.get(key);
    if (!rows) return null;
    let terms = made.get(key);
    if (!terms) made.set(key, (terms = buildPairTerms({ familyId, source, target }, rows)));
    return terms;
  };
};

const buildPairTerms = (
  pair: Pick<PairTerms, 'familyId' | 'source' | 'target'>,
  rows: readonly TermRow[],
): PairTerms => {
  const list = rows.map(({ term, translation }) => ({ term, translation }));
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16);
  return { ...pair, digest, list, index: new TermIndex(list) };
};
