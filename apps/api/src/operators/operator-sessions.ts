import { hash, randomBytes } from 'node:crypto';
import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OPERATOR_SESSION_IDLE_MS, OPERATOR_SESSION_MS, type OperatorRole } from '@yiqiao/domain/operators';
import { Clock } from '../platform/clock.js';
import type { OtherReader } from '../platform/csv-downloads.js';
import type { Actor } from './action-log.js';
import { OperatorAccount, OperatorSession } from './operator.entity.js';

/** The operator of a request. */
export type CurrentOperator = {
  readonly id: number;
  readonly name: string;
  readonly managerId: number;
  readonly role: OperatorRole;
  readonly csrf: string;
  readonly digest: string;
};

const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;
/** Writing the last use of every request would cost more than the request. */
const TOUCH_AFTER_MS = 10_000;

const digestOf = (token: string): string => hash('sha256', token, 'hex');

/** Sessions of operators, read from PostgreSQL by every request: whatever ends one ends it at once, on every process (operators §2). */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Starts a session in the transaction of `em`. `token` is for the cookie and stored nowhere. */
  async start(
    em: EntityManager,
    operator: OperatorAccount,
    from: { ip: string; userAgent: string },
  ): Promise<{ token: string; current: CurrentOperator }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const csrf = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.clock.now();
    const digest = digestOf(token);
    await em.insert(OperatorSession, {
      digest,
      operatorId: operator.id,
      csrf,
      ip: from.ip,
      userAgent: from.userAgent.slice(0, USER_AGENT_MAX),
      createdAt: now,
      lastUsedAt: now,
    });
    const { id, name, managerId, role } = operator;
    return { token, current: { id, name, managerId, role, csrf, digest } };
  }

  /** The operator that a cookie's token signs in; null for none. Counts as use. */
  read(token: string): Promise<CurrentOperator | null> {
    return this.#find(digestOf(token));
  }

  /** Downloads end with the session. */
  downloader({ name, digest }: CurrentOperator): OtherReader {
    return { key: `operator ${name}`, isLive: async () => (await this.#find(digest)) !== null };
  }

  async #find(digest: string): Promise<CurrentOperator | null> {
    const em = this.em.fork();
    const session = await em.findOne(OperatorSession, { digest, endedAt: null });
    if (!session) return null;
    const now = this.clock.now().getTime();
    const idle = now - session.lastUsedAt.getTime();
    if (idle >= OPERATOR_SESSION_IDLE_MS || now - session.createdAt.getTime() >= OPERATOR_SESSION_MS) return null;
    const operator = await em.findOne(OperatorAccount, { id: session.operatorId, disabledAt: null });
    if (!operator) return null;
    if (idle >= TOUCH_AFTER_MS)
      await em.nativeUpdate(OperatorSession, { digest, endedAt: null }, { lastUsedAt: new Date(now) });
    const { id, name, managerId, role } = operator;
    return { id, name, managerId, role, csrf: session.csrf, digest };
  }

  /** Those that are still live; does not count as use. */
  async liveAmong(digests: readonly string[]): Promise<Set<string>> {
    const em = this.em.fork();
    const now = this.clock.now().getTime();
    const sessions = await em.find(OperatorSession, {
      digest: { $in: [...digests] },
      endedAt: null,
      lastUsedAt: { $gt: new Date(now - OPERATOR_SESSION_IDLE_MS) },
      createdAt: { $gt: new Date(now - OPERATOR_SESSION_MS) },
    });
    const ids = [...new Set(sessions.map(({ operatorId }) => operatorId))];
    const disabled = await em.find(OperatorAccount, { id: { $in: ids }, disabledAt: { $ne: null } });
    const ended = new Set(disabled.map(({ id }) => id));
    return new Set(sessions.filter(({ operatorId }) => !ended.has(operatorId)).map(({ digest }) => digest));
  }

  async end(em: EntityManager, digest: string): Promise<void> {
    await em.nativeUpdate(OperatorSession, { digest, endedAt: null }, { endedAt: this.clock.now() });
    await this.#endViews(em, [digest]);
  }

  /** Ends all sessions of an operator: after a change of role or password, or when the account is disabled. */
  endAll(em: EntityManager, operatorId: number): Promise<number> {
    return this.#endWhere(em, { operatorId, endedAt: null });
  }

  /** Ends the operator's other sessions; of those only the one whose digest begins with `id`, if given. Returns how many. */
  endOthers(em: EntityManager, { id: operatorId, digest }: CurrentOperator, id?: string): Promise<number> {
    const of = {
      operatorId,
      endedAt: null,
      $and: [{ digest: { $ne: digest } }, id ? { digest: { $like: `${id}%` } } : {}],
    };
    return this.#endWhere(em, of);
  }

  /** The sessions that have not ended, by operator or of one, newest first. */
  live(em: EntityManager, of: { operatorId?: number } = {}): Promise<OperatorSession[]> {
    const now = this.clock.now().getTime();
    return em.find(
      OperatorSession,
      {
        ...of,
        endedAt: null,
        lastUsedAt: { $gt: new Date(now - OPERATOR_SESSION_IDLE_MS) },
        createdAt: { $gt: new Date(now - OPERATOR_SESSION_MS) },
      },
      { orderBy: { createdAt: 'desc' } },
    );
  }

  async #endWhere(em: EntityManager, which: FilterQuery<OperatorSession>): Promise<number> {
    const open = await em.find(OperatorSession, which, { disableIdentityMap: true });
    const digests = open.map(({ digest }) => digest);
    await em.nativeUpdate(OperatorSession, { digest: { $in: digests } }, { endedAt: this.clock.now() });
    await this.#endViews(em, digests);
    return digests.length;
  }

  /** What operators look at through these sessions closes with them (docs/decisions/0058). */
  async #endViews(em: EntityManager, digests: readonly string[]): Promise<void> {
    const now = this.clock.now();
    await em.execute(END_VIEWS, [now, `{${digests.join(',')}}`, now, now]);
  }
}

// Raw: one statement over two tables.
const END_VIEWS = `
WITH ended AS (
  UPDATE member_view SET ended_at = ? WHERE operator_session = ANY (?::text[]) AND ended_at IS NULL AND until > ?
  RETURNING session_digest
)
UPDATE session SET ended_at = ?, end_reason = 'ended' FROM ended
WHERE token_digest = ended.session_digest AND session.ended_at IS NULL`;

/** How the action log names the caller. */
export const actorOf = (
  operator: Pick<CurrentOperator, 'name' | 'digest'>,
  { ip, requestId }: { ip: string; requestId: string },
): Actor => ({ actor: operator.name, session: operator.digest.slice(0, 12), ip, requestId });
