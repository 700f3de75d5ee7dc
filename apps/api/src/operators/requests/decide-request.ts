import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { approveRequest } from '@yiqiao/contracts/operator/requests';
import { errorMessage, Refusal } from '@yiqiao/domain/errors';
import type { RequestState } from '@yiqiao/domain/operators';
import { commandIdOf } from '../../platform/command-id.js';
import { CommandError } from '../../platform/cli-messages.js';
import { Clock } from '../../platform/clock.js';
import { failpoint } from '../../platform/failpoint.js';
import { Live } from '../../platform/live.js';
import { ActionLog, type Actor } from '../action-log.js';
import { OperatorAccount, OperatorRequest } from '../operator.entity.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { tellOperators } from '../operator-streams.js';
import { StepUp } from '../step-up.js';
import { LateRequests } from './lapse-requests.js';
import { RequestKinds, type RequestChange, type RequestOutcome } from './request-kind.js';

type Decision = 'approve' | 'reject' | 'withdraw';
type Result = Answer<typeof approveRequest>;

/** One decision ends a request. An approved one is carried out in the transaction of the decision (operators §4). */
export class DecideRequest extends Command<Result> {
  constructor(
    readonly decision: Decision,
    readonly request: { id: number; reason?: string | undefined; code: string | undefined },
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(DecideRequest)
export class DecideRequestHandler implements ICommandHandler<DecideRequest> {
  constructor(
    private readonly em: EntityManager,
    private readonly kinds: RequestKinds,
    private readonly stepUp: StepUp,
    private readonly actions: ActionLog,
    private readonly late: LateRequests,
    private readonly live: Live,
    private readonly clock: Clock,
  ) {}

  async execute(command: DecideRequest): Promise<Result> {
    const { decision, request, operator, actor } = command;
    const em = this.em.fork();
    await this.late.end();
    const found = await em.findOne(OperatorRequest, { id: request.id }, { disableIdentityMap: true });
    requireDecidable(found, command);
    if (decision !== 'withdraw') await this.stepUp.take(operator, request.code, actor);
    const result = await this.em.fork().transactional((inner) => this.#decide(inner, command));
    await tellOperators(this.live, 'requests', {});
    return result;
  }

  async #decide(em: EntityManager, command: DecideRequest): Promise<Result> {
    const { decision, request, operator, actor } = command;
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
    const found = requireDecidable(await em.findOne(OperatorRequest, { id: request.id }, options), command);
    const { id, kind, targetKind, targetId } = found;
    const now = this.clock.now();
    if (found.expiresAt <= now) throw new Refusal('REQUEST_DECIDED');
    const outcome = decision === 'approve' ? await this.#carryOut(em, found, actor) : null;
    failpoint('after-request-effect');
    const state = stateAfter(decision, outcome);
    await this.actions.record(em, actor, {
      action: `request.${decision}`,
      target: { kind: targetKind, id: targetId },
      after: { kind, state, ...(outcome?.refusal ? { refusal: outcome.refusal.code } : {}) },
      reason: request.reason ?? null,
      approvalId: id,
    });
    await em.nativeUpdate(
      OperatorRequest,
      { id, state: 'open' },
      { state, decidedBy: operator.id, decidedAt: now, decisionReason: request.reason ?? null, outcome },
    );
    return { id, state, outcome };
  }

  /** In a savepoint: a refusal undoes every part of the effect and ends the request as failed. */
  async #carryOut(em: EntityManager, request: OperatorRequest, actor: Actor): Promise<RequestOutcome> {
    const kind = this.kinds.find(request.kind);
    const maker = await em.findOneOrFail(OperatorAccount, { id: request.makerId }, { disableIdentityMap: true });
    const asked = { target: request.targetId, payload: this.kinds.read(kind, JSON.parse(request.payload)) };
    const approved = {
      approvalId: request.id,
      cmdId: commandIdOf(`operator:request:${request.id}`),
      actor,
      maker: { name: maker.name, managerId: maker.managerId },
      reason: request.reason,
    };
    try {
      return await em.transactional(async (savepoint): Promise<{ changes: RequestChange[] }> => {
        const { changes } = await kind.preview(savepoint, asked);
        await kind.carryOut(savepoint, asked, approved);
        return { changes };
      });
    } catch (error) {
      return { refusal: refusalIn(error) };
    }
  }
}

/** Throws for a request that is unknown, decided, the checker's own, or, to withdraw, somebody else's. */
function requireDecidable(request: OperatorRequest | null, { decision, operator }: DecideRequest): OperatorRequest {
  if (!request) throw new Refusal('NOT_FOUND');
  const own = request.makerId === operator.id;
  if (own && decision !== 'withdraw') throw new Refusal('NOT_YOUR_OWN');
  if (!own && decision === 'withdraw') throw new Refusal('ONLY_ITS_MAKER');
  if (request.state !== 'open') throw new Refusal('REQUEST_DECIDED');
  return request;
}

const stateAfter = (decision: Decision, outcome: RequestOutcome | null): RequestState => {
  if (decision !== 'approve') return decision === 'reject' ? 'rejected' : 'withdrawn';
  return outcome?.refusal ? 'failed' : 'done';
};

/** What the command said when it refused. Throws everything that is not a refusal: the request then stays open. */
export function refusalIn(error: unknown): { code: string; text: { zh: string; en: string } } {
  if (error instanceof CommandError) return { code: 'REFUSED', text: error.text };
  if (!(error instanceof Refusal)) throw error;
  const word = (language: 'zh' | 'en'): string => errorMessage(error.code, language, error.details.data);
  return { code: error.code, text: { zh: word('zh'), en: word('en') } };
}
