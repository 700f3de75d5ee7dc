import { createHash } from 'node:crypto';
import { defineEntity, p, Type } from '@mikro-orm/core';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { siteInfo } from '@yiqiao/contracts/site-documents';
import { Clock } from '../platform/clock.js';
import { lockKey } from '../platform/database.js';
import { type AuthorOf, lastManagerOf, recordChange } from '../platform/manager-actions.js';

/** A document may be JSON's null, which `p.json` cannot tell from SQL's NULL. */
class DocumentType extends Type<unknown, string> {
  override convertToDatabaseValue(value: unknown): string {
    return JSON.stringify(value);
  }

  override convertToJSValue(text: string): unknown {
    return JSON.parse(text);
  }

  override convertToJSValueSQL(column: string): string {
    return `${column}::text`;
  }

  override getColumnType(): string {
    return 'jsonb';
  }
}

const schema = defineEntity({
  name: 'DataConfig',
  properties: {
    id: p.string().primary(),
    valued: p.type(DocumentType).$type<unknown>(),
    public: p.boolean(),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

/** Configuration that operators change at run time (decisions §6): JSON documents by id. */
export class DataConfig extends schema.class {}
schema.setClass(DataConfig);

/** Until operators configure another. */
const BRAND: Record<Language, string> = { zh: '译桥', en: 'Yiqiao' };

/** The configured documents: brand, contacts, links, payment pages. */
@Injectable()
export class Site {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** The document under this id, public or not; null when there is none. */
  async config(id: string): Promise<unknown> {
    return (await this.find(id))?.valued ?? null;
  }

  find(id: string): Promise<DataConfig | null> {
    return this.em.fork().findOne(DataConfig, { id });
  }

  /** Brand and company of the seller in both languages, on the connection of `em`; a company that is not configured is the brand. */
  async seller(em: EntityManager): Promise<Record<Language, { brand: string; company: string }>> {
    const row = await em.findOne(DataConfig, { id: 'SITE_INFO' }, { disableIdentityMap: true });
    const { brand, seller = brand } = siteInfo.safeParse(row?.valued).data ?? { brand: BRAND };
    const named = (language: Language) => ({
      brand: brand[language] || BRAND[language],
      company: seller[language] || brand[language] || BRAND[language],
    });
    return { zh: named('zh'), en: named('en') };
  }

  all(): Promise<DataConfig[]> {
    return this.em.fork().findAll(DataConfig, { orderBy: { id: 'asc' } });
  }

  /** Adds missing documents. */
  async seed(documents: readonly Omit<DataConfig, 'changedAt'>[]): Promise<void> {
    await this.em
      .fork()
      .upsertMany(DataConfig, [...documents], { onConflictFields: ['id'], onConflictAction: 'ignore' });
  }

  /**
   * Replaces the document and records the author in one transaction. `before`: the previous document; null when there was none. The caller
   * has checked `valued`. Without `public` the visibility is kept, and a new document is public. `version`: the one that the author has
   * read, 0 for none; another in between throws EDITED_MEANWHILE.
   */
  set(
    document: Pick<DataConfig, 'id' | 'valued'> & { public?: boolean },
    author: AuthorOf,
    version?: number,
  ): Promise<{ before: DataConfig | null; version: number }> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      // An advisory lock, because a new document has no row to lock.
      await lockKey(em, `data_config:${document.id}`);
      const before = await em.findOne(DataConfig, { id: document.id }, { disableIdentityMap: true });
      const target = { kind: 'config', id: document.id } as const;
      if (version !== undefined && version !== versionOf(before)) {
        const changedBy = (await lastManagerOf(em, target)) ?? '–';
        const changedAt = this.clock.toWire(before?.changedAt ?? this.clock.now());
        throw new Refusal('EDITED_MEANWHILE', { data: { changedBy, changedAt } });
      }
      const after = { ...document, public: document.public ?? before?.public ?? true };
      const changedAt = new Date(Math.max(Date.now(), versionOf(before) + 1));
      await em
        .createQueryBuilder(DataConfig)
        .insert(after)
        .onConflict('id')
        .merge({ valued: raw('excluded.valued'), public: raw('excluded.public'), changedAt })
        .execute();
      await recordChange(em, by, { target, before: before && loggedValue(before), after: loggedValue(after) });
      const saved = await em.findOneOrFail(DataConfig, { id: document.id }, { disableIdentityMap: true });
      return { before, version: versionOf(saved) };
    });
  }
}

/** Which version of a document it is; 0 for none. */
export const versionOf = (document: Pick<DataConfig, 'changedAt'> | null): number => document?.changedAt.getTime() ?? 0;

/** The value to log: only the digest of a private document, which may be a secret. */
const loggedValue = ({ valued, public: isPublic }: Pick<DataConfig, 'valued' | 'public'>): Record<string, unknown> => ({
  public: isPublic,
  ...(isPublic ? { valued } : { sha256: createHash('sha256').update(JSON.stringify(valued)).digest('hex') }),
});
