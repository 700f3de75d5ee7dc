import { hash } from 'node:crypto';
import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { makeRequest } from '@yiqiao/contracts/operator/requests';
import { Refusal } from '@yiqiao/domain/errors';
import { mayDo, REQUEST_MS } from '@yiqiao/domain/operators';
import { Clock } from '../../platform/clock.js';
import { Live } from '../../platform/live.js';
import { ActionLog, type Actor } from '../action-log.js';
import { OperatorRequest } from '../operator.entity.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { tellOperators } from '../operator-streams.js';
import { LateRequests } from './lapse-requests.js';
import { RequestKinds } from './request-kind.js';

/** Asks for something that another operator decides. Changes nothing else (operators §4). */
export class MakeRequest extends Command<Answer<typeof makeRequest>> {
  constructor(
    readonly asked: Input<typeof makeRequest>,
    readonly maker: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(MakeRequest)
export class MakeRequestHandler implements ICommandHandler<MakeRequest> {
  constructor(
    private readonly em: EntityManager,
    private readonly kinds: RequestKinds,
    private readonly actions: ActionLog,
    private readonly late: LateRequests,
    private readonly live: Live,
    private readonly clock: Clock,
  ) {}

  async execute({ asked, maker, actor }: MakeRequest): Promise<Answer<typeof makeRequest>> {
    const kind = this.kinds.find(asked.kind);
    if (!mayDo(maker.role, kind.kind)) throw new Refusal('OPERATOR_ROLE_REQUIRED');
    const payload = this.kinds.read(kind, asked.payload);
    await this.late.end();
    try {
      const id = await this.em.fork().transactional(async (em) => {
        const target = await kind.target(em, asked.target);
        const { title, subject, amount, facts } = await kind.preview(em, { target, payload });
        const frozen = JSON.stringify(payload);
        const madeAt = this.clock.now();
        const id = await em.insert(OperatorRequest, {
          kind: kind.kind,
          targetKind: kind.targetKind,
          targetId: target,
          payload: frozen,
          payloadHash: hash('sha256', frozen),
          summary: { title, subject, amount, facts },
          reason: asked.reason,
          makerId: maker.id,
          makerIp: actor.ip ?? null,
          madeAt,
          expiresAt: new Date(madeAt.getTime() + REQUEST_MS),
        });
        await this.actions.record(em, actor, {
          action: 'request.make',
          target: { kind: kind.targetKind, id: target },
          after: { kind: kind.kind, payload },
          reason: asked.reason,
          approvalId: id,
        });
        return id;
      });
      await tellOperators(this.live, 'requests', {});
      return { id, state: 'open', outcome: null };
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('REQUEST_OPEN');
      throw error;
    }
  }
}
