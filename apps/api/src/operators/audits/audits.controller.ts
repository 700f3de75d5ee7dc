import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  cancelAuditRun,
  getAuditRun,
  getLedgerStatus,
  listAuditRuns,
  resumeAuditRun,
  startAuditRun,
} from '@yiqiao/contracts/operator/audits';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { CancelAuditRun, ResumeAuditRun, StartAuditRun } from './audit-runs.js';
import { GetAuditRun, GetLedgerStatus, ListAuditRuns } from './list-audit-runs.js';

/** Runs of the audit (operators §7). */
@Controller()
export class AuditsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(startAuditRun)
  start(
    @Input(startAuditRun) what: InputOf<typeof startAuditRun>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof startAuditRun>> {
    return this.commands.execute(new StartAuditRun(what, actorOf(operator, client)));
  }

  @Endpoint(listAuditRuns)
  list(@Input(listAuditRuns) request: InputOf<typeof listAuditRuns>): Promise<Answer<typeof listAuditRuns>> {
    return this.queries.execute(new ListAuditRuns(request));
  }

  @Endpoint(getAuditRun)
  show(@Input(getAuditRun) { id }: InputOf<typeof getAuditRun>): Promise<Answer<typeof getAuditRun>> {
    return this.queries.execute(new GetAuditRun(id));
  }

  @Endpoint(cancelAuditRun)
  async cancel(
    @Input(cancelAuditRun) { id }: InputOf<typeof cancelAuditRun>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof cancelAuditRun>> {
    await this.commands.execute(new CancelAuditRun(id, actorOf(operator, client)));
    return true;
  }

  @Endpoint(resumeAuditRun)
  async resume(
    @Input(resumeAuditRun) { id }: InputOf<typeof resumeAuditRun>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof resumeAuditRun>> {
    await this.commands.execute(new ResumeAuditRun(id, actorOf(operator, client)));
    return true;
  }

  @Endpoint(getLedgerStatus)
  status(): Promise<Answer<typeof getLedgerStatus>> {
    return this.queries.execute(new GetLedgerStatus());
  }
}
