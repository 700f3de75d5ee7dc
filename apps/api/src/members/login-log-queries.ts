import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { exportLoginLogs, getLoginLog, listLoginLogs } from '@yiqiao/contracts/login-log';
import { Refusal } from '@yiqiao/domain/errors';
import { CLIENT_TYPES, clientTypeOf } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { LoginLog } from './login-log.entity.js';

type Page = Answer<typeof listLoginLogs>;

export class ListLoginLogs extends Query<Page> {
  constructor(
    readonly userId: number,
    readonly input: Input<typeof listLoginLogs>,
  ) {
    super();
  }
}

/** The caller's own logins, newest first; a range includes both of its ends (decisions §1). */
@QueryHandler(ListLoginLogs)
export class ListLoginLogsHandler implements IQueryHandler<ListLoginLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, input }: ListLoginLogs): Promise<Page> {
    const { pageNum, pageSize } = input;
    const where = matchingLogins(userId, input, this.clock);
    const [rows, total] = await this.em.fork().findAndCount(LoginLog, where, {
      orderBy: { loggedInAt: 'desc', id: 'desc' },
      limit: pageSize,
      offset: (pageNum - 1) * pageSize,
    });
    return { rows: rows.map((row) => loginLogRow(row, this.clock)), total };
  }
}

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

type Filter = Input<typeof exportLoginLogs>;

/** The condition for the member's logins that match the filter. */
export function matchingLogins(userId: number, filter: Filter, clock: Clock): FilterQuery<LoginLog> {
  const { loginIp, clientType, loginDateTimeBegin: begin, loginDateTimeEnd: end } = filter;
  return {
    userId,
    ...(loginIp && { loginIp }),
    ...(clientType && { clientType: CLIENT_TYPES[clientType].code }),
    loggedInAt: { ...(begin && { $gte: clock.fromWire(begin) }), ...(end && { $lte: clock.endOfWire(end) }) },
  };
}

/** A login as the wire shows it. */
const loginLogRow = (row: LoginLog, clock: Clock): Page['rows'][number] => ({
  id: row.id,
  loginIp: row.loginIp,
  clientType: clientTypeOf(row.clientType),
  browser: row.browser,
  system: row.system,
  loginDateTime: clock.toWire(row.loggedInAt),
});
