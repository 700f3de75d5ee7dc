import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Outbox } from '../platform/outbox.js';
import { type AuthorOf, recordChange } from '../platform/manager-actions.js';
import type { NoticeTexts } from './notice-board.js';

export type NoticeSpan = { readonly startsAt: Date; readonly endsAt: Date | null };
/** Texts have been cleaned by whoever writes them. */
export type WrittenNotice = { readonly zh: NoticeTexts; readonly en: NoticeTexts } & NoticeSpan;

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
  publish({ zh, en, ...span }: WrittenNotice, author: AuthorOf): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const [row] = await em.execute<{ id: string }[]>(
        `INSERT INTO notice (zh, en, starts_at, ends_at, manager_id) VALUES (?::jsonb, ?::jsonb, ?, ?, ?) RETURNING id`,
        [JSON.stringify(zh), JSON.stringify(en), span.startsAt, span.endsAt, by.managerId],
      );
      const id = Number(row?.id);
      await recordChange(em, by, { target: targetOf(id), before: null, after: { zh, en, ...span } });
      await this.#changed(em, id, span);
      return id;
    });
  }

  /** False when there is no such notice, or it was withdrawn. */
  change(id: number, { zh, en, ...span }: WrittenNotice, author: AuthorOf): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const before = await shownNotice(em, id);
      if (!before) return false;
      await em.execute(
        `UPDATE notice SET zh = ?::jsonb, en = ?::jsonb, starts_at = ?, ends_at = ?, manager_id = ?,
           changed_at = greatest(clock_timestamp(), changed_at + interval '1 millisecond') WHERE id = ?`,
        [JSON.stringify(zh), JSON.stringify(en), span.startsAt, span.endsAt, by.managerId, id],
      );
      await recordChange(em, by, { target: targetOf(id), before, after: { zh, en, ...span } });
      await this.#changed(em, id, span);
      return true;
    });
  }

  /** False when there is no such notice, or it was withdrawn before. */
  withdraw(id: number, author: AuthorOf): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      if (!(await shownNotice(em, id))) return false;
      await em.execute('UPDATE notice SET withdrawn_at = now(), manager_id = ? WHERE id = ?', [by.managerId, id]);
      const change = { before: { withdrawn: false }, after: { withdrawn: true } };
      await recordChange(em, by, { target: targetOf(id), ...change });
      const now = new Date();
      await this.#changed(em, id, { startsAt: now, endsAt: now });
      return true;
    });
  }

  #changed(em: EntityManager, noticeId: number, { startsAt, endsAt }: NoticeSpan): Promise<void> {
    const fact = { noticeId, startsAt: startsAt.getTime(), endsAt: endsAt?.getTime() ?? null };
    return this.outbox.record(em, { type: 'NoticeChanged', ...fact });
  }
}

const targetOf = (id: number) => ({ kind: 'notice', id: String(id) }) as const;

/** A notice that was not withdrawn, locked until the transaction of `em` ends. */
async function shownNotice(em: EntityManager, id: number): Promise<WrittenNotice | null> {
  const [row] = await em.execute<(WrittenNotice & Record<string, unknown>)[]>(
    `SELECT zh, en, starts_at AS "startsAt", ends_at AS "endsAt" FROM notice WHERE id = ? AND withdrawn_at IS NULL FOR UPDATE`,
    [id],
  );
  return row ?? null;
}
