import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.js';
import { AuthController } from './auth.controller.js';
import { ChangePasswordHandler } from './change-password.js';
import { CheckAccountHandler, CheckUsernameHandler } from './check-names.js';
import { FindEmailHandler } from './find-email.js';
import { GrantInviteRewardHandler } from './grant-invite-reward.js';
import { LogInHandler, TakeSecondStepHandler } from './log-in.js';
import { LogOutHandler } from './log-out.js';
import { PruneCodesHandler } from './prune-codes.js';
import { RegisterHandler } from './register.js';
import { ResetPasswordHandler } from './reset-password.js';
import { MailResetCodeHandler, SendCodeHandler } from './send-code.js';
import { SendPasswordNoticeHandler, SendVerificationMailHandler } from './send-mail.js';
import {
  ChangeTwoStepHandler,
  EnrolTwoStepHandler,
  GetTwoStepHandler,
  ResetTwoStepHandler,
} from './two-step-commands.js';
import { TwoStep } from './two-step.js';
import { VerificationCodes } from './verification-codes.js';

@Module({
  imports: [MembersModule],
  controllers: [AuthController],
  providers: [
    TwoStep,
    VerificationCodes,
    CheckAccountHandler,
    CheckUsernameHandler,
    SendCodeHandler,
    MailResetCodeHandler,
    RegisterHandler,
    LogInHandler,
    TakeSecondStepHandler,
    LogOutHandler,
    FindEmailHandler,
    ResetPasswordHandler,
    ChangePasswordHandler,
    SendVerificationMailHandler,
    SendPasswordNoticeHandler,
    GrantInviteRewardHandler,
    PruneCodesHandler,
    GetTwoStepHandler,
    EnrolTwoStepHandler,
    ChangeTwoStepHandler,
    ResetTwoStepHandler,
  ],
})
export class AuthModule {}
