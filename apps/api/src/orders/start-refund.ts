import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
import type { Author } from '../platform/manager-actions.js';
import { Outbox } from '../platform/outbox.js';
import { uuid7 } from '../platform/uuid7.js';
import { GatewayQuery } from './gateway-query.js';
import { OrderRepository } from './order-repository.js';
import { readPayment, Refunds, refundTotalOf, writeRefund } from './refunds.js';

/** `amount` refunded of the amount `paid`, in fen. */
type StartedRefund = {
  paymentId: number;
  orderNo: string;
  amount: number;
  paid: number;
  refundNo: string;
  state: 'started' | 'done';
};

export class StartRefund extends Command<StartedRefund> {
  constructor(
    readonly paymentId: number,
    readonly by: Author & { reason: string },
    /** For a request that was approved: the transaction of its decision, its command and the amount that was asked for. */
    readonly asked?: { em: EntityManager; cmdId: string; amount: number },
  ) {
    super();
  }
}

/**
 * Starts the refund of a payment: takes the unused part of the quota it bought, if any, then has the gateway return that share of the money
 * (docs/decisions/0014, 0043). Returns a refund that is already started or complete; a refused one may be started again, and a partial one
 * may be followed by another. Throws NOT_FOUND, REFUND_NOT_POSSIBLE, REFUND_AMOUNT_CHANGED; for a wrong amount GATEWAY_UNKNOWN.
 */
@CommandHandler(StartRefund)
export class StartRefundHandler implements ICommandHandler<StartRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly refunds: Refunds,
    private readonly gatewayQuery: GatewayQuery,
    private readonly outbox: Outbox,
  ) {}

  async execute(command: StartRefund): Promise<StartedRefund> {
    const { paymentId, asked } = command;
    await this.#confirmWrongAmount(paymentId);
    const within = asked?.em ?? this.em.fork();
    const started = await within.transactional((em) => this.#start(em, command));
    failpoint('after-refund-start');
    return started;
  }

  async #start(em: EntityManager, { paymentId, by, asked }: StartRefund): Promise<StartedRefund> {
    const { payment, order } = await this.refunds.lock(em, paymentId);
    const { refundState: state, refundNo: lastNo, refundAmount } = payment;
    const answer = { paymentId, orderNo: order.no, paid: payment.amount };
    const isComplete = refundTotalOf(payment) === payment.amount;
    if (lastNo !== null && refundAmount !== null && (state === 'started' || (state === 'done' && isComplete)))
      return this.#again({ ...answer, amount: refundAmount, refundNo: lastNo, state }, asked);
    // A payment of another gateway cannot be refunded through the order’s own.
    if (payment.gateway !== PAY_CHANNELS[order.payChannel].gateway || payment.amount === 0)
      throw new Refusal('REFUND_NOT_POSSIBLE');
    const { managerId, reason } = by;
    const action = { managerId, reason, cmdId: asked?.cmdId ?? uuid7() };
    const amount =
      payment.verdict === 'credit'
        ? await this.refunds.takeBack(em, order, payment, action)
        : payment.amount - refundTotalOf(payment);
    if (asked && asked.amount !== amount) throw new Refusal('REFUND_AMOUNT_CHANGED');
    const refundNo = this.refunds.numberFor(payment, amount);
    await writeRefund(em, payment, { ...action, refundNo, amount, source: 'operator' });
    const target = { kind: 'order', id: order.no };
    await by.log?.(em, { action: 'payment.refund', target, after: { refundNo, amount }, reason });
    await this.orders.recordEvents(em, order, ['refundStarted']);
    await this.outbox.record(em, { type: 'RefundStarted', paymentId });
    return { ...answer, amount, refundNo, state: 'started' as const };
  }

  /** What was approved is carried out once: somebody else has refunded it meanwhile. */
  #again(refund: StartedRefund, asked: StartRefund['asked']): StartedRefund {
    if (asked) throw new Refusal('REFUND_AMOUNT_CHANGED');
    return refund;
  }

  /**
   * A wrong amount is refunded only when a query of the gateway reports the same transaction: the notification may have been wrong and the
   * payment right.
   */
  async #confirmWrongAmount(paymentId: number): Promise<void> {
    const payment = await readPayment(this.em.fork(), paymentId);
    if (payment?.verdict !== 'wrongAmount' || payment.refundState !== null) return;
    const order = await this.orders.find(payment.orderId);
    const trade = order && (await this.gatewayQuery.query(order));
    if (trade?.state !== 'paid' || trade.payment.tradeNo !== payment.tradeNo) throw new Refusal('REFUND_NOT_POSSIBLE');
  }
}
