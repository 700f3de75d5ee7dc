import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** What operators configure without a new version (decisions §6): JSON documents by their ids. */
export type DataConfig = { id: string; valued: unknown; public: boolean; changedAt: Date };

type Row = { id: string; text: string; public: boolean; changed_at: Date };

/** `text` keeps JSON's null apart from no row at all, whatever the driver makes of it. */
const COLUMNS = 'id, valued::text AS text, public, changed_at';

/** The data config: brand, contacts, links, payment pages. */
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

  /** Writes what is not there yet, and leaves what is. */
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

  /** `valued` has been checked by whoever sets it. */
  async set({ id, valued, public: isPublic }: Omit<DataConfig, 'changedAt'>): Promise<void> {
    await this.em.fork().execute(
      `INSERT INTO data_config (id, valued, public) VALUES (?, ?::jsonb, ?)
       ON CONFLICT (id) DO UPDATE SET valued = excluded.valued, public = excluded.public, changed_at = now()`,
      [id, JSON.stringify(valued), isPublic],
    );
  }
}

const dataConfigOf = ({ id, text, public: isPublic, changed_at }: Row): DataConfig => ({
  id,
  valued: JSON.parse(text),
  public: isPublic,
  changedAt: changed_at,
});
