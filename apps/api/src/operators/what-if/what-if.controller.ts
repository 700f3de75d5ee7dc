import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  cancelWhatIf,
  compareWhatIfs,
  getWhatIf,
  listWhatIfs,
  resumeWhatIf,
  startWhatIf,
} from '@yiqiao/contracts/operator/what-if';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { CompareWhatIfs, GetWhatIf, ListWhatIfs } from './list-what-ifs.js';
import { CancelWhatIf, ResumeWhatIf, StartWhatIf } from './start-what-if.js';

/** What would have been charged under other prices (operators §8). */
@Controller()
export class WhatIfController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(startWhatIf)
  start(
    @Input(startWhatIf) asked: InputOf<typeof startWhatIf>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof startWhatIf>> {
    return this.commands.execute(new StartWhatIf(asked, actorOf(operator, client)));
  }

  @Endpoint(listWhatIfs)
  list(@Input(listWhatIfs) request: InputOf<typeof listWhatIfs>): Promise<Answer<typeof listWhatIfs>> {
    return this.queries.execute(new ListWhatIfs(request));
  }

  @Endpoint(getWhatIf)
  show(@Input(getWhatIf) { id }: InputOf<typeof getWhatIf>): Promise<Answer<typeof getWhatIf>> {
    return this.queries.execute(new GetWhatIf(id));
  }

  @Endpoint(compareWhatIfs)
  compare(@Input(compareWhatIfs) ids: InputOf<typeof compareWhatIfs>): Promise<Answer<typeof compareWhatIfs>> {
    return this.queries.execute(new CompareWhatIfs(ids.id, ids.with));
  }

  @Endpoint(cancelWhatIf)
  async cancel(
    @Input(cancelWhatIf) { id }: InputOf<typeof cancelWhatIf>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof cancelWhatIf>> {
    await this.commands.execute(new CancelWhatIf(id, actorOf(operator, client)));
    return true;
  }

  @Endpoint(resumeWhatIf)
  async resume(
    @Input(resumeWhatIf) { id }: InputOf<typeof resumeWhatIf>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof resumeWhatIf>> {
    await this.commands.execute(new ResumeWhatIf(id, actorOf(operator, client)));
    return true;
  }
}
