import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getRequest, listRequests } from '@yiqiao/contracts/operator/requests';
import { Refusal } from '@yiqiao/domain/errors';
import { mayDo, operatorRoles } from '@yiqiao/domain/operators';
import { Clock } from '../../platform/clock.js';
import { OperatorAccount, OperatorRequest } from '../operator.entity.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { refusalIn } from './decide-request.js';
import { LateRequests } from './lapse-requests.js';
import { RequestKinds, type RequestChange, type RequestCheck } from './request-kind.js';

type Row = Answer<typeof listRequests>['rows'][number];

export class ListRequests extends Query<Answer<typeof listRequests>> {
  constructor(
    readonly filter: Input<typeof listRequests>,
    readonly operator: CurrentOperator,
  ) {
    super();
  }
}

@QueryHandler(ListRequests)
export class ListRequestsHandler implements IQueryHandler<ListRequests> {
  constructor(
    private readonly em: EntityManager,
    private readonly late: LateRequests,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, operator }: ListRequests): Promise<Answer<typeof listRequests>> {
    const em = this.em.fork();
    await this.late.end();
    const [requests, total] = await em.findAndCount(OperatorRequest, whereOf(filter, operator), {
      orderBy: { id: 'desc' },
      limit: filter.pageSize,
      offset: (filter.pageNum - 1) * filter.pageSize,
    });
    const names = await namesOf(em, requests);
    const count = (of: FilterQuery<OperatorRequest>): Promise<number> =>
      em.count(OperatorRequest, { $and: [{ state: 'open' }, of] });
    return {
      rows: requests.map((request) => rowOf(request, { names, operator, clock: this.clock })),
      total,
      open: {
        all: await count({}),
        forMe: await count(forMe(operator)),
        mine: await count({ makerId: operator.id }),
      },
      deciders: await otherDeciders(em, operator),
    };
  }
}

/** Open requests that the operator may decide; none for a role that decides nothing. */
const forMe = ({ id, role }: CurrentOperator): FilterQuery<OperatorRequest> =>
  mayDo(role, 'request.decide') ? { state: 'open', makerId: { $ne: id } } : { id: -1 };

function whereOf(
  { scope, state, kind, target }: Input<typeof listRequests>,
  operator: CurrentOperator,
): FilterQuery<OperatorRequest> {
  const scoped = { all: {}, forMe: forMe(operator), mine: { makerId: operator.id } }[scope];
  return {
    $and: [
      scoped,
      ...(state === undefined ? [] : [{ state: state === 'decided' ? { $ne: 'open' as const } : state }]),
      ...(kind === undefined ? [] : [{ kind }]),
      ...(target === undefined ? [] : [{ targetId: target }]),
    ],
  };
}

/** Those who could decide a request of this operator. */
const otherDeciders = (em: EntityManager, { id }: CurrentOperator): Promise<number> =>
  em.count(OperatorAccount, {
    id: { $ne: id },
    role: { $in: operatorRoles.filter((role) => mayDo(role, 'request.decide')) },
    disabledAt: null,
    enrolledAt: { $ne: null },
  });

async function namesOf(em: EntityManager, requests: readonly OperatorRequest[]): Promise<Map<number, string>> {
  const ids = requests.flatMap(({ makerId, decidedBy }) => (decidedBy === null ? [makerId] : [makerId, decidedBy]));
  const accounts = await em.find(OperatorAccount, { id: { $in: [...new Set(ids)] } }, { fields: ['id', 'name'] });
  return new Map(accounts.map(({ id, name }) => [id, name]));
}

function rowOf(
  request: OperatorRequest,
  { names, operator, clock }: { names: Map<number, string>; operator: CurrentOperator; clock: Clock },
): Row {
  const { id, kind, targetKind, summary, reason, state, decidedBy, decidedAt, decisionReason, outcome } = request;
  return {
    id,
    kind,
    targetKind,
    target: request.targetId,
    title: summary.title,
    subject: summary.subject,
    amount: summary.amount,
    reason,
    state,
    maker: names.get(request.makerId) ?? '',
    mine: request.makerId === operator.id,
    madeAt: clock.toWire(request.madeAt),
    expiresAt: clock.toWire(request.expiresAt),
    waitedSeconds: secondsFrom(request.madeAt, decidedAt ?? clock.now()),
    leftSeconds: decidedAt ? 0 : secondsFrom(clock.now(), request.expiresAt),
    decidedBy: decidedBy === null ? null : (names.get(decidedBy) ?? ''),
    decidedAt: decidedAt && clock.toWire(decidedAt),
    decisionReason,
    outcome,
  };
}

const secondsFrom = (from: Date, to: Date): number => Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));

export class GetRequest extends Query<Answer<typeof getRequest>> {
  constructor(
    readonly id: number,
    readonly operator: CurrentOperator,
  ) {
    super();
  }
}

@QueryHandler(GetRequest)
export class GetRequestHandler implements IQueryHandler<GetRequest> {
  constructor(
    private readonly em: EntityManager,
    private readonly kinds: RequestKinds,
    private readonly late: LateRequests,
    private readonly clock: Clock,
  ) {}

  async execute({ id, operator }: GetRequest): Promise<Answer<typeof getRequest>> {
    const em = this.em.fork();
    await this.late.end();
    const request = await em.findOne(OperatorRequest, { id });
    if (!request) throw new Refusal('NOT_FOUND');
    const names = await namesOf(em, [request]);
    const payload = JSON.parse(request.payload) as Record<string, unknown>;
    return {
      ...rowOf(request, { names, operator, clock: this.clock }),
      facts: request.summary.facts,
      payload,
      payloadHash: request.payloadHash,
      makerIp: request.makerIp,
      ...(request.state === 'open'
        ? await this.#now(em, request, payload)
        : { changes: request.outcome?.changes ?? [], checks: [] }),
      undecidable: undecidable(request, operator),
      deciders: await otherDeciders(em, operator),
    };
  }

  /** What it would change as things are; a refusal that it would meet is a precondition that does not hold. */
  async #now(
    em: EntityManager,
    request: OperatorRequest,
    payload: unknown,
  ): Promise<{ changes: RequestChange[]; checks: RequestCheck[] }> {
    const kind = this.kinds.find(request.kind);
    try {
      const asked = { target: request.targetId, payload: this.kinds.read(kind, payload) };
      const { changes, checks } = await kind.preview(em, asked);
      return { changes, checks };
    } catch (error) {
      return { changes: [], checks: [{ state: 'unmet', text: refusalIn(error).text }] };
    }
  }
}

const undecidable = (request: OperatorRequest, { id, role }: CurrentOperator): 'ended' | 'own' | 'role' | null => {
  if (request.state !== 'open') return 'ended';
  if (request.makerId === id) return 'own';
  return mayDo(role, 'request.decide') ? null : 'role';
};
