import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { AccountsController } from './accounts.controller.js';
import { BooksController } from './books.controller.js';
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
import { ChangeNoticeHandler } from './content/change-notice.js';
import {
  CheckDocumentHandler,
  GetDocumentHandler,
  ListDocumentsHandler,
  SaveDocumentHandler,
} from './content/documents.js';
import { DocumentsController } from './content/documents.controller.js';
import { OperatorNoticesController } from './content/notices.controller.js';
import { GetNoticeHandler, ListAllNoticesHandler } from './content/read-notices.js';
import { TranslateNoticeHandler } from './content/translate-notice.js';
import { EnrolHandler, OpenEnrolmentHandler, InviteOperatorHandler } from './enrol.js';
import { NoticesModule } from '../notices/notices.module.js';
import { Streams } from '../notices/streams.js';
import { AdjustQuotaHandler } from './members/adjust-quota.js';
import { GrantPlanHandler } from './members/grant-plan.js';
import { MemberLimits, PreviewGrantHandler } from './members/member-limits.js';
import { AdjustQuotaRequest, GrantPlanRequest } from './members/member-requests.js';
import { ExportProofHandler } from './export-proof.js';
import { ExportMembersHandler } from './members/export-members.js';
import { GetMemberHandler } from './members/get-member.js';
import { GetSourcesHandler } from './members/get-sources.js';
import { MemberChange } from './members/member-change.js';
import {
  AddMemberNoteHandler,
  RevealMemberHandler,
  SetMemberEnabledHandler,
  SignMemberOutHandler,
  ViewAsMemberHandler,
} from './members/member-commands.js';
import { ListMemberChildrenHandler, ListMemberOrdersHandler } from './members/member-lists.js';
import { OperatorMembersController } from './members/members.controller.js';
import { SearchMembersHandler } from './members/search-members.js';
import { OperatorSessions } from './operator-sessions.js';
import { ListOperatorsHandler, ListOwnSessionsHandler, SignOutOperatorHandler } from './manage-operators.js';
import { OperatorsController } from './operators.controller.js';
import { ChangeOwnPasswordHandler, EndOwnSessionsHandler, RenewRecoveryCodesHandler } from './own-account.js';
import { AskGatewayHandler, CloseDifferenceHandler, CloseExceptionHandler } from './payments/close.js';
import { AddPasskeyHandler, ListOwnPasskeysHandler, RemovePasskeyHandler } from './passkeys/own-passkeys.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { RelyingParty } from './passkeys/relying-party.js';
import { SignInByPasskeyHandler } from './passkeys/sign-in-by-passkey.js';
import { OrderComparison } from './payments/compare-order.js';
import { GetPaymentOrderHandler } from './payments/get-order.js';
import { ImportStatementsHandler } from './payments/import-statements.js';
import { LoggedDownloads } from './payments/logged-downloads.js';
import { GetMoneyLineHandler } from './payments/money-line.js';
import { OrderList } from './payments/order-list.js';
import { OrderRuns } from './payments/order-runs.js';
import { PaymentLists } from './payments/payment-lists.js';
import { PaymentsController } from './payments/payments.controller.js';
import { ReconciliationLists } from './payments/reconciliation-lists.js';
import { ReconciliationsController } from './payments/reconciliations.controller.js';
import { RefundPayment } from './payments/refund-payment.js';
import { OrdersModule } from '../orders/orders.module.js';
import { DecideRequestHandler } from './requests/decide-request.js';
import { LapseJob, LateRequests } from './requests/lapse-requests.js';
import { ChangeLimitsHandler } from './requests/limits.js';
import { MakeRequestHandler } from './requests/make-request.js';
import { ChangeOperatorRole, EndOperator } from './requests/operator-kinds.js';
import { GetRequestHandler, ListRequestsHandler } from './requests/read-requests.js';
import { type RequestKind, RequestKinds } from './requests/request-kind.js';
import { RequestsController } from './requests/requests.controller.js';
import { StepUp } from './step-up.js';
import { queueModules } from '../platform/queue.js';
import { OperatorStreamController, OperatorStreams } from './operator-streams.js';
import { OneTimeCodes } from './one-time-codes.js';
import { ShellController } from './shell.controller.js';
import { EnterCodeHandler, SignInHandler, SignOutHandler } from './sign-in.js';
import { SignInController } from './sign-in.controller.js';
import { GetSystemHandler } from './today/get-system.js';
import { GetSystemDetailsHandler } from './today/get-system-details.js';
import { NightlyTasks } from './today/nightly-tasks.js';
import { GetTodayHandler } from './today/get-today.js';
import { ListChannelTrafficHandler } from './today/list-channel-traffic.js';
import { ListTasksHandler } from './today/list-tasks.js';
import { ListPricesHandler, PricesController } from './prices/list-prices.js';
import { ListPriceVersionsHandler } from './prices/list-price-versions.js';
import { ChangePrice } from './prices/change-price-kind.js';
import { TodayController } from './today/today.controller.js';
import { TranslationModule } from '../translation/translation.module.js';
import { ChangeVendorAccountHandler } from './vendors/change-vendor-account.js';
import { GetMarginHandler, MarginDays } from './vendors/get-margin.js';
import { ListVendorAccountsHandler } from './vendors/list-vendor-accounts.js';
import { TestVendorAccountHandler } from './vendors/test-vendor-account.js';
import { CreateVendorBillHandler, ListVendorBillsHandler, VoidVendorBillHandler } from './vendors/vendor-bills.js';
import { VendorsController } from './vendors/vendors.controller.js';
import { CompareWhatIfsHandler, GetWhatIfHandler, ListWhatIfsHandler } from './what-if/list-what-ifs.js';
import { RunWhatIfHandler } from './what-if/run-what-if.js';
import { CancelWhatIfHandler, ResumeWhatIfHandler, StartWhatIfHandler } from './what-if/start-what-if.js';
import { WhatIfController } from './what-if/what-if.controller.js';

