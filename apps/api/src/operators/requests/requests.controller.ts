import { EntityManager } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  approveRequest,
  changeLimits,
  getLimits,
  getRequest,
  listRequests,
  makeRequest,
  rejectRequest,
  withdrawRequest,
} from '@yiqiao/contracts/operator/requests';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { OneTimeCode } from '../step-up.js';
import { DecideRequest } from './decide-request.js';
import { ChangeLimits, readLimits } from './limits.js';
import { MakeRequest } from './make-request.js';
import { GetRequest, ListRequests } from './read-requests.js';

type Result = Answer<typeof makeRequest>;

/** Requests that a second operator decides (operators §4). */
@Controller()
export class RequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly em: EntityManager,
  ) {}

  @Endpoint(listRequests)
  list(
    @Input(listRequests) filter: InputOf<typeof listRequests>,
    @CurrentOperatorOf() operator: CurrentOperator,
  ): Promise<Answer<typeof listRequests>> {
    return this.queries.execute(new ListRequests(filter, operator));
  }

  @Endpoint(getRequest)
  get(
    @Input(getRequest) { id }: InputOf<typeof getRequest>,
    @CurrentOperatorOf() operator: CurrentOperator,
  ): Promise<Answer<typeof getRequest>> {
    return this.queries.execute(new GetRequest(id, operator));
  }

  @Endpoint(makeRequest)
  make(
    @Input(makeRequest) asked: InputOf<typeof makeRequest>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Result> {
    return this.commands.execute(new MakeRequest(asked, operator, actorOf(operator, client)));
  }

  @Endpoint(approveRequest)
  approve(
    @Input(approveRequest) { id, reason }: InputOf<typeof approveRequest>,
    @OneTimeCode() code: string | undefined,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Result> {
    return this.commands.execute(
      new DecideRequest('approve', { id, reason, code }, operator, actorOf(operator, client)),
    );
  }

  @Endpoint(rejectRequest)
  reject(
    @Input(rejectRequest) { id, reason }: InputOf<typeof rejectRequest>,
    @OneTimeCode() code: string | undefined,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Result> {
    return this.commands.execute(
      new DecideRequest('reject', { id, reason, code }, operator, actorOf(operator, client)),
    );
  }

  @Endpoint(withdrawRequest)
  withdraw(
    @Input(withdrawRequest) { id, reason, code }: InputOf<typeof withdrawRequest>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Result> {
    return this.commands.execute(
      new DecideRequest('withdraw', { id, reason, code }, operator, actorOf(operator, client)),
    );
  }

  @Endpoint(getLimits)
  limits(): Promise<Answer<typeof getLimits>> {
    return readLimits(this.em.fork());
  }

  @Endpoint(changeLimits)
  changeLimits(
    @Input(changeLimits) change: InputOf<typeof changeLimits>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof changeLimits>> {
    return this.commands.execute(new ChangeLimits(change, actorOf(operator, client)));
  }
}
