import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller.js';
import { ActionLog } from './action-log.js';
import { EnrolHandler, OpenEnrolmentHandler, InviteOperatorHandler } from './enrol.js';
import { OperatorSessions } from './operator-sessions.js';
import { OneTimeCodes } from './one-time-codes.js';
import { EnterCodeHandler, SignInHandler, SignOutHandler } from './sign-in.js';
import { SignInController } from './sign-in.controller.js';

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
  ],
  exports: [ActionLog, OperatorSessions],
})
export class OperatorsModule {}

/** The same with the HTTP API: for the operators' process alone. */
@Module({ imports: [OperatorsModule], controllers: [SignInController, AccountsController], exports: [OperatorsModule] })
export class OperatorsHttpModule {}
