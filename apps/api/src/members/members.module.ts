import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ChangeAutoDistributionHandler } from './change-auto-distribution.js';
import { ChangeChannelHandler } from './change-channel.js';
import { ChangeEnabledHandler } from './change-enabled.js';
import { ChangeFailoverHandler } from './change-failover.js';
import { ChangeTranslationCacheHandler } from './change-translation-cache.js';
import { ChannelController } from './channel.controller.js';
import { SubAccountQueries } from './sub-account-queries.js';
import { AccountDeletion } from './account-deletion.js';
import { DeleteChildUsersHandler } from './delete-child-users.js';
import { DistributeHandler } from './distribute.js';
import { EraseAddressesHandler } from './erase-addresses.js';
import { ExportLoginLogsHandler } from './export-login-logs.js';
import { FamilyConversions } from './family-conversions.js';
import { GetChildUserHandler } from './get-child-user.js';
import { GetLoginLogHandler } from './get-login-log.js';
import { GetUserHandler } from './get-user.js';
import { ListChildUsersHandler } from './list-child-users.js';
import { ListLoginLogsHandler } from './list-login-logs.js';
import { ListMappingHandler } from './list-mapping.js';
import { LogOffHandler } from './log-off.js';
import { LoginLogs } from './login-logs.js';
import { MailboxGifts } from './mailbox-gifts.js';
import { MainAccounts } from './main-accounts.js';
import { MembersController } from './members.controller.js';
import { Members } from './members.js';
import { Invitations } from './invitations.js';
import { OwnPassword } from './own-password.js';
import { PasswordChanges } from './password-changes.js';
import { ChangeRemindersHandler } from './reminders/change-reminders.js';
import { PruneRemindersHandler } from './reminders/prune-reminders.js';
import { SendReminderHandler } from './reminders/send-reminder.js';
import { WatchBalancesHandler } from './reminders/watch-balances.js';
import { ResetChildPasswordHandler } from './reset-child-password.js';
import { SaveChildUserHandler } from './save-child-user.js';
import { SubAccountsController } from './sub-accounts.controller.js';
import { SubAccounts } from './sub-accounts.js';
import { ConversionPrices } from './conversion-prices.js';
import { UpdateNicknameHandler } from './update-nickname.js';

@Module({
  imports: [LedgerModule],
  controllers: [MembersController, SubAccountsController, ChannelController],
  providers: [
    Members,
    MainAccounts,
    SubAccounts,
    MailboxGifts,
    PasswordChanges,
    Invitations,
    OwnPassword,
    LoginLogs,
    GetUserHandler,
    UpdateNicknameHandler,
    GetLoginLogHandler,
    ListLoginLogsHandler,
    ExportLoginLogsHandler,
    ChangeChannelHandler,
    FamilyConversions,
    ListMappingHandler,
    LogOffHandler,
    ConversionPrices,
    ChangeAutoDistributionHandler,
    ChangeEnabledHandler,
    ChangeFailoverHandler,
    ChangeTranslationCacheHandler,
    SubAccountQueries,
    AccountDeletion,
    DeleteChildUsersHandler,
    DistributeHandler,
    EraseAddressesHandler,
    GetChildUserHandler,
    ListChildUsersHandler,
    ResetChildPasswordHandler,
    ChangeRemindersHandler,
    WatchBalancesHandler,
    SendReminderHandler,
    PruneRemindersHandler,
    SaveChildUserHandler,
  ],
  exports: [Members],
})
export class MembersModule {}
