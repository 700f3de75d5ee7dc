import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type PairTerms, type Term, TermIndex } from '@yiqiao/domain/glossary';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { CachedReads } from '../platform/cached-reads.js';

/** The terms of a family as they were when it was asked for. `version` 0: it never had any. */
export type FamilyGlossary = {
  readonly version: number;
  /** All that it has. */
  pairs(this: void): readonly PairTerms[];
  /** Null when the family has no terms for this pair (langCodes). */
  terms(source: string, target: string): PairTerms | null;
};

export const NO_TERMS: FamilyGlossary = { version: 0, pairs: () => [], terms: () => null };

/** So many terms, of all families together, are kept ready. */
const KEPT = 100_000;

type Kept = { readonly version: number; readonly count: number; readonly glossary: FamilyGlossary };

/** The words that families want translated their own way (docs/decisions/0019). */
@Injectable()
export class Glossary {
  // Who has no terms costs one shared read in half a second, and nothing else.
  readonly #versions = new CachedReads<number, number>((familyIds) => this.#readVersions(familyIds));
  /** The one that was used longest ago first. */
  readonly #kept = new Map<number, Kept>();
  readonly #reading = new Map<string, Promise<FamilyGlossary>>();
  #canonical: (code: string) => string | null = () => null;

  constructor(
    private readonly em: EntityManager,
    caches: CacheInvalidation,
  ) {
    caches.onInvalidate((userId) => this.#versions.invalidate(userId));
  }

  /** Whose trade the languages are says here what a code means: its langCode, or null. */
  speak(canonical: (code: string) => string | null): void {
    this.#canonical = canonical;
  }

  langCode(code: string): string | null {
    return this.#canonical(code);
  }

  /** What is changed counts at once in the process that changed it, in the others within half a second. */
  async of(familyId: number): Promise<FamilyGlossary> {
    const version = (await this.#versions.get(familyId)) ?? 0;
    if (version === 0) return NO_TERMS;
    const kept = this.#kept.get(familyId);
    if (kept === undefined || kept.version < version) return this.#readOnce(familyId, version);
    this.#keep(familyId, kept);
    return kept.glossary;
  }

  /** The same as it is now, also where another process has changed it. */
  present(familyId: number): Promise<FamilyGlossary> {
    this.#versions.invalidate(familyId);
    return this.of(familyId);
  }

  async #readVersions(familyIds: number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.em
      .fork()
      .execute<{ family_id: number; version: number }[]>(
        'SELECT family_id, version FROM glossary WHERE family_id = ANY (?::bigint[])',
        [`{${familyIds.join(',')}}`],
      );
    return new Map(rows.map(({ family_id, version }) => [Number(family_id), Number(version)]));
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

  // One statement: version and terms are of the same moment.
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
    this.#keep(familyId, { version, count: rows.length, glossary });
    return glossary;
  }

  #keep(familyId: number, kept: Kept): void {
    this.#kept.delete(familyId);
    this.#kept.set(familyId, kept);
    let count = 0;
    for (const one of this.#kept.values()) count += one.count;
    for (const [id, one] of this.#kept) {
      if (count <= KEPT || id === familyId) break;
      this.#kept.delete(id);
      count -= one.count;
    }
  }
}

type TermRow = { readonly source: string; readonly target: string } & Term;
type Row = { readonly version: number } & (TermRow | { readonly term: null });

const isTerm = (row: Row): row is Row & TermRow => row.term !== null;

const pairKey = (source: string, target: string): string => `${source} ${target}`;

/** Each pair is arranged when it is first asked for. */
const termsBy = (familyId: number, pairs: ReadonlyMap<string, readonly TermRow[]>): FamilyGlossary['terms'] => {
  const made = new Map<string, PairTerms>();
  return (source, target) => {
    const key = pairKey(source, target);
    const rows = pairs.get(key);
    if (!rows) return null;
    let terms = made.get(key);
    if (!terms) made.set(key, (terms = arranged({ familyId, source, target }, rows)));
    return terms;
  };
};

const arranged = (pair: Pick<PairTerms, 'familyId' | 'source' | 'target'>, rows: readonly TermRow[]): PairTerms => {
  const list = rows.map(({ term, translation }) => ({ term, translation }));
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16);
  return { ...pair, digest, list, index: new TermIndex(list) };
};
