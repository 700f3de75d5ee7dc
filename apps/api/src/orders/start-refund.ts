import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
import { Outbox } from '../platform/outbox.js';
import { uuid7 } from '../platform/uuid7.js';
import { Inquiry } from './inquiry.js';
import { OrderBook } from './order-book.js';
import { readRefundable, refundedOf, Refunds, writeRefund } from './refunds.js';

/** `amount` of the refund and what was `paid`, in fen. */
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
 * Begins to give a payment back: first what is unused of the quota that it bought is taken, if it bought any, then the gateway is asked for
 * its share of the money (docs/decisions/0014, 0043). One that began before is answered as it stands; one that the gateway refused may be
 * begun again, and one of a part may be followed by another when more is unused by then. Throws NOT_FOUND, REFUND_NOT_POSSIBLE; of a
 * wrong amount GATEWAY_UNKNOWN.
 */
@CommandHandler(StartRefund)
export class StartRefundHandler implements ICommandHandler<StartRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly refunds: Refunds,
    private readonly inquiry: Inquiry,
    private readonly outbox: Outbox,
  ) {}

  async execute({ paymentId, by }: StartRefund): Promise<StartedRefund> {
    await this.#makeSure(paymentId);
    const started = await this.em.fork().transactional(async (em) => {
      const { payment, order } = await this.refunds.lock(em, paymentId);
      const { state, refundNo: lastNo, refundAmount } = payment;
      const answer = { paymentId, orderNo: order.no, paid: payment.amount };
      const isAllBack = refundedOf(payment) === payment.amount;
      if (lastNo !== null && refundAmount !== null && (state === 'started' || (state === 'done' && isAllBack)))
        return { ...answer, amount: refundAmount, refundNo: lastNo, state };
      // Another gateway’s money cannot be given back through the order’s own.
      if (payment.gateway !== PAY_CHANNELS[order.payChannel].gateway || payment.amount === 0)
        throw new Refusal('REFUND_NOT_POSSIBLE');
      const motive = { ...by, cmdId: uuid7() };
      const amount =
        payment.verdict === 'credit'
          ? await this.refunds.takeBack(em, order, payment, motive)
          : payment.amount - refundedOf(payment);
      const refundNo = this.refunds.numberFor(payment, amount);
      await writeRefund(em, payment, { ...motive, refundNo, amount, source: 'operator' });
      await this.book.tell(em, order, ['refundStarted']);
      await this.outbox.record(em, { type: 'RefundStarted', paymentId });
      return { ...answer, amount, refundNo, state: 'started' as const };
    });
    failpoint('after-refund-start');
    return started;
  }

  /**
   * A wrong amount goes back only when the gateway, asked, tells of the same transaction: the message may have been wrong, and the
   * money right. What it says then is what counts.
   */
  async #makeSure(paymentId: number): Promise<void> {
    const payment = await readRefundable(this.em.fork(), paymentId);
    if (payment?.verdict !== 'wrongAmount' || payment.state !== null) return;
    const order = await this.book.find(payment.orderId);
    const standing = order && (await this.inquiry.query(order));
    if (standing?.state !== 'paid' || standing.payment.tradeNo !== payment.tradeNo)
      throw new Refusal('REFUND_NOT_POSSIBLE');
  }
}
