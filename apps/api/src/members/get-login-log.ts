import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getLoginLog } from '@yiqiao/contracts/login-log';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { loginLogRow } from './list-login-logs.js';
import { LoginLog } from './login-log.entity.js';

export class GetLoginLog extends Query<Answer<typeof getLoginLog>> {
  constructor(
    readonly userId: number,
    readonly id: number,
  ) {
    super();
  }
}

/** One row of the caller's own login log; other members' rows are NOT_FOUND. */
@QueryHandler(GetLoginLog)
export class GetLoginLogHandler implements IQueryHandler<GetLoginLog> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, id }: GetLoginLog): Promise<Answer<typeof getLoginLog>> {
    const row = await this.em.fork().findOne(LoginLog, { id, userId });
    if (!row) throw new Refusal('NOT_FOUND');
    return loginLogRow(row, this.clock);
  }
}
