import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { AnswerInvoiceHandler } from './answer-invoice.js';
import { PollGatewayHandler } from './poll-gateway.js';
import { CancelOpenOrdersHandler } from './cancel-open-orders.js';
import { CancelOrderHandler } from './cancel-order.js';
import { ListInvoicesHandler, RequestInvoiceHandler } from './request-invoice.js';
import { RetryRefundsHandler } from './retry-refunds.js';
import { ExecuteRefundHandler } from './execute-refund.js';
import { ContinueOrderHandler } from './continue-order.js';
import { FlushOrderHandler } from './flush-order.js';
import { GetPayInfoHandler } from './get-pay-info.js';
import { GatewayQuery } from './gateway-query.js';
import { ListExceptionsHandler } from './list-exceptions.js';
import { ListOrderEventsHandler } from './list-order-events.js';
import { ListOrdersHandler } from './list-orders.js';
import { ListPayChannelsHandler } from './list-pay-channels.js';
import { OrderPlacement, PlaceOrderHandler } from './place-order.js';
import { PreviewOrderHandler } from './preview-order.js';
import { Checkout } from './checkout.js';
import { OrderMails } from './order-mails.js';
import { OrderRepository } from './order-repository.js';
import { OrdersController } from './orders.controller.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { PruneNotificationsHandler } from './prune-notifications.js';
import { PriceQuotes } from './price-quotes.js';
import { ReceiveNotificationHandler } from './receive-notification.js';
import { ReconcileOrderHandler } from './reconcile-order.js';
import { RecordRefundHandler } from './record-refund.js';
import { Refunds } from './refunds.js';
import { SettlePaymentHandler } from './settle-payment.js';
import { StartRefundHandler } from './start-refund.js';
import { PublishOrderUpdateHandler } from './publish-order-update.js';
import { TimeOutOrderHandler } from './time-out-order.js';
import { ProcessPendingNotificationsHandler } from './process-pending-notifications.js';

@Module({
  imports: [LedgerModule, MembersModule],
  controllers: [OrdersController],
  providers: [
    PayChannels,
    OrderRepository,
    OrderMails,
    OrderPlacement,
    PriceQuotes,
    Checkout,
    GatewayQuery,
    Refunds,
    PlaceOrderHandler,
    PreviewOrderHandler,
    ContinueOrderHandler,
    FlushOrderHandler,
    CancelOrderHandler,
    GetPayInfoHandler,
    ListOrdersHandler,
    ListOrderEventsHandler,
    ListPayChannelsHandler,
    SettlePaymentHandler,
    ReceiveNotificationHandler,
    ProcessPendingNotificationsHandler,
    PruneNotificationsHandler,
    PollGatewayHandler,
    TimeOutOrderHandler,
    CancelOpenOrdersHandler,
    PublishOrderUpdateHandler,
    StartRefundHandler,
    ExecuteRefundHandler,
    RetryRefundsHandler,
    ListExceptionsHandler,
    ReconcileOrderHandler,
    RecordRefundHandler,
    RequestInvoiceHandler,
    ListInvoicesHandler,
    AnswerInvoiceHandler,
  ],
  exports: [Refunds],
})
export class OrdersModule {}
