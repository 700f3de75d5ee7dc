import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { AskGatewayHandler } from './ask-gateway.js';
import { CancelOpenOrdersHandler } from './cancel-open-orders.js';
import { CancelOrderHandler } from './cancel-order.js';
import { CarryOnRefundsHandler } from './carry-on-refunds.js';
import { CarryOutRefundHandler } from './carry-out-refund.js';
import { ContinueOrderHandler } from './continue-order.js';
import { FlushOrderHandler } from './flush-order.js';
import { GetPayInfoHandler } from './get-pay-info.js';
import { Inquiry } from './inquiry.js';
import { ListExceptionsHandler } from './list-exceptions.js';
import { ListOrderEventsHandler } from './list-order-events.js';
import { ListOrdersHandler } from './list-orders.js';
import { ListPayChannelsHandler } from './list-pay-channels.js';
import { NewOrders } from './new-orders.js';
import { Offers } from './offers.js';
import { OrderBook } from './order-book.js';
import { OrdersController } from './orders.controller.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { PlaceOrderHandler } from './place-order.js';
import { PruneNotificationsHandler } from './prune-notifications.js';
import { Quotations } from './quotations.js';
import { ReceiveNotificationHandler } from './receive-notification.js';
import { ReconcileOrderHandler } from './reconcile-order.js';
import { RecordRefundHandler } from './record-refund.js';
import { Refunds } from './refunds.js';
import { SettlePaymentHandler } from './settle-payment.js';
import { StartRefundHandler } from './start-refund.js';
import { TellOrderHandler } from './tell-order.js';
import { TimeOutOrderHandler } from './time-out-order.js';
import { WorkOffNotificationsHandler } from './work-off-notifications.js';

@Module({
  imports: [LedgerModule, MembersModule],
  controllers: [OrdersController],
  providers: [
    PayChannels,
    OrderBook,
    NewOrders,
    Quotations,
    Offers,
    Inquiry,
    Refunds,
    PlaceOrderHandler,
    ContinueOrderHandler,
    FlushOrderHandler,
    CancelOrderHandler,
    GetPayInfoHandler,
    ListOrdersHandler,
    ListOrderEventsHandler,
    ListPayChannelsHandler,
    SettlePaymentHandler,
    ReceiveNotificationHandler,
    WorkOffNotificationsHandler,
    PruneNotificationsHandler,
    AskGatewayHandler,
    TimeOutOrderHandler,
    CancelOpenOrdersHandler,
    TellOrderHandler,
    StartRefundHandler,
    CarryOutRefundHandler,
    CarryOnRefundsHandler,
    ListExceptionsHandler,
    ReconcileOrderHandler,
    RecordRefundHandler,
  ],
})
export class OrdersModule {}
