import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type AuthorOf, recordChange } from '../platform/manager-actions.js';

/** Configuration that operators change at run time (decisions §6): JSON documents by id. */
export type DataConfig = { id: string; valued: unknown; public: boolean; changedAt: Date };

type Row = { id: string; text: string; public: boolean; changed_at: Date };

/** Raw SQL, here and below: a document may be JSON's null, which the ORM cannot tell from SQL's NULL. */
const COLUMNS = 'id, valued::text AS text, public, changed_at';

/** The configured documents: brand, contacts, links, payment pages. */
@Injectable()
export class Site {
  constructor(private readonly em: EntityManager) {}

  /** The document under this id, public or not; null when there is none. */
  async config(id: string): Promise<unknown> {
    return (await this.find(id))?.valued ?? null;
  }

  async find(id: string): Promise<DataConfig | null> {
    const [row] = await this.em.fork().execute<Row[]>(`SELECT ${COLUMNS} FROM data_config WHERE id = ?`, [id]);
    return row ? dataConfigOf(row) : null;
  }

  async all(): Promise<DataConfig[]> {
    const rows = await this.em.fork().execute<Row[]>(`SELECT ${COLUMNS} FROM data_config ORDER BY id`);
    return rows.map(dataConfigOf);
  }

  /** Adds missing documents. */
  async seed(documents: readonly Omit<DataConfig, 'changedAt'>[]): Promise<void> {
    for (const { id, valued, public: isPublic } of documents)
      await this.em
        .fork()
        .execute(`INSERT INTO data_config (id, valued, public) VALUES (?, ?::jsonb, ?) ON CONFLICT (id) DO NOTHING`, [
          id,
          JSON.stringify(valued),
          isPublic,
        ]);
  }

  /**
   * Replaces the document and records the author in one transaction. Returns the previous document; null when there was none. The caller has
   * checked `valued`. Without `public` the visibility is kept, and a new document is public.
   */
  set(
    document: Pick<DataConfig, 'id' | 'valued'> & { public?: boolean },
    author: AuthorOf,
  ): Promise<DataConfig | null> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      // An advisory lock, because a new document has no row to lock.
      await em.execute(`SELECT pg_advisory_xact_lock(hashtext('data_config'), hashtext(?))`, [document.id]);
      const [row] = await em.execute<Row[]>(`SELECT ${COLUMNS} FROM data_config WHERE id = ?`, [document.id]);
      const before = row ? dataConfigOf(row) : null;
      const after = { ...document, public: document.public ?? before?.public ?? true };
      await em.execute(
        `INSERT INTO data_config (id, valued, public) VALUES (?, ?::jsonb, ?)
         ON CONFLICT (id) DO UPDATE SET valued = excluded.valued, public = excluded.public, changed_at = now()`,
        [after.id, JSON.stringify(after.valued), after.public],
      );
      const target = { kind: 'config', id: after.id } as const;
      await recordChange(em, by, { target, before: before && loggedValue(before), after: loggedValue(after) });
      return before;
    });
  }
}

/** The value to log: only the digest of a private document, which may be a secret. */
const loggedValue = ({ valued, public: isPublic }: Pick<DataConfig, 'valued' | 'public'>): Record<string, unknown> => ({
  public: isPublic,
  ...(isPublic ? { valued } : { sha256: createHash('sha256').update(JSON.stringify(valued)).digest('hex') }),
});

const dataConfigOf = ({ id, text, public: isPublic, changed_at }: Row): DataConfig => ({
  id,
  valued: JSON.parse(text),
  public: isPublic,
  changedAt: changed_at,
});