/** The kinds of requests that a second operator decides. */
const requestKinds = [
  AdjustQuotaRequest,
  GrantPlanRequest,
  ChangeOperatorRole,
  EndOperator,
  LiftReadOnly,
  RefundPayment,
  ChangePrice,
];

/** The commands of operators, for their console and for the command line. */
@Module({
  imports: [LedgerModule, MembersModule, OrdersModule],
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
    LateRequests,
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
    StartWhatIfHandler,
    CancelWhatIfHandler,
    ResumeWhatIfHandler,
    RunWhatIfHandler,
    ListWhatIfsHandler,
    GetWhatIfHandler,
    CompareWhatIfsHandler,
    OrderComparison,
    OrderRuns,
    ImportStatementsHandler,
    GetMoneyLineHandler,
    MemberChange,
    AdjustQuotaHandler,
    GrantPlanHandler,
    MemberLimits,
    PreviewGrantHandler,
    SearchMembersHandler,
    ExportMembersHandler,
    ExportProofHandler,
    GetMemberHandler,
    GetSourcesHandler,
    ListMemberChildrenHandler,
    ListMemberOrdersHandler,
    SignMemberOutHandler,
    SetMemberEnabledHandler,
    AddMemberNoteHandler,
    RevealMemberHandler,
    ViewAsMemberHandler,
  ],
  exports: [ActionLog, LateRequests, MemberLimits, OperatorSessions, OrderComparison, OrderRuns, StepUp],
})
export class OperatorsModule {}

const VENDORS = [
  ListPricesHandler,
  ListPriceVersionsHandler,
  ListVendorAccountsHandler,
  ChangeVendorAccountHandler,
  TestVendorAccountHandler,
  MarginDays,
  GetMarginHandler,
  ListVendorBillsHandler,
  CreateVendorBillHandler,
  VoidVendorBillHandler,
];
const CONTENT = [
  ListAllNoticesHandler,
  GetNoticeHandler,
  ChangeNoticeHandler,
  TranslateNoticeHandler,
  ListDocumentsHandler,
  GetDocumentHandler,
  CheckDocumentHandler,
  SaveDocumentHandler,
];
const PASSKEYS = [
  RelyingParty,
  SignInByPasskeyHandler,
  ListOwnPasskeysHandler,
  AddPasskeyHandler,
  RemovePasskeyHandler,
];
const PAYMENTS = [
  OrderList,
  PaymentLists,
  ReconciliationLists,
  LoggedDownloads,
  GetPaymentOrderHandler,
  AskGatewayHandler,
  CloseDifferenceHandler,
  CloseExceptionHandler,
];
const TODAY = [
  GetTodayHandler,
  ListTasksHandler,
  ListChannelTrafficHandler,
  GetSystemHandler,
  GetSystemDetailsHandler,
  NightlyTasks,
];

/** The same with the HTTP API: for the operators' process alone. */
@Module({
  imports: [OperatorsModule, OrdersModule, TranslationModule, NoticesModule, ...queueModules],
  controllers: [
    SignInController,
    PasskeysController,
    ShellController,
    TodayController,
    AccountsController,
    RequestsController,
    ActionsController,
    OperatorsController,
    AuditsController,
    PaymentsController,
    ReconciliationsController,
    BooksController,
    OperatorMembersController,
    OperatorStreamController,
    VendorsController,
    PricesController,
    OperatorNoticesController,
    DocumentsController,
    WhatIfController,
  ],
  providers: [
    LapseJob,
    ActionReader,
    Streams,
    OperatorStreams,
    ...PASSKEYS,
    ...PAYMENTS,
    ...TODAY,
    ...VENDORS,
    ...CONTENT,
  ],
  exports: [OperatorsModule],
})
export class OperatorsHttpModule {}
