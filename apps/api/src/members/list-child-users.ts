import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { uniqueKey } from '@yiqiao/domain/members';
import { ChildRows } from './child-rows.js';

type Page = Answer<typeof listChildUsers>;

export class ListChildUsers extends Query<Page> {
  constructor(
    readonly mainId: number,
    readonly input: Input<typeof listChildUsers>,
  ) {
    super();
  }
}

/** Found by name alone, so the names are searched first and only the page's own rows are put together. */
@QueryHandler(ListChildUsers)
export class ListChildUsersHandler implements IQueryHandler<ListChildUsers> {
  constructor(
    private readonly em: EntityManager,
    private readonly rows: ChildRows,
  ) {}

  async execute({ mainId, input }: ListChildUsers): Promise<Page> {
    const { pageNum, pageSize, account = '' } = input;
    const em = this.em.fork();
    const found = [mainId, mainId, `%${literally(uniqueKey(account))}%`];
    const [count] = await em.execute<{ total: number }[]>(`SELECT count(*) AS total ${FOUND}`, found);
    const ids = await em.execute<{ user_id: number }[]>(
      `SELECT user_id ${FOUND} ORDER BY user_id DESC LIMIT ? OFFSET ?`,
      [...found, pageSize, (pageNum - 1) * pageSize],
    );
    const page = ids.map((row) => Number(row.user_id));
    return { rows: await this.rows.read(mainId, page), total: Number(count?.total ?? 0) };
  }
}

// A deleted sub-account has no name any more, and a main account is no sub-account of its own.
const FOUND = `FROM identity WHERE family_id = ? AND user_id <> ? AND kind = 'username' AND unique_key LIKE ?`;

/** A name to search for, not a pattern. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
