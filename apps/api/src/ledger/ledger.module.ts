import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../platform/config.js';
import { appConnection } from '../platform/database.js';
import { ExportAccountLogsHandler } from './log/export-account-logs.js';
import { GetUsageHandler } from './usage/get-usage.js';
import { ChangedAccounts } from './changed-accounts.js';
import { AnchorClosesHandler } from './closes/anchor-closes.js';
import { CloseKeys } from './closes/close-keys.js';
import { CloseLedgerHandler } from './closes/close-ledger.js';
import { GetSealHandler } from './closes/get-seal.js';
import { CloseViews, GetCloseHandler, ListClosesHandler, ListPublicClosesHandler } from './closes/list-closes.js';
import { VerifyClosesHandler } from './closes/verify-closes.js';
import { Ledger } from './ledger.js';
import { LedgerController } from './ledger.controller.js';
import { ListAccountLogsHandler } from './log/list-account-logs.js';
import { TotalAccountLogsHandler } from './log/total-account-logs.js';
import { ReleaseStaleHoldsHandler } from './writer/release-stale-holds.js';
import { RollUpUsageHandler, UsageRollUp } from './usage/usage-roll-up.js';
import { SpendingCaps } from './spending-caps.js';
import { AccountBlocks, BuildAccountBlocksHandler } from './time-machine/account-blocks.js';
import { CheckProofHandler } from './time-machine/check-proof.js';
import { GetCommandHandler } from './time-machine/command-entries.js';
import { GetAccountHandler } from './time-machine/get-account.js';
import { GetAccountStateHandler } from './time-machine/get-account-state.js';
import { GetCauseHandler } from './time-machine/get-cause.js';
import { GetDifferenceHandler } from './time-machine/get-difference.js';
import {
  GetFamilyDifferenceHandler,
  GetFamilyStateHandler,
  GetFamilyTimelineHandler,
} from './time-machine/get-family.js';
import { GetTimelineHandler } from './time-machine/get-timeline.js';
import { ListEntriesHandler } from './time-machine/list-entries.js';
import { ListFamilyMovesHandler } from './time-machine/list-family-moves.js';
import {
  ListHeldByFamilyHandler,
  ListHeldByPlanHandler,
  ListTrialDaysHandler,
  ListTrialEntriesHandler,
} from './trial-balance/break-down.js';
import { LedgerDays, RollUpLedgerDaysHandler } from './trial-balance/ledger-days.js';
import { GetTrialBalanceHandler, TrialBalance } from './trial-balance/trial-balance.js';
import { LedgerWriter } from './writer/ledger-writer.js';

/** Commands under way finish before the process ends. */
@Injectable()
class CloseWriter implements OnApplicationShutdown {
  constructor(private readonly writer: LedgerWriter) {}

  async onApplicationShutdown(): Promise<void> {
    await this.writer.close();
  }
}

const writer = {
  provide: LedgerWriter,
  inject: [Config],
  useFactory: (config: Config): LedgerWriter =>
    new LedgerWriter(appConnection(config, 'yiqiao-ledger'), {
      timeZone: config.env.APP_TIMEZONE,
      connections: config.env.LEDGER_CONNECTIONS,
    }),
};

@Module({
  controllers: [LedgerController],
  providers: [
    Ledger,
    SpendingCaps,
    ChangedAccounts,
    writer,
    CloseWriter,
    ListAccountLogsHandler,
    TotalAccountLogsHandler,
    ExportAccountLogsHandler,
    UsageRollUp,
    GetUsageHandler,
    RollUpUsageHandler,
    ReleaseStaleHoldsHandler,
    AccountBlocks,
    BuildAccountBlocksHandler,
    CheckProofHandler,
    GetAccountStateHandler,
    GetDifferenceHandler,
    GetTimelineHandler,
    ListEntriesHandler,
    GetAccountHandler,
    GetCommandHandler,
    GetCauseHandler,
    GetFamilyStateHandler,
    GetFamilyTimelineHandler,
    GetFamilyDifferenceHandler,
    ListFamilyMovesHandler,
    LedgerDays,
    RollUpLedgerDaysHandler,
    TrialBalance,
    GetTrialBalanceHandler,
    ListHeldByPlanHandler,
    ListHeldByFamilyHandler,
    ListTrialDaysHandler,
    ListTrialEntriesHandler,
    CloseKeys,
    CloseLedgerHandler,
    AnchorClosesHandler,
    CloseViews,
    ListPublicClosesHandler,
    ListClosesHandler,
    GetCloseHandler,
    GetSealHandler,
    VerifyClosesHandler,
  ],
  exports: [AccountBlocks, ChangedAccounts, Ledger, SpendingCaps],
})
export class LedgerModule {}
