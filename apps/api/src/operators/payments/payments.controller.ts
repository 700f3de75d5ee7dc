import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import {
  askGateway,
  closeException,
  downloadExceptions,
  downloadPaymentOrders,
  downloadRefunds,
  getMoneyLine,
  getPaymentOrder,
  getPaymentSummary,
  listExceptions,
  listPaymentOrders,
  listRefunds,
} from '@yiqiao/contracts/operator/payments';
import { PAY_CHANNELS, PAY_STATUSES, yuanOf } from '@yiqiao/domain/orders';
import { EXCEPTIONS, GATEWAYS, REFUNDS } from '../../orders/payments-texts.js';
import { Clock } from '../../platform/clock.js';
import type { Column, CsvFile } from '../../platform/csv.js';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { AskGateway, CloseException } from './close.js';
import { GetPaymentOrder } from './get-order.js';
import { GetMoneyLine } from './money-line.js';
import { OrderList, type OrderRow } from './order-list.js';
import { type ExceptionRow, PaymentLists, type RefundRow } from './payment-lists.js';
import { LoggedDownloads } from './logged-downloads.js';

const yuan = (fen: number | null): string | null => (fen === null ? null : fen < 0 ? `-${yuanOf(-fen)}` : yuanOf(fen));

const orderColumns = (language: Language): readonly Column<OrderRow>[] => [
  { zh: '订单号', en: 'Order', value: ({ no }) => no },
  { zh: '会员', en: 'Member', value: ({ userId }) => userId },
  { zh: '昵称', en: 'Nickname', value: ({ memberName }) => memberName },
  {
    zh: '套餐',
    en: 'Plan',
    value: ({ planName, planEnName, salesNum }) => `${{ zh: planName, en: planEnName }[language]} × ${salesNum}`,
  },
  { zh: '支付方式', en: 'Paid through', value: ({ payChannel }) => PAY_CHANNELS[payChannel][language] },
  { zh: '状态', en: 'Status', value: ({ payStatus }) => PAY_STATUSES[payStatus][language] },
  { zh: '金额（元）', en: 'Amount (yuan)', value: ({ amount }) => yuan(amount) },
  { zh: '已入账（元）', en: 'Credited (yuan)', value: ({ paidAmount }) => yuan(paidAmount) },
  { zh: '已退（元）', en: 'Refunded (yuan)', value: ({ refundedAmount }) => yuan(refundedAmount) },
  { zh: '下单时间', en: 'Placed', value: ({ createDateTime }) => createDateTime },
  { zh: '付款时间', en: 'Paid', value: ({ payDateTime }) => payDateTime },
];

const exceptionColumns = (language: Language): readonly Column<ExceptionRow>[] => [
  { zh: '情况', en: 'What', value: ({ what }) => EXCEPTIONS[what].is[language] },
  { zh: '时间', en: 'Time', value: ({ at }) => at },
  { zh: '网关', en: 'Gateway', value: ({ gateway }) => gateway && GATEWAYS[gateway][language] },
  { zh: '订单号', en: 'Order', value: ({ orderNo }) => orderNo },
  { zh: '会员', en: 'Member', value: ({ userId }) => userId },
  { zh: '交易号', en: 'Transaction', value: ({ tradeNo }) => tradeNo },
  { zh: '金额（元）', en: 'Amount (yuan)', value: ({ amount }) => yuan(amount) },
  { zh: '次数', en: 'Times', value: ({ times }) => times },
  { zh: '网关的话', en: 'Words of the gateway', value: ({ why }) => why },
];

