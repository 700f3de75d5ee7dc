import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listOperators, listOwnSessions } from '@yiqiao/contracts/operator/operators';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { ActionLog, type Actor } from './action-log.js';
import { OperatorAccount } from './operator.entity.js';
import { type CurrentOperator, OperatorSessions } from './operator-sessions.js';

export class ListOperators extends Query<Answer<typeof listOperators>> {
  constructor(readonly reader: CurrentOperator) {
    super();
  }
}

@QueryHandler(ListOperators)
export class ListOperatorsHandler implements IQueryHandler<ListOperators> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly clock: Clock,
  ) {}

  async execute({ reader }: ListOperators): Promise<Answer<typeof listOperators>> {
    const em = this.em.fork();
    const operators = await em.find(OperatorAccount, {}, { orderBy: { id: 'asc' } });
    const counts = new Map<number, number>();
    for (const { operatorId } of await this.sessions.live(em))
      counts.set(operatorId, (counts.get(operatorId) ?? 0) + 1);
    // Raw: sessions are deleted after a while, the newest start of each is wanted here.
    const last = await em.execute<{ id: number; at: Date }[]>(
      'SELECT operator_id AS id, max(created_at) AS at FROM operator_session GROUP BY operator_id',
    );
    const signedIn = new Map(last.map(({ id, at }) => [id, at]));
    const rows = operators.map(({ id, name, role, disabledAt, enrolledAt, recoveryDigests, createdAt }) => {
      const at = signedIn.get(id);
      return {
        id,
        name,
        role,
        state: disabledAt ? ('ended' as const) : enrolledAt ? ('active' as const) : ('invited' as const),
        lastSignInAt: at ? this.clock.toWire(at) : null,
        sessions: counts.get(id) ?? 0,
        recoveryCodesLeft: enrolledAt && (reader.id === id || reader.role === 'owner') ? recoveryDigests.length : null,
        createdAt: this.clock.toWire(createdAt),
      };
    });
    return { rows, total: rows.length };
  }
}

/** Ends all sessions of an operator. */
export class SignOutOperator extends Command<void> {
  constructor(
    readonly id: number,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(SignOutOperator)
export class SignOutOperatorHandler implements ICommandHandler<SignOutOperator> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  execute({ id, actor }: SignOutOperator): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const operator = await em.findOne(OperatorAccount, { id });
      if (!operator) throw new Refusal('NOT_FOUND');
      const sessions = await this.sessions.endAll(em, id);
      await this.actions.record(em, actor, {
        action: 'operator.signOut',
        target: { kind: 'operator', id: operator.name },
        after: { ended: sessions },
      });
    });
  }
}

export class ListOwnSessions extends Query<Answer<typeof listOwnSessions>> {
  constructor(readonly operator: CurrentOperator) {
    super();
  }
}

@QueryHandler(ListOwnSessions)
export class ListOwnSessionsHandler implements IQueryHandler<ListOwnSessions> {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: OperatorSessions,
    private readonly clock: Clock,
  ) {}

  async execute({ operator }: ListOwnSessions): Promise<Answer<typeof listOwnSessions>> {
    const live = await this.sessions.live(this.em.fork(), { operatorId: operator.id });
    const rows = live.map(({ digest, ip, userAgent, createdAt, lastUsedAt }) => ({
      id: digest.slice(0, 12),
      ip,
      userAgent,
      startedAt: this.clock.toWire(createdAt),
      lastUsedAt: this.clock.toWire(lastUsedAt),
      current: digest === operator.digest,
    }));
    return { rows, total: rows.length };
  }
}
