import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Refunds } from '../../orders/orders.js';
import { InvoiceRequest } from '../../orders/invoice-request.entity.js';
import { EarlierRefund } from '../../orders/payment.entity.js';
import { Payment, refundedOf } from '../../orders/payments.js';
import { OrderEventRecord, RechargeOrder } from '../../orders/recharge-order.entity.js';
import { Clock } from '../../platform/clock.js';
import { Manager } from '../../platform/manager-actions.js';
import { OperatorRequest } from '../operator.entity.js';
import { messagesAbout } from './order-messages.js';
import { OrderList } from './order-list.js';
import { refundableOf } from './refund-payment.js';

type Order = Answer<typeof getPaymentOrder>;

export class GetPaymentOrder extends Query<Order> {
  constructor(readonly no: string) {
    super();
  }
}

/** Throws NOT_FOUND. */
@QueryHandler(GetPaymentOrder)
export class GetPaymentOrderHandler implements IQueryHandler<GetPaymentOrder> {
  constructor(
    private readonly em: EntityManager,
    private readonly list: OrderList,
    private readonly refunds: Refunds,
    private readonly clock: Clock,
  ) {}

  async execute({ no }: GetPaymentOrder): Promise<Order> {
    const em = this.em.fork();
    const [row, order] = [await this.list.one(no), await em.findOne(RechargeOrder, { no })];
    if (!row || !order) throw new Refusal('NOT_FOUND');
    const payments = await em.find(Payment, { orderId: order.id }, { orderBy: { id: 'asc' } });
    const events = await em.find(OrderEventRecord, { orderId: order.id }, { orderBy: { id: 'asc' } });
    const entries = await this.#entries(em, order.id);
    const recharges = entries.filter(({ type }) => type === 'recharge');
    return {
      ...row,
      num: order.num * order.salesNum,
      billingMode: billingModeOf(order.billingMode) ?? 'char',
      voiceNum: order.voiceNum * order.salesNum,
      imageNum: order.imageNum * order.salesNum,
      expireDateTime: this.clock.toWire(order.expiresAt),
      events: events.map(({ event, happenedAt }) => ({ event, at: this.clock.toWire(happenedAt) })),
      payments: await this.#payments(em, order, payments),
      refunds: await this.#refunds(em, payments),
      entries,
      messages: await messagesAbout(em, no, this.clock),
      invoice: await this.#invoice(em, order.id),
      statement: await this.#statement(em, no),
      ledgerAmount: recharges.length === 0 ? null : recharges.reduce((sum, { amount }) => sum + amount, 0),
    };
  }

  async #payments(em: EntityManager, order: RechargeOrder, payments: Payment[]): Promise<Order['payments']> {
    const targetId = { $in: payments.map(({ id }) => String(id)) };
    const open = await em.find(OperatorRequest, { kind: 'payment.refund', state: 'open', targetId });
    const requests = new Map(open.map((request) => [request.targetId, request.id]));
    const rows: Order['payments'] = [];
    for (const payment of payments)
      rows.push({
        id: payment.id,
        gateway: payment.gateway,
        tradeNo: payment.tradeNo,
        amount: payment.amount,
        currency: payment.currency,
        paidAt: payment.paidAt && this.clock.toWire(payment.paidAt),
        receivedAt: this.clock.toWire(payment.receivedAt),
        seenBy: payment.seenBy,
        verdict: payment.verdict,
        refundState: payment.refundState,
        refundedAmount: refundedOf(payment),
        refundable: await refundableOf(em, this.refunds, { order, payment }).catch(nothingIfRefused),
        requestId: requests.get(String(payment.id)) ?? null,
      });
    return rows;
  }

  async #refunds(em: EntityManager, payments: Payment[]): Promise<Order['refunds']> {
    const earlier = await em.find(EarlierRefund, { paymentId: { $in: payments.map(({ id }) => id) } });
    const ids = [...earlier.map(({ managerId }) => managerId), ...payments.flatMap((p) => p.refundManagerId ?? [])];
    const managers = await em.find(Manager, { id: { $in: ids } });
    const names = new Map(managers.map(({ id, name }) => [id, name]));
    const trades = new Map(payments.map(({ id, tradeNo }) => [id, tradeNo]));
    return [
      ...earlier.map(({ no, paymentId, amount, source, managerId, reason, refundedAt }) => ({
        no,
        tradeNo: trades.get(paymentId) ?? '',
        amount,
        state: 'done' as const,
        source,
        by: names.get(managerId) ?? null,
        reason,
        answer: null,
        at: this.clock.toWire(refundedAt),
      })),
      ...payments.flatMap((payment) => {
        const { refundState: state, refundNo: no, refundAmount: amount, refundManagerId, refundedAt } = payment;
        if (state === null || no === null || amount === null) return [];
        return {
          no,
          tradeNo: payment.tradeNo,
          amount,
          state,
          source: payment.refundSource ?? 'operator',
          by: refundManagerId === null ? null : (names.get(refundManagerId) ?? null),
          reason: payment.refundReason,
          answer: payment.refundAnswer,
          at: refundedAt && this.clock.toWire(refundedAt),
        };
      }),
    ];
  }

  async #entries(em: EntityManager, orderId: number): Promise<Order['entries']> {
    // Raw SQL: `account_log` belongs to the ledger and has no entity.
    const rows = await em.execute<Record<string, number | Date>[]>(
      `SELECT id, seq, user_id AS "userId", log_type AS "logType", amount, char_change AS "charNum", min_change AS minutes,
         voice_change AS "voiceNum", image_change AS "imageNum", before_char AS "beforeChar", last_char AS "lastChar", created_at AS at
       FROM account_log WHERE order_id = ? ORDER BY user_id, seq`,
      [orderId],
    );
    return rows.map(({ at, logType, ...numbers }) => ({
      ...(Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) as Record<
        | 'id'
        | 'seq'
        | 'userId'
        | 'amount'
        | 'charNum'
        | 'minutes'
        | 'voiceNum'
        | 'imageNum'
        | 'beforeChar'
        | 'lastChar',
        number
      >),
      type: Number(logType) === 1 ? 'recharge' : 'refund',
      at: this.clock.toWire(at as Date),
    }));
  }

  async #invoice(em: EntityManager, orderId: number): Promise<Order['invoice']> {
    const found = await em.findOne(InvoiceRequest, { orderId }, { orderBy: { id: 'desc' } });
    if (!found) return null;
    const { id, state, amount, invoiceNo, requestedAt } = found;
    return { id, state, amount, invoiceNo, requestedAt: this.clock.toWire(requestedAt) };
  }

  async #statement(em: EntityManager, no: string): Promise<Order['statement']> {
    const rows = await em.execute<{ kind: 'payment' | 'refund'; tradeNo: string; amount: number; at: Date }[]>(
      `SELECT kind, trade_no AS "tradeNo", amount, at FROM statement_line WHERE order_no = ? ORDER BY at, kind`,
      [no],
    );
    return rows.map(({ at, amount, ...row }) => ({ ...row, amount: Number(amount), at: this.clock.toWire(at) }));
  }
}

const nothingIfRefused = (error: unknown): null => {
  if (error instanceof Refusal) return null;
  throw error;
};
