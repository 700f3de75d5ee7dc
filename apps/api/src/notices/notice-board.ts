import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import type { Language } from '@yiqiao/contracts/envelope';
import { NOTICES_MOST } from '@yiqiao/domain/limits';
import { CachedReads } from '../platform/cached-reads.js';

export type NoticeTexts = Omit<ShownNotice, 'id'>;
/** A notice in both languages; `changedAt` tells one version from another. */
export type Notice = { readonly id: number; readonly changedAt: number } & Readonly<Record<Language, NoticeTexts>>;

type Row = { id: string; zh: NoticeTexts; en: NoticeTexts; changed_at: Date };

const SHOWN = `
SELECT id, zh, en, changed_at FROM notice
WHERE withdrawn_at IS NULL AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
ORDER BY starts_at DESC, id DESC LIMIT ${NOTICES_MOST}`;

/** The notices that are shown now, the newest first. */
@Injectable()
export class NoticeBoard {
  readonly #shown: CachedReads<'shown', readonly Notice[]>;

  constructor(private readonly em: EntityManager) {
    this.#shown = new CachedReads(async () => new Map([['shown', await this.#read()]]));
  }

  /** At most half a second old: every page that is opened asks. */
  async shown(): Promise<readonly Notice[]> {
    return (await this.#shown.get('shown')) ?? [];
  }

  /** As they are at this moment. */
  async shownNow(): Promise<readonly Notice[]> {
    return (await this.#shown.refresh('shown')) ?? [];
  }

  async #read(): Promise<readonly Notice[]> {
    const rows = await this.em.fork().execute<Row[]>(SHOWN);
    return rows.map(({ id, zh, en, changed_at }) => ({ id: Number(id), zh, en, changedAt: changed_at.getTime() }));
  }
}

export const inLanguage = ({ id, ...notice }: Notice, language: Language): ShownNotice => ({ id, ...notice[language] });
