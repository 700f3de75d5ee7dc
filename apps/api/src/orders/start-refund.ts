import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { failpoint } from '../platform/failpoint.js';
import { Outbox } from '../platform/outbox.js';
import { uuid7 } from '../platform/uuid7.js';
import { OrderBook } from './order-book.js';
import { numberAt } from './order-number.js';
import { Refunds } from './refunds.js';

/** `amount` in fen. */
export type StartedRefund = {
  paymentId: number;
  orderNo: string;
  amount: number;
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
 * Begins to give a whole payment back: first the quota that it bought is taken, if it bought any, then the gateway is asked
 * (docs/decisions/0014). One that began before is answered as it stands; one that the gateway refused may be begun again. Throws
 * NOT_FOUND, REFUND_NOT_POSSIBLE.
 */
@CommandHandler(StartRefund)
export class StartRefundHandler implements ICommandHandler<StartRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly refunds: Refunds,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  async execute({ paymentId, by }: StartRefund): Promise<StartedRefund> {
    const started = await this.em.fork().transactional(async (em) => {
      const { payment, order } = await this.refunds.lock(em, paymentId);
      const { amount, state } = payment;
      // The same number at every try, so that the gateway gives the money back once.
      const refundNo = payment.refundNo ?? numberAt(this.clock.toWire(this.clock.now()), 'RF');
      const answer = { paymentId, orderNo: order.no, amount, refundNo };
      if (state === 'started' || state === 'done') return { ...answer, state };
      // Another gateway’s money cannot be given back through the order’s own.
      if (payment.gateway !== PAY_CHANNELS[order.payChannel].gateway || amount === 0)
        throw new Refusal('REFUND_NOT_POSSIBLE');
      const motive = { ...by, cmdId: uuid7() };
      if (payment.verdict === 'credit') await this.refunds.takeBack(em, order, motive);
      await em.execute(
        `UPDATE payment SET refund_state = 'started', refund_no = ?, refund_cmd = ?, refund_manager_id = ?, refund_reason = ?
         WHERE id = ?`,
        [refundNo, motive.cmdId, by.managerId, by.reason, paymentId],
      );
      await this.book.tell(em, order, ['refundStarted']);
      await this.outbox.record(em, { type: 'RefundStarted', paymentId });
      return { ...answer, state: 'started' as const };
    });
    failpoint('after-refund-start');
    return started;
  }
}
