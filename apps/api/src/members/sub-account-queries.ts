import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getChildUser, listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { Ledger, SpendingCaps } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { findByName } from './find-by-name.js';

export type SubAccountRow = Answer<typeof getChildUser>;

type Row = {
  id: number;
  account: string;
  nickname: string | null;
  enabled: boolean;
  auto: boolean;
  last_login: Date | null;
};

/** Reads sub-accounts for their main account (decisions §9). */
@Injectable()
export class SubAccountQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly caps: SpendingCaps,
    private readonly clock: Clock,
  ) {}

  /** The rows of these sub-accounts of `mainId`, newest first, without those of other families and deleted ones. A fixed number of statements. */
  async read(mainId: number, userIds: readonly number[]): Promise<SubAccountRow[]> {
    if (userIds.length === 0) return [];
    const rows = await this.em.fork().execute<Row[]>(ROWS, [`{${userIds.join(',')}}`, mainId]);
    const ids = rows.map((row) => Number(row.id));
    const [balances, caps] = await Promise.all([this.ledger.balancesOf(ids), this.caps.of(ids)]);
    return rows.map((row) => {
      const balance = balances.get(Number(row.id));
      return {
        userId: Number(row.id),
        account: row.account,
        nickname: row.nickname ?? row.account,
        enabled: row.enabled ? 1 : 0,
        autoDistribution: row.auto ? 1 : 0,
        lastLoginDateTime: row.last_login && this.clock.toWire(new Date(row.last_login)),
        memberAccount: {
          usableCharNum: balance?.usableCharNum ?? 0,
          usableVoiceNum: balance?.usableVoiceNum ?? 0,
          usableImageNum: balance?.usableImageNum ?? 0,
        },
        usedCharTotal: balance?.usedCharTotal ?? 0,
        caps: caps.get(Number(row.id)) ?? null,
      };
    });
  }

  /** Throws NOT_FOUND for an id that is not an open sub-account of `mainId`. */
  async one(mainId: number, userId: number): Promise<SubAccountRow> {
    const [row] = await this.read(mainId, [userId]);
    if (!row) throw new Refusal('NOT_FOUND');
    return row;
  }
}

// Raw: the last login by a lateral join.
const ROWS = `
SELECT m.id, i.shown AS account, m.nickname, m.enabled, m.auto_distribution AS auto, l.logged_in_at AS last_login
FROM member m
JOIN identity i ON i.user_id = m.id AND i.kind = 'username'
LEFT JOIN LATERAL (SELECT logged_in_at FROM login_log WHERE user_id = m.id ORDER BY logged_in_at DESC, id DESC LIMIT 1) l ON true
WHERE m.id = ANY (?::bigint[]) AND m.parent_id = ? AND m.closed_at IS NULL
ORDER BY m.id DESC`;

export class GetChildUser extends Query<SubAccountRow> {
  constructor(
    readonly mainId: number,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetChildUser)
export class GetChildUserHandler implements IQueryHandler<GetChildUser> {
  constructor(private readonly subAccountQueries: SubAccountQueries) {}

  execute({ mainId, userId }: GetChildUser): Promise<SubAccountRow> {
    return this.subAccountQueries.one(mainId, userId);
  }
}

type Page = Answer<typeof listChildUsers>;

export class ListChildUsers extends Query<Page> {
  constructor(
    readonly mainId: number,
    readonly input: Input<typeof listChildUsers>,
  ) {
    super();
  }
}

/** Searches the names first, then reads the rows of the page. */
@QueryHandler(ListChildUsers)
export class ListChildUsersHandler implements IQueryHandler<ListChildUsers> {
  constructor(
    private readonly em: EntityManager,
    private readonly subAccountQueries: SubAccountQueries,
  ) {}

  async execute({ mainId, input }: ListChildUsers): Promise<Page> {
    const { pageNum, pageSize, account = '' } = input;
    const search = { mainId, text: account, limit: pageSize, offset: (pageNum - 1) * pageSize };
    const { ids, total } = await findByName(this.em.fork(), search);
    return { rows: await this.subAccountQueries.read(mainId, ids), total };
  }
}
