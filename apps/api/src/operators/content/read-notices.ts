import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getNotice, listNotices } from '@yiqiao/contracts/operator/notices';
import { Refusal } from '@yiqiao/domain/errors';
import { NoticeAdmin, type NoticeRecord } from '../../notices/notice-admin.js';
import { noticeState } from '../../notices/notice-state.js';
import { Clock } from '../../platform/clock.js';

type Listed = Answer<typeof listNotices>;
type Row = Answer<typeof getNotice>;

/** The last two hundred notices, drafts first (operators §10). */
export class ListAllNotices extends Query<Listed> {
  constructor(readonly input: Input<typeof listNotices>) {
    super();
  }
}

export class GetNotice extends Query<Row> {
  constructor(readonly id: number) {
    super();
  }
}

@QueryHandler(ListAllNotices)
export class ListAllNoticesHandler implements IQueryHandler<ListAllNotices> {
  constructor(
    private readonly desk: NoticeAdmin,
    private readonly clock: Clock,
  ) {}

  async execute({ input: { pageNum, pageSize } }: ListAllNotices): Promise<Listed> {
    const now = this.clock.now();
    const rows = (await this.desk.all()).map((notice) => rowOf(notice, this.clock, now)).sort(inOrder);
    const from = (pageNum - 1) * pageSize;
    return {
      rows: rows.slice(from, from + pageSize),
      total: rows.length,
      shown: rows.filter(({ state }) => state === 'shown').length,
    };
  }
}

@QueryHandler(GetNotice)
export class GetNoticeHandler implements IQueryHandler<GetNotice> {
  constructor(
    private readonly desk: NoticeAdmin,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: GetNotice): Promise<Row> {
    const found = await this.desk.find(id);
    if (!found) throw new Refusal('NOT_FOUND');
    return rowOf(found, this.clock, this.clock.now());
  }
}

/** What can still be changed stands above what is over. */
const RANK: Record<Row['state'], number> = { draft: 0, scheduled: 1, shown: 2, ended: 3, withdrawn: 3 };
const inOrder = (a: Row, b: Row): number =>
  RANK[a.state] - RANK[b.state] || (b.startsAt ?? '').localeCompare(a.startsAt ?? '') || b.id - a.id;

function rowOf(notice: NoticeRecord, clock: Clock, now: Date): Row {
  const wire = (date: Date | null | undefined): string | null => (date ? clock.toWire(date) : null);
  const { id, zh, en, startsAt, endsAt, withdrawnAt, changedAt, manager } = notice;
  return {
    id,
    state: noticeState(notice, now),
    zh,
    en,
    startsAt: wire(startsAt),
    endsAt: wire(endsAt),
    withdrawnAt: wire(withdrawnAt),
    changedAt: clock.toWire(changedAt),
    changedBy: manager,
    version: changedAt.getTime(),
  };
}
