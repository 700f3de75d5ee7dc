import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ExportLoginLogsHandler } from './export-login-logs.js';
import { GetLoginLogHandler } from './get-login-log.js';
import { GetUserHandler } from './get-user.js';
import { ListLoginLogsHandler } from './list-login-logs.js';
import { LoginLogs } from './login-logs.js';
import { MailboxGifts } from './mailbox-gifts.js';
import { MainAccounts } from './main-accounts.js';
import { MembersController } from './members.controller.js';
import { Members } from './members.js';
import { PasswordChanges } from './password-changes.js';
import { SubAccounts } from './sub-accounts.js';
import { UpdateNicknameHandler } from './update-nickname.js';

@Module({
  imports: [LedgerModule],
  controllers: [MembersController],
  providers: [
    Members,
    MainAccounts,
    SubAccounts,
    MailboxGifts,
    PasswordChanges,
    LoginLogs,
    GetUserHandler,
    UpdateNicknameHandler,
    GetLoginLogHandler,
    ListLoginLogsHandler,
    ExportLoginLogsHandler,
  ],
  exports: [Members],
})
export class MembersModule {}
