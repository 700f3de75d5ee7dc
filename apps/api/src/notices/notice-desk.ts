import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Outbox } from '../platform/outbox.js';
import type { NoticeTexts } from './notice-board.js';

export type NoticeSpan = { readonly startsAt: Date; readonly endsAt: Date | null };
/** Texts have been cleaned by whoever writes them. */
export type WrittenNotice = { readonly zh: NoticeTexts; readonly en: NoticeTexts } & NoticeSpan;
/** The id of the operator who does it, written down in the same transaction. */
type Operator = (em: EntityManager) => Promise<number>;

export type NoticeRecord = {
  id: number;
  zh: NoticeTexts;
  startsAt: Date;
  endsAt: Date | null;
  withdrawnAt: Date | null;
  manager: string;
};

type Row = {
  id: string;
  zh: NoticeTexts;
  starts_at: Date;
  ends_at: Date | null;
  withdrawn_at: Date | null;
  manager: string;
};

/** What operators do with notices. Whatever changes is told to all streams: now, when the notice begins, and when it ends. */
@Injectable()
export class NoticeDesk {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
  ) {}

  async all(): Promise<NoticeRecord[]> {
    const rows = await this.em.fork().execute<Row[]>(
      `SELECT n.id, n.zh, n.starts_at, n.ends_at, n.withdrawn_at, m.name AS manager
       FROM notice n JOIN manager m ON m.id = n.manager_id ORDER BY n.id DESC LIMIT 200`,
    );
    return rows.map((row) => ({
      ...{ id: Number(row.id), zh: row.zh, manager: row.manager },
      ...{ startsAt: row.starts_at, endsAt: row.ends_at, withdrawnAt: row.withdrawn_at },
    }));
  }

  /** Answers the new notice's id. */
  publish({ zh, en, ...span }: WrittenNotice, operator: Operator): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const [row] = await em.execute<{ id: string }[]>(
        `INSERT INTO notice (zh, en, starts_at, ends_at, manager_id) VALUES (?::jsonb, ?::jsonb, ?, ?, ?) RETURNING id`,
        [JSON.stringify(zh), JSON.stringify(en), span.startsAt, span.endsAt, await operator(em)],
      );
      const id = Number(row?.id);
      await this.#changed(em, id, span);
      return id;
    });
  }

  /** False when there is no such notice, or it was withdrawn. */
  change(id: number, { zh, en, ...span }: WrittenNotice, operator: Operator): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const rows = await em.execute<unknown[]>(
        `UPDATE notice SET zh = ?::jsonb, en = ?::jsonb, starts_at = ?, ends_at = ?, manager_id = ?,
           changed_at = greatest(clock_timestamp(), changed_at + interval '1 millisecond')
         WHERE id = ? AND withdrawn_at IS NULL RETURNING id`,
        [JSON.stringify(zh), JSON.stringify(en), span.startsAt, span.endsAt, await operator(em), id],
      );
      if (rows.length > 0) await this.#changed(em, id, span);
      return rows.length > 0;
    });
  }

  /** False when there is no such notice, or it was withdrawn before. */
  withdraw(id: number, operator: Operator): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const rows = await em.execute<unknown[]>(
        'UPDATE notice SET withdrawn_at = now(), manager_id = ? WHERE id = ? AND withdrawn_at IS NULL RETURNING id',
        [await operator(em), id],
      );
      const now = new Date();
      if (rows.length > 0) await this.#changed(em, id, { startsAt: now, endsAt: now });
      return rows.length > 0;
    });
  }

  #changed(em: EntityManager, noticeId: number, { startsAt, endsAt }: NoticeSpan): Promise<void> {
    const fact = { noticeId, startsAt: startsAt.getTime(), endsAt: endsAt?.getTime() ?? null };
    return this.outbox.record(em, { type: 'NoticeChanged', ...fact });
  }
}
