import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountMails } from './account-mails.js';
import { ChangeChannelHandler } from './change-channel.js';
import { ConversionPrices } from './conversion-prices.js';
import { DeleteChildUsersHandler } from './delete-child-users.js';
import { Devices, PruneDevicesHandler } from './devices.js';
import { DistributeToManyHandler } from './distribute-to-many.js';
import { DistributeHandler } from './distribute.js';
import { EraseAddressesHandler } from './erase-addresses.js';
import { ExportLoginLogsHandler } from './export-login-logs.js';
import { FamilyConversions } from './family-conversions.js';
import { GetUserHandler } from './get-user.js';
import { Invitations } from './invitations.js';
import { ListMappingHandler } from './list-mapping.js';
import { LogOffHandler } from './log-off.js';
import { GetLoginLogHandler, ListLoginLogsHandler } from './login-log-queries.js';
import { LoginLogs } from './login-logs.js';
import { MailboxGifts } from './mailbox-gifts.js';
import { MainAccounts } from './main-accounts.js';
import { MemberPasswords } from './member-passwords.js';
import { ChangeFailoverHandler, ChangeTranslationCacheHandler, UpdateNicknameHandler } from './member-settings.js';
import { MembersController } from './members.controller.js';
import { Members } from './members.js';
import { PruneRemindersHandler } from './reminders/prune-reminders.js';
import { ChangeRemindersHandler } from './reminders/reminder-settings.js';
import { SendReminderHandler } from './reminders/send-reminder.js';
import { WatchBalancesHandler } from './reminders/watch-balances.js';
import { SaveChildUserHandler } from './save-child-user.js';
import { GetChildUserHandler, ListChildUsersHandler, SubAccountQueries } from './sub-account-queries.js';
import {
  ChangeAutoDistributionHandler,
  ChangeEnabledHandler,
  ChangeManyEnabledHandler,
  ResetChildPasswordHandler,
} from './sub-account-settings.js';
import { SubAccountsController } from './sub-accounts.controller.js';
import { SubAccounts } from './sub-accounts.js';

@Module({
  imports: [LedgerModule],
  controllers: [MembersController, SubAccountsController],
  providers: [
    Members,
    AccountDeletion,
    AccountMails,
    ConversionPrices,
    Devices,
    FamilyConversions,
    Invitations,
    LoginLogs,
    MailboxGifts,
    MainAccounts,
    MemberPasswords,
    SubAccountQueries,
    SubAccounts,
    ChangeAutoDistributionHandler,
    ChangeChannelHandler,
    ChangeEnabledHandler,
    ChangeFailoverHandler,
    ChangeManyEnabledHandler,
    ChangeRemindersHandler,
    ChangeTranslationCacheHandler,
    DeleteChildUsersHandler,
    DistributeHandler,
    DistributeToManyHandler,
    EraseAddressesHandler,
    ExportLoginLogsHandler,
    GetChildUserHandler,
    GetLoginLogHandler,
    GetUserHandler,
    ListChildUsersHandler,
    ListLoginLogsHandler,
    ListMappingHandler,
    LogOffHandler,
    PruneDevicesHandler,
    PruneRemindersHandler,
    ResetChildPasswordHandler,
    SaveChildUserHandler,
    SendReminderHandler,
    UpdateNicknameHandler,
    WatchBalancesHandler,
  ],
  exports: [Members],
})
export class MembersModule {}
