import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
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
    readonly by: { managerId: number; reason: string },
  ) {
    super();
  }
}

/**
 * Starts the refund of a payment: takes the unused part of the quota it bought, if any, then has the gateway return that share of the money
 * (docs/decisions/0014, 0043). Returns a refund that is already started or complete; a refused one may be started again, and a partial one
 * may be followed by another. Throws NOT_FOUND, REFUND_NOT_POSSIBLE; for a wrong amount GATEWAY_UNKNOWN.
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

  async execute({ paymentId, by }: StartRefund): Promise<StartedRefund> {
    await this.#confirmWrongAmount(paymentId);
    const started = await this.em.fork().transactional(async (em) => {
      const { payment, order } = await this.refunds.lock(em, paymentId);
      const { refundState: state, refundNo: lastNo, refundAmount } = payment;
      const answer = { paymentId, orderNo: order.no, paid: payment.amount };
      const isComplete = refundTotalOf(payment) === payment.amount;
      if (lastNo !== null && refundAmount !== null && (state === 'started' || (state === 'done' && isComplete)))
        return { ...answer, amount: refundAmount, refundNo: lastNo, state };
      // A payment of another gateway cannot be refunded through the order’s own.
      if (payment.gateway !== PAY_CHANNELS[order.payChannel].gateway || payment.amount === 0)
        throw new Refusal('REFUND_NOT_POSSIBLE');
      const action = { ...by, cmdId: uuid7() };
      const amount =
        payment.verdict === 'credit'
          ? await this.refunds.takeBack(em, order, payment, action)
          : payment.amount - refundTotalOf(payment);
      const refundNo = this.refunds.numberFor(payment, amount);
      await writeRefund(em, payment, { ...action, refundNo, amount, source: 'operator' });
      await this.orders.recordEvents(em, order, ['refundStarted']);
      await this.outbox.record(em, { type: 'RefundStarted', paymentId });
      return { ...answer, amount, refundNo, state: 'started' as const };
    });
    failpoint('after-refund-start');
    return started;
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
