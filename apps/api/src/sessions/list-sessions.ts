import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listSessions } from '@yiqiao/contracts/sessions';
import { SESSION_DAYS, SESSIONS_SHOWN_MAX } from '@yiqiao/domain/limits';
import { clientTypeOf } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';

type Rows = Answer<typeof listSessions>;

export class ListSessions extends Query<Rows> {
  constructor(
    readonly userId: number,
    readonly currentDigest: string,
  ) {
    super();
  }
}

type Row = { id: number; client_type: number; ip: string | null; began: Date; used: Date; current: boolean };

// Raw: compares the digest in the database, so that it never leaves it, and formats the address by host().
const LIVE = `
SELECT id, client_type, host(login_ip) AS ip, created_at AS began, last_used_at AS used, token_digest = ? AS current
FROM session WHERE user_id = ? AND ended_at IS NULL AND last_used_at > now() - interval '${SESSION_DAYS} days'
ORDER BY last_used_at DESC, id DESC LIMIT ${SESSIONS_SHOWN_MAX}`;

/** The caller's live sessions, the current one included. */
@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, currentDigest }: ListSessions): Promise<Rows> {
    const rows = await this.em.fork().execute<Row[]>(LIVE, [currentDigest, userId]);
    return rows.map((row) => ({
      id: Number(row.id),
      clientType: clientTypeOf(row.client_type),
      loginIp: row.ip,
      loginDateTime: this.clock.toWire(new Date(row.began)),
      lastUseDateTime: this.clock.toWire(new Date(row.used)),
      current: row.current,
    }));
  }
}
