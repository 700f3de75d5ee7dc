import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { uniqueKey } from '@yiqiao/domain/members';
import { SubAccountQueries } from './sub-account-queries.js';

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
    const em = this.em.fork();
    const found = [mainId, mainId, `%${escapeLike(uniqueKey(account))}%`];
    const [count] = await em.execute<{ total: number }[]>(`SELECT count(*) AS total ${FOUND}`, found);
    const ids = await em.execute<{ user_id: number }[]>(
      `SELECT user_id ${FOUND} ORDER BY user_id DESC LIMIT ? OFFSET ?`,
      [...found, pageSize, (pageNum - 1) * pageSize],
    );
    const page = ids.map((row) => Number(row.user_id));
    return { rows: await this.subAccountQueries.read(mainId, page), total: Number(count?.total ?? 0) };
  }
}

// A deleted sub-account has no identity row; the main account itself is excluded.
const FOUND = `FROM identity WHERE family_id = ? AND user_id <> ? AND kind = 'username' AND unique_key LIKE ?`;

/** Escapes LIKE wildcards. */
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
