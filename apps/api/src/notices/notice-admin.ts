import { EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { type AuthorOf, findManagerName, Manager, recordChange } from '../platform/manager-actions.js';
import { Outbox } from '../platform/outbox.js';
import { Notice } from './notice.entity.js';

/** The caller has sanitized the texts. */
export type DraftNotice = Pick<Notice, 'zh' | 'en' | 'startsAt' | 'endsAt'>;
export type WrittenNotice = DraftNotice & { startsAt: Date };
export type NoticeRecord = Notice & { manager: string };
export type SavedNotice = { id: number; version: number };

/** `publish`: a draft becomes public, and a public notice changes. `version`: the one that the author has read; absent: any. */
type How = { publish: boolean; version?: number };

const LISTED_MOST = 200;

/** Write operations on notices. Every change of a published one is told to all streams: now, when the notice starts, and when it ends. */
@Injectable()
export class NoticeAdmin {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
    @Inject(Clock) private readonly clock: Pick<Clock, 'now' | 'toWire'>,
  ) {}

  /** The last two hundred, newest first, without drafts that were thrown away. */
  all(): Promise<NoticeRecord[]> {
    return this.#named({}, LISTED_MOST);
  }

  async find(id: number): Promise<NoticeRecord | null> {
    const [found] = await this.#named({ id }, 1);
    return found ?? null;
  }

  /** A new notice, or a draft of one. */
  add(notice: DraftNotice, { publish }: How, author: AuthorOf): Promise<SavedNotice> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const publishedAt = publish ? this.clock.now() : null;
      const id = Number(await em.insert(Notice, { ...fieldsOf(notice), publishedAt, managerId: by.managerId }));
      await recordChange(em, by, { target: targetOf(id), before: null, after: told(notice, publish) });
      if (publish) await this.#changed(em, id, notice);
      return { id, version: await versionOf(em, id) };
    });
  }

  /** Null for an unknown or withdrawn notice. Throws EDITED_MEANWHILE. */
  change(id: number, notice: DraftNotice, how: How, author: AuthorOf): Promise<SavedNotice | null> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const before = await lockNotice(em, id);
      if (!before) return null;
      if (how.version !== undefined && how.version !== before.changedAt.getTime()) {
        const changedBy = await findManagerName(em, before.managerId);
        throw new Refusal('EDITED_MEANWHILE', { data: { changedBy, changedAt: this.clock.toWire(before.changedAt) } });
      }
      const wasPublic = before.publishedAt !== null;
      const isPublic = wasPublic || how.publish;
      const publishedAt = before.publishedAt ?? (how.publish ? this.clock.now() : null);
      const changedAt = raw("greatest(clock_timestamp(), changed_at + interval '1 millisecond')");
      const managerId = by.managerId;
      await em.nativeUpdate(Notice, { id }, { ...fieldsOf(notice), publishedAt, managerId, changedAt });
      await recordChange(em, by, {
        target: targetOf(id),
        before: told(before, wasPublic),
        after: told(notice, isPublic),
      });
      if (isPublic) await this.#changed(em, id, notice);
      return { id, version: await versionOf(em, id) };
    });
  }

  /** False for an unknown or withdrawn notice. */
  withdraw(id: number, author: AuthorOf): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const before = await lockNotice(em, id);
      if (!before) return false;
      const changedAt = raw("greatest(clock_timestamp(), changed_at + interval '1 millisecond')");
      await em.nativeUpdate(Notice, { id }, { withdrawnAt: raw('now()'), managerId: by.managerId, changedAt });
      const change = { before: { withdrawn: false }, after: { withdrawn: true } };
      await recordChange(em, by, { target: targetOf(id), ...change });
      const now = new Date();
      if (before.publishedAt) await this.#changed(em, id, { startsAt: now, endsAt: now });
      return true;
    });
  }

  async #named(where: { id?: number }, limit: number): Promise<NoticeRecord[]> {
    const em = this.em.fork();
    const kept = { $or: [{ publishedAt: { $ne: null } }, { withdrawnAt: null }] };
    const notices = await em.find(Notice, { ...where, ...kept }, { orderBy: { id: 'desc' }, limit });
    const managers = await em.find(Manager, { id: { $in: notices.map(({ managerId }) => managerId) } });
    const names = new Map(managers.map(({ id, name }) => [id, name]));
    return notices.map((notice) => ({ ...notice, manager: names.get(notice.managerId) ?? '' }));
  }

  #changed(em: EntityManager, noticeId: number, { startsAt, endsAt }: Pick<Notice, 'startsAt' | 'endsAt'>) {
    const times = { startsAt: (startsAt ?? this.clock.now()).getTime(), endsAt: endsAt?.getTime() ?? null };
    return this.outbox.record(em, { type: 'NoticeChanged', noticeId, ...times });
  }
}

const targetOf = (id: number) => ({ kind: 'notice', id: String(id) }) as const;

const fieldsOf = ({ zh, en, startsAt, endsAt }: DraftNotice): DraftNotice => ({ zh, en, startsAt, endsAt });

/** What the log has of it. */
const told = (notice: DraftNotice, published: boolean) => ({ ...fieldsOf(notice), published });

/** The notice, locked until the transaction of `em` ends; null when unknown or withdrawn. */
const lockNotice = (em: EntityManager, id: number): Promise<Notice | null> =>
  em.findOne(Notice, { id, withdrawnAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true });

async function versionOf(em: EntityManager, id: number): Promise<number> {
  const { changedAt } = await em.findOneOrFail(Notice, { id }, { disableIdentityMap: true });
  return changedAt.getTime();
}
