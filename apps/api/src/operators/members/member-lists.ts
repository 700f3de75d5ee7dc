import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listMemberChildren, listMemberOrders } from '@yiqiao/contracts/operator/members';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { ListChildUsers } from '../../members/sub-account-queries.js';
import { ListOrders } from '../../orders/list-orders.js';
import { Clock } from '../../platform/clock.js';

type Children = Answer<typeof listMemberChildren>;
const USED_DAYS = 30;

export class ListMemberChildren extends Query<Children> {
  constructor(readonly request: Input<typeof listMemberChildren>) {
    super();
  }
}

/** The sub-accounts as their main account sees them, with what each used lately. */
@QueryHandler(ListMemberChildren)
export class ListMemberChildrenHandler implements IQueryHandler<ListMemberChildren> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { userId, ...paging } }: ListMemberChildren): Promise<Children> {
    const { rows, total } = await this.queries.execute(new ListChildUsers(userId, paging));
    const since = this.clock.lastDays(USED_DAYS)[0];
    const used = await this.em
      .fork()
      .execute<{ id: number; chars: number }[]>(USED, [userId, since, `{${rows.map((row) => row.userId).join(',')}}`]);
    const charsOf = new Map(used.map(({ id, chars }) => [Number(id), Number(chars)]));
    return { total, rows: rows.map((row) => ({ ...row, usedCharNum: charsOf.get(row.userId) ?? 0 })) };
  }
}

const USED = `
SELECT user_id AS id, sum(char_num)::bigint AS chars FROM usage_day
WHERE family_id = ? AND day >= ?::date AND user_id = ANY (?::bigint[]) GROUP BY user_id`;

type Orders = Answer<typeof listMemberOrders>;

export class ListMemberOrders extends Query<Orders> {
  constructor(readonly request: Input<typeof listMemberOrders>) {
    super();
  }
}

/** The orders as their member sees them, each with the entry that credited it. */
@QueryHandler(ListMemberOrders)
export class ListMemberOrdersHandler implements IQueryHandler<ListMemberOrders> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
  ) {}

  async execute({ request: { userId, ...paging } }: ListMemberOrders): Promise<Orders> {
    const { rows, total } = await this.queries.execute(new ListOrders(userId, { ...paging, payStatus: undefined }));
    const entries = await this.em
      .fork()
      .execute<{ id: number; seq: number }[]>(ENTRIES, [userId, `{${rows.map(({ id }) => id).join(',')}}`]);
    const seqOf = new Map(entries.map(({ id, seq }) => [Number(id), Number(seq)]));
    return { total, rows: rows.map((row) => ({ ...row, entrySeq: seqOf.get(row.id) ?? null })) };
  }
}

const ENTRIES = `
SELECT order_id AS id, seq FROM account_log
WHERE user_id = ? AND log_type = ${ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND order_id = ANY (?::bigint[])`;
