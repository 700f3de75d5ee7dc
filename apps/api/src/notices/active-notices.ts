import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import type { Language } from '@yiqiao/contracts/envelope';
import { NOTICES_MOST } from '@yiqiao/domain/limits';
import { CachedReads } from '../platform/cached-reads.js';
import { Notice, type NoticeTexts } from './notice.entity.js';

/** A notice in both languages; `changedAt` identifies its version. */
export type ActiveNotice = { readonly id: number; readonly changedAt: number } & Readonly<
  Record<Language, NoticeTexts>
>;

/** The notices that are active now, newest first. */
@Injectable()
export class ActiveNotices {
  readonly #active: CachedReads<'active', readonly ActiveNotice[]>;

  constructor(private readonly em: EntityManager) {
    this.#active = new CachedReads(async () => new Map([['active', await this.#read()]]));
  }

  /** At most half a second old, because every page load reads them. */
  async list(): Promise<readonly ActiveNotice[]> {
    return (await this.#active.get('active')) ?? [];
  }

  /** Read again from the database. */
  async refresh(): Promise<readonly ActiveNotice[]> {
    return (await this.#active.refresh('active')) ?? [];
  }

  async #read(): Promise<readonly ActiveNotice[]> {
    const rows = await this.em.fork().find(
      Notice,
      {
        withdrawnAt: null,
        publishedAt: { $ne: null },
        startsAt: { $lte: raw('now()') },
        $or: [{ endsAt: null }, { endsAt: { $gt: raw('now()') } }],
      },
      { orderBy: { startsAt: 'desc', id: 'desc' }, limit: NOTICES_MOST },
    );
    return rows.map(({ id, zh, en, changedAt }) => ({ id, zh, en, changedAt: changedAt.getTime() }));
  }
}

export const inLanguage = ({ id, ...notice }: ActiveNotice, language: Language): ShownNotice => ({
  id,
  ...notice[language],
});
