import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { commandIdOf } from '../platform/command-id.js';
import { failpoint } from '../platform/failpoint.js';
import { gatewayOrderOf } from './inquiry.js';
import { OrderBook } from './order-book.js';
import type { RefundState } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { readRefundable, Refunds, type Refundable } from './refunds.js';

/** `started`: the gateway has not decided, or did not answer. */
type CarriedOut = 'done' | 'started' | 'refused';

export class CarryOutRefund extends Command<CarriedOut> {
  constructor(readonly paymentId: number) {
    super();
  }
}

/**
 * Asks the gateway to give back what a started refund names, and writes its answer down. A definite no gives the quota back. May be
 * repeated. Throws NOT_FOUND when no refund of this payment was ever started.
 */
@CommandHandler(CarryOutRefund)
export class CarryOutRefundHandler implements ICommandHandler<CarryOutRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly channels: PayChannels,
    private readonly refunds: Refunds,
  ) {}

  async execute({ paymentId }: CarryOutRefund): Promise<CarriedOut> {
    const payment = await readRefundable(this.em.fork(), paymentId);
    if (!payment?.state) throw new Refusal('NOT_FOUND');
    if (payment.state !== 'started') return payment.state;
    const answer = await this.#ask(payment);
    failpoint('after-refund-answer');
    if (answer.state === 'pending') return 'started';
    return this.#conclude(paymentId, answer.state === 'refused' ? answer : { state: 'done', why: null });
  }

  /** Whatever is no answer leaves it pending: it is asked again. */
  async #ask(payment: Refundable): Promise<RefundState> {
    const order = await this.book.find(payment.orderId);
    const { tradeNo, refundNo, refundAmount: amount, amount: total, reason } = payment;
    if (!order || refundNo === null || amount === null)
      throw new Error(`the refund of payment ${payment.id} is not whole`);
    const refund = { order: gatewayOrderOf(order), tradeNo, refundNo, amount, total, reason: reason ?? '' };
    try {
      return await this.channels.channel(order.payChannel).refund(refund);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { state: 'pending' };
    }
  }

  #conclude(paymentId: number, { state, why }: { state: 'done' | 'refused'; why: string | null }): Promise<CarriedOut> {
    return this.em.fork().transactional(async (em) => {
      const { payment, order } = await this.refunds.lock(em, paymentId);
      // Somebody else asked at the same time and was first.
      if (payment.state !== 'started') return payment.state ?? 'started';
      await em.execute('UPDATE payment SET refund_state = ?, refunded_at = ?, refund_answer = ? WHERE id = ?', [
        ...[state, state === 'done' ? new Date() : null, why, paymentId],
      ]);
      const { managerId, reason, cmdId } = payment;
      if (
        state === 'refused' &&
        payment.verdict === 'credit' &&
        managerId !== null &&
        reason !== null &&
        cmdId !== null
      ) {
        const motive = { managerId, reason, cmdId: commandIdOf(`refund refused:${cmdId}`) };
        await this.refunds.giveBack(em, order, motive, cmdId);
      }
      await this.book.tell(em, order, [state === 'done' ? 'refunded' : 'refundRefused']);
      return state;
    });
  }
}
