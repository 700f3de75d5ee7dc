import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { Members } from '../members/members.js';
import { CacheInvalidation } from '../platform/cache-invalidation.js';
import { Outbox } from '../platform/outbox.js';

/** What a change did. `changed` false: all was as it should be. */
export type Changed<T> = { readonly answer: T; readonly changed: boolean };

/** The one way to change a family's terms: one change at a time, one version for each. */
@Injectable()
export class GlossaryChanges {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly outbox: Outbox,
    private readonly caches: CacheInvalidation,
  ) {}

  /** Answers the version after the change too. Throws NOT_FOUND after log-off, GLOSSARY_FULL when there would be too many terms. */
  async make<T>(
    familyId: number,
    work: (em: EntityManager) => Promise<Changed<T>>,
  ): Promise<{ answer: T; version: number }> {
    const done = await this.em.fork().transactional(async (em) => {
      if (!(await this.members.lock(em, familyId))) throw new Refusal('NOT_FOUND');
      const { answer, changed } = await work(em);
      if (!changed) return { answer, version: await versionOf(em, familyId) };
      if ((await countOf(em, familyId)) > GLOSSARY_TERMS_MAX) throw new Refusal('GLOSSARY_FULL');
      await this.outbox.record(em, { type: 'GlossaryChanged', familyId });
      return { answer, version: await nextVersion(em, familyId) };
    });
    this.caches.invalidate(familyId);
    return done;
  }
}

const numberOf = (rows: readonly { readonly n: number }[]): number => Number(rows[0]?.n ?? 0);

const versionOf = async (em: EntityManager, familyId: number): Promise<number> =>
  numberOf(await em.execute('SELECT version AS n FROM glossary WHERE family_id = ?', [familyId]));

const countOf = async (em: EntityManager, familyId: number): Promise<number> =>
  numberOf(await em.execute('SELECT count(*) AS n FROM glossary_term WHERE family_id = ?', [familyId]));

const nextVersion = async (em: EntityManager, familyId: number): Promise<number> =>
  numberOf(
    await em.execute(
      `INSERT INTO glossary (family_id) VALUES (?)
       ON CONFLICT (family_id) DO UPDATE SET version = glossary.version + 1, changed_at = now() RETURNING version AS n`,
      [familyId],
    ),
  );
