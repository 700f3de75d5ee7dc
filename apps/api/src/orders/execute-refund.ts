import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { commandIdOf } from '../platform/command-id.js';
import { failpoint } from '../platform/failpoint.js';
import { gatewayOrderOf } from './gateway-query.js';
import { OrderMails } from './order-mails.js';
import { OrderRepository } from './order-repository.js';
import type { RefundState } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { Payment } from './payments.js';
import { readPayment, Refunds } from './refunds.js';

/** `started`: the gateway has not decided, or did not answer. */
type RefundOutcome = 'done' | 'started' | 'refused';

export class ExecuteRefund extends Command<RefundOutcome> {
  constructor(readonly paymentId: number) {
    super();
  }
}

/**
 * Requests a started refund from the gateway and records the answer. A definite refusal gives the quota back. May be repeated. Throws
 * NOT_FOUND when no refund of this payment was ever started.
 */
@CommandHandler(ExecuteRefund)
export class ExecuteRefundHandler implements ICommandHandler<ExecuteRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly channels: PayChannels,
    private readonly refunds: Refunds,
    private readonly mails: OrderMails,
    private readonly clock: Clock,
  ) {}

  async execute({ paymentId }: ExecuteRefund): Promise<RefundOutcome> {
    const payment = await readPayment(this.em.fork(), paymentId);
    if (!payment?.refundState) throw new Refusal('NOT_FOUND');
    if (payment.refundState !== 'started') return payment.refundState;
    const answer = await this.#request(payment);
    failpoint('after-refund-answer');
    if (answer.state === 'pending') return 'started';
    return this.#conclude(paymentId, answer.state === 'refused' ? answer : { state: 'done', why: null });
  }

  /** Without a definite answer it stays pending and is retried. */
  async #request(payment: Payment): Promise<RefundState> {
    const order = await this.orders.find(payment.orderId);
    const { tradeNo, refundNo, refundAmount: amount, amount: total, refundReason: reason } = payment;
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

  #conclude(
    paymentId: number,
    { state, why }: { state: 'done' | 'refused'; why: string | null },
  ): Promise<RefundOutcome> {
    return this.em.fork().transactional(async (em) => {
      const { payment, order } = await this.refunds.lock(em, paymentId);
      // A concurrent run was faster.
      if (payment.refundState !== 'started') return payment.refundState ?? 'started';
      const refundedAt = state === 'done' ? this.clock.now() : null;
      await em.nativeUpdate(Payment, { id: paymentId }, { refundState: state, refundedAt, refundAnswer: why });
      const { refundManagerId: managerId, refundReason: reason, refundCmd: cmdId } = payment;
      if (
        state === 'refused' &&
        payment.verdict === 'credit' &&
        managerId !== null &&
        reason !== null &&
        cmdId !== null
      ) {
        const action = { managerId, reason, cmdId: commandIdOf(`refund refused:${cmdId}`) };
        await this.refunds.giveBack(em, order, action, cmdId);
      }
      const { refundNo, refundAmount: amount, amount: paid } = payment;
      if (state === 'done' && refundNo !== null && amount !== null)
        await this.mails.refund(em, order, { refundNo, amount, paid });
      await this.orders.recordEvents(em, order, [state === 'done' ? 'refunded' : 'refundRefused']);
      return state;
    });
  }
}