const refundColumns = (language: Language): readonly Column<RefundRow>[] => [
  { zh: '退款单号', en: 'Refund', value: ({ no }) => no },
  { zh: '订单号', en: 'Order', value: ({ orderNo }) => orderNo },
  { zh: '会员', en: 'Member', value: ({ userId }) => userId },
  { zh: '网关', en: 'Gateway', value: ({ gateway }) => GATEWAYS[gateway][language] },
  { zh: '交易号', en: 'Transaction', value: ({ tradeNo }) => tradeNo },
  { zh: '金额（元）', en: 'Amount (yuan)', value: ({ amount }) => yuan(amount) },
  { zh: '状态', en: 'State', value: ({ state }) => REFUNDS[state][language] },
  { zh: '来源', en: 'Made by', value: ({ source }) => source },
  { zh: '操作员', en: 'Operator', value: ({ by }) => by },
  { zh: '原因', en: 'Reason', value: ({ reason }) => reason },
  { zh: '时间', en: 'Time', value: ({ at }) => at },
];

/** Orders and their money (operators §10). */
@Controller()
export class PaymentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly orders: OrderList,
    private readonly lists: PaymentLists,
    private readonly downloads: LoggedDownloads,
    private readonly clock: Clock,
  ) {}

  @Endpoint(listPaymentOrders)
  list(@Input(listPaymentOrders) filter: InputOf<typeof listPaymentOrders>): Promise<Answer<typeof listPaymentOrders>> {
    return this.orders.list(filter);
  }

  @Endpoint(downloadPaymentOrders)
  download(
    @Input(downloadPaymentOrders) filter: InputOf<typeof downloadPaymentOrders>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    const file = {
      name: 'orders' as const,
      columns: orderColumns(client.language),
      pages: this.orders.pages(filter),
      filter,
    };
    return this.downloads.open(file, operator, client);
  }

  @Endpoint(getPaymentOrder)
  show(@Input(getPaymentOrder) { no }: InputOf<typeof getPaymentOrder>): Promise<Answer<typeof getPaymentOrder>> {
    return this.queries.execute(new GetPaymentOrder(no));
  }

  @Endpoint(askGateway)
  ask(
    @Input(askGateway) { no, mode }: InputOf<typeof askGateway>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof askGateway>> {
    return this.commands.execute(new AskGateway(no, mode, actorOf(operator, client)));
  }

  @Endpoint(listExceptions)
  exceptions(): Promise<Answer<typeof listExceptions>> {
    return this.lists.exceptions();
  }

  @Endpoint(downloadExceptions)
  async downloadExceptions(
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    const { rows } = await this.lists.exceptions();
    const file = {
      name: 'exceptions' as const,
      columns: exceptionColumns(client.language),
      pages: once(rows),
      filter: {},
    };
    return this.downloads.open(file, operator, client);
  }

  @Endpoint(closeException)
  async closeException(
    @Input(closeException) { key, reason }: InputOf<typeof closeException>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.commands.execute(new CloseException(key, reason, actorOf(operator, client)));
    return true;
  }

  @Endpoint(listRefunds)
  refunds(@Input(listRefunds) filter: InputOf<typeof listRefunds>): Promise<Answer<typeof listRefunds>> {
    return this.lists.refunds(filter);
  }

  @Endpoint(downloadRefunds)
  downloadRefunds(
    @Input(downloadRefunds) filter: InputOf<typeof downloadRefunds>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    const file = {
      name: 'refunds' as const,
      columns: refundColumns(client.language),
      pages: this.lists.refundPages(filter),
      filter,
    };
    return this.downloads.open(file, operator, client);
  }

  @Endpoint(getPaymentSummary)
  summary(): Promise<Answer<typeof getPaymentSummary>> {
    return this.lists.summary();
  }

  @Endpoint(getMoneyLine)
  money(@Input(getMoneyLine) { at }: InputOf<typeof getMoneyLine>): Promise<Answer<typeof getMoneyLine>> {
    return this.queries.execute(new GetMoneyLine(at === undefined ? null : this.clock.endOfWire(at)));
  }
}

async function* once<T>(rows: T[]): AsyncGenerator<T[]> {
  await Promise.resolve();
  yield rows;
}
