import { EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Manager, type AuthorOf, recordChange } from '../platform/manager-actions.js';
import { Outbox } from '../platform/outbox.js';
import { Notice } from './notice.entity.js';

type Schedule = Pick<Notice, 'startsAt' | 'endsAt'>;
/** The caller has sanitized the texts. */
export type WrittenNotice = Pick<Notice, 'zh' | 'en' | 'startsAt' | 'endsAt'>;
export type NoticeRecord = Notice & { manager: string };

/** Write operations on notices. Every change is published to all streams: now, when the notice starts, and when it ends. */
@Injectable()
export class NoticeAdmin {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
  ) {}

  async all(): Promise<NoticeRecord[]> {
    const em = this.em.fork();
    const notices = await em.find(Notice, {}, { orderBy: { id: 'desc' }, limit: 200 });
    const managers = await em.find(Manager, { id: { $in: notices.map(({ managerId }) => managerId) } });
    const names = new Map(managers.map(({ id, name }) => [id, name]));
    return notices.map((notice) => ({ ...notice, manager: names.get(notice.managerId) ?? '' }));
  }

  /** Returns the new notice's id. */
  publish({ zh, en, startsAt, endsAt }: WrittenNotice, author: AuthorOf): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const notice = { zh, en, startsAt, endsAt };
      const by = await author(em);
      const id = Number(await em.insert(Notice, { ...notice, managerId: by.managerId }));
      await recordChange(em, by, { target: targetOf(id), before: null, after: notice });
      await this.#changed(em, id, notice);
      return id;
    });
  }

  /** False for an unknown or withdrawn notice. */
  change(id: number, { zh, en, startsAt, endsAt }: WrittenNotice, author: AuthorOf): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const notice = { zh, en, startsAt, endsAt };
      const by = await author(em);
      const before = await lockNotice(em, id);
      if (!before) return false;
      const changedAt = raw("greatest(clock_timestamp(), changed_at + interval '1 millisecond')");
      await em.nativeUpdate(Notice, { id }, { ...notice, managerId: by.managerId, changedAt });
      await recordChange(em, by, { target: targetOf(id), before, after: notice });
      await this.#changed(em, id, notice);
      return true;
    });
  }

  /** False for an unknown or withdrawn notice. */
  withdraw(id: number, author: AuthorOf): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      if (!(await lockNotice(em, id))) return false;
      await em.nativeUpdate(Notice, { id }, { withdrawnAt: raw('now()'), managerId: by.managerId });
      const change = { before: { withdrawn: false }, after: { withdrawn: true } };
      await recordChange(em, by, { target: targetOf(id), ...change });
      const now = new Date();
      await this.#changed(em, id, { startsAt: now, endsAt: now });
      return true;
    });
  }

  #changed(em: EntityManager, noticeId: number, { startsAt, endsAt }: Schedule): Promise<void> {
    const times = { noticeId, startsAt: startsAt.getTime(), endsAt: endsAt?.getTime() ?? null };
    return this.outbox.record(em, { type: 'NoticeChanged', ...times });
  }
}

const targetOf = (id: number) => ({ kind: 'notice', id: String(id) }) as const;

/** The notice, locked until the transaction of `em` ends; null when unknown or withdrawn. */
async function lockNotice(em: EntityManager, id: number): Promise<WrittenNotice | null> {
  const notice = await em.findOne(Notice, { id, withdrawnAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return notice && { zh: notice.zh, en: notice.en, startsAt: notice.startsAt, endsAt: notice.endsAt };
}
