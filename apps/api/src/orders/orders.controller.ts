import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  cancelOrder,
  continueOrder,
  flushOrder,
  getPayInfo,
  listOrderEvents,
  listOrders,
  listPayChannels,
  payOrder,
  previewOrder,
} from '@yiqiao/contracts/orders';
import { listInvoices, requestInvoice } from '@yiqiao/contracts/invoices';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { CancelOrder } from './cancel-order.js';
import { ContinueOrder } from './continue-order.js';
import { FlushOrder } from './flush-order.js';
import { GetPayInfo } from './get-pay-info.js';
import { ListOrderEvents } from './list-order-events.js';
import { ListOrders } from './list-orders.js';
import { ListPayChannels } from './list-pay-channels.js';
import { ListInvoices, RequestInvoice } from './request-invoice.js';
import { PlaceOrder } from './place-order.js';
import { PreviewOrder } from './preview-order.js';

@Controller()
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(payOrder)
  pay(@Input(payOrder) input: InputOf<typeof payOrder>, @Caller() caller: Caller, @Client() client: ClientInfo) {
    return this.commands.execute(new PlaceOrder(input, caller, client));
  }

  @Endpoint(previewOrder)
  preview(@Input(previewOrder) input: InputOf<typeof previewOrder>, @Caller() caller: Caller) {
    return this.queries.execute(new PreviewOrder(caller.userId, input));
  }

  @Endpoint(continueOrder)
  continue(@Input(continueOrder) input: InputOf<typeof continueOrder>, @Caller() caller: Caller) {
    return this.commands.execute(new ContinueOrder(caller.userId, input.id));
  }

  @Endpoint(flushOrder)
  flush(@Input(flushOrder) input: InputOf<typeof flushOrder>, @Caller() caller: Caller) {
    return this.commands.execute(new FlushOrder(caller.userId, input.id));
  }

  @Endpoint(cancelOrder)
  cancel(@Input(cancelOrder) input: InputOf<typeof cancelOrder>, @Caller() caller: Caller) {
    return this.commands.execute(new CancelOrder(caller.userId, input.id));
  }

  @Endpoint(getPayInfo)
  payInfo(@Input(getPayInfo) input: InputOf<typeof getPayInfo>, @Caller() caller: Caller) {
    return this.queries.execute(new GetPayInfo(caller.userId, input.id));
  }

  @Endpoint(listOrders)
  page(@Input(listOrders) input: InputOf<typeof listOrders>, @Caller() caller: Caller) {
    return this.queries.execute(new ListOrders(caller.userId, input));
  }

  @Endpoint(listOrderEvents)
  timeline(@Input(listOrderEvents) input: InputOf<typeof listOrderEvents>, @Caller() caller: Caller) {
    return this.queries.execute(new ListOrderEvents(caller.userId, input.id));
  }

  @Endpoint(listInvoices)
  invoices(@Input(listInvoices) input: InputOf<typeof listInvoices>, @Caller() caller: Caller) {
    return this.queries.execute(new ListInvoices(caller.userId, input.id));
  }

  @Endpoint(requestInvoice)
  requestInvoice(@Input(requestInvoice) input: InputOf<typeof requestInvoice>, @Caller() caller: Caller) {
    return this.commands.execute(new RequestInvoice(caller.userId, input));
  }

  @Endpoint(listPayChannels)
  channels() {
    return this.queries.execute(new ListPayChannels());
  }
}
