import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller.js';
import { ActionLog } from './action-log.js';
import { ActionsController } from './actions/actions.controller.js';
import { ActionReader } from './actions/read-actions.js';
import {
  CancelAuditRunHandler,
  ResumeAuditRunHandler,
  StartAuditRunHandler,
  StartNightlyAuditHandler,
} from './audits/audit-runs.js';
import { AuditsController } from './audits/audits.controller.js';
import { GetAuditRunHandler, GetLedgerStatusHandler, ListAuditRunsHandler } from './audits/list-audit-runs.js';
import { LiftReadOnly } from './audits/lift-read-only.js';
import { RunAuditHandler } from './audits/run-audit.js';
import { EnrolHandler, OpenEnrolmentHandler, InviteOperatorHandler } from './enrol.js';
import { Streams } from '../notices/streams.js';
import { OperatorSessions } from './operator-sessions.js';
import { ListOperatorsHandler, ListOwnSessionsHandler, SignOutOperatorHandler } from './manage-operators.js';
import { OperatorsController } from './operators.controller.js';
import { ChangeOwnPasswordHandler, EndOwnSessionsHandler, RenewRecoveryCodesHandler } from './own-account.js';
import { DecideRequestHandler } from './requests/decide-request.js';
import { LapseJob } from './requests/lapse-requests.js';
import { ChangeLimitsHandler } from './requests/limits.js';
import { MakeRequestHandler } from './requests/make-request.js';
import { ChangeOperatorRole, EndOperator } from './requests/operator-kinds.js';
import { GetRequestHandler, ListRequestsHandler } from './requests/read-requests.js';
import { type RequestKind, RequestKinds } from './requests/request-kind.js';
import { RequestsController } from './requests/requests.controller.js';
import { StepUp } from './step-up.js';
import { OperatorStreamController, OperatorStreams } from './operator-streams.js';
import { OneTimeCodes } from './one-time-codes.js';
import { EnterCodeHandler, SignInHandler, SignOutHandler } from './sign-in.js';
import { SignInController } from './sign-in.controller.js';

/** The kinds of requests that a second operator decides. */
const requestKinds = [ChangeOperatorRole, EndOperator, LiftReadOnly];

/** The commands of operators, for their console and for the command line. */
@Module({
  providers: [
    ActionLog,
    OneTimeCodes,
    OperatorSessions,
    SignInHandler,
    EnterCodeHandler,
    SignOutHandler,
    InviteOperatorHandler,
    OpenEnrolmentHandler,
    EnrolHandler,
    StepUp,
    ...requestKinds,
    { provide: RequestKinds, inject: requestKinds, useFactory: (...kinds: RequestKind[]) => new RequestKinds(kinds) },
    MakeRequestHandler,
    DecideRequestHandler,
    ListRequestsHandler,
    GetRequestHandler,
    ChangeLimitsHandler,
    ListOperatorsHandler,
    SignOutOperatorHandler,
    ListOwnSessionsHandler,
    EndOwnSessionsHandler,
    ChangeOwnPasswordHandler,
    RenewRecoveryCodesHandler,
    StartAuditRunHandler,
    StartNightlyAuditHandler,
    CancelAuditRunHandler,
    ResumeAuditRunHandler,
    RunAuditHandler,
    ListAuditRunsHandler,
    GetAuditRunHandler,
    GetLedgerStatusHandler,
  ],
  exports: [ActionLog, OperatorSessions, StepUp],
})
export class OperatorsModule {}

/** The same with the HTTP API: for the operators' process alone. */
@Module({
  imports: [OperatorsModule],
  controllers: [
    SignInController,
    AccountsController,
    RequestsController,
    ActionsController,
    OperatorsController,
    AuditsController,
    OperatorStreamController,
  ],
  providers: [LapseJob, ActionReader, Streams, OperatorStreams],
  exports: [OperatorsModule],
})
export class OperatorsHttpModule {}
