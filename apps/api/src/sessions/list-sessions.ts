import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listSessions } from '@yiqiao/contracts/sessions';
import { DAY_MS, SESSION_DAYS, SESSIONS_SHOWN_MAX } from '@yiqiao/domain/limits';
import { clientTypeOf } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { Session } from './session.entity.js';

type Rows = Answer<typeof listSessions>;

export class ListSessions extends Query<Rows> {
  constructor(
    readonly userId: number,
    readonly currentDigest: string,
  ) {
    super();
  }
}

/** The caller's live sessions, the current one included. */
@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, currentDigest }: ListSessions): Promise<Rows> {
    const since = new Date(this.clock.now().getTime() - SESSION_DAYS * DAY_MS);
    const sessions = await this.em
      .fork()
      .find(
        Session,
        { userId, endedAt: null, viewUntil: null, lastUsedAt: { $gt: since } },
        { orderBy: { lastUsedAt: 'desc', id: 'desc' }, limit: SESSIONS_SHOWN_MAX },
      );
    return sessions.map(({ id, clientType, loginIp, browser, system, createdAt, lastUsedAt, tokenDigest }) => ({
      id,
      clientType: clientTypeOf(clientType),
      loginIp,
      browser,
      system,
      loginDateTime: this.clock.toWire(createdAt),
      lastUseDateTime: this.clock.toWire(lastUsedAt),
      current: tokenDigest === currentDigest,
    }));
  }
}
