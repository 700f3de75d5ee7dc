import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry } from '@yiqiao/domain/ledger';
import { judge, PAY_CHANNELS, type OrderEvent, type PaymentVerdict } from '@yiqiao/domain/orders';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { failpoint } from '../platform/failpoint.js';
import type { Author } from '../platform/manager-actions.js';
import { count, record } from '../platform/telemetry/instruments.js';
import { beginTrace, isTraced, traceOf } from '../platform/telemetry/tracing.js';
import { OrderMails } from './order-mails.js';
import { OrderRepository } from './order-repository.js';
import { rechargeOf } from './order-recharge.js';
import type { GatewayPayment } from './pay-channels/pay-channel.js';
import { RechargeOrder } from './recharge-order.entity.js';
import { findPayment, type Payment, recordPayment, reviseVerdict, type SeenBy, tradeNoOf } from './payments.js';

/**
 * The result of a reported payment. `again`: it was known. `unknownOrder`: it names no order of ours. `wrongOrder`: the same transaction
 * was reported for another order before.
 */
export type SettlementOutcome = PaymentVerdict | 'again' | 'unknownOrder' | 'wrongOrder';

/** `payment` comes from a signed message or answer of the gateway. */
export class SettlePayment extends Command<SettlementOutcome> {
  constructor(
    readonly payment: GatewayPayment,
    readonly seenBy: SeenBy,
    /** Writes a payment that an operator has had credited into the action log. */
    readonly log?: Author['log'],
  ) {
    super();
  }
}

const EVENT_OF: Record<Exclude<PaymentVerdict, 'credit'>, OrderEvent> = {
  double: 'doublePaid',
  afterLogOff: 'paidAfterLogOff',
  wrongAmount: 'wrongAmount',
  tooLarge: 'tooLarge',
};
/** The format of order numbers: anything else is not looked up. */
const ORDER_NO = /^[0-9A-Z]{6,32}$/;
const SEEN_EVENT = { notification: 'notified', query: 'queried' } as const;

/**
 * The only place where an order becomes paid (decisions §5): payment, recharge, status and event in one transaction, idempotent for any
 * number and order of reports. Locks the order, then its member, then the accounts.
 */
@CommandHandler(SettlePayment)
export class SettlePaymentHandler implements ICommandHandler<SettlePayment> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly members: Members,
    private readonly mails: OrderMails,
    private readonly clock: Clock,
  ) {}

  async execute({ payment, seenBy, log }: SettlePayment): Promise<SettlementOutcome> {
    const since = Date.now();
    const outcome = await this.em.fork().transactional((em) => this.#settle(em, payment, { seenBy, log }));
    failpoint('after-payment-commit');
    if (outcome === 'credit') this.#measure(payment);
    if (isTraced()) await this.#trace(payment, { outcome, since });
    return outcome;
  }

  async #trace({ orderNo: no }: GatewayPayment, { outcome, since }: { outcome: string; since: number }): Promise<void> {
    const order = ORDER_NO.test(no) ? await this.em.fork().findOne(RechargeOrder, { no }, { fields: ['id'] }) : null;
    if (order) beginTrace(traceOf(`order ${order.id}`), 'settle payment', { attributes: { outcome }, since })?.end();
  }

  #measure({ gateway, amount, paidAt }: GatewayPayment): void {
    count('yiqiao.payments.credited', 1, { gateway });
    count('yiqiao.payments.credited.fen', amount, { gateway });
    // Clocks differ a little.
    if (paidAt)
      record('yiqiao.payments.credit.delay', Math.max(0, this.clock.now().getTime() - paidAt.getTime()) / 1_000);
  }

  async #settle(
    em: EntityManager,
    payment: GatewayPayment,
    { seenBy, log }: Pick<SettlePayment, 'seenBy' | 'log'>,
  ): Promise<SettlementOutcome> {
    const order = ORDER_NO.test(payment.orderNo) ? await this.orders.lock(em, { no: payment.orderNo }) : null;
    if (!order) return 'unknownOrder';
    const known = await findPayment(em, payment);
    const repeated = known && repetition(known, order, payment);
    if (repeated) return repeated;
    const member = await this.members.lock(em, order.userId);
    const verdict = judge(
      {
        amount: order.amount,
        gateway: PAY_CHANNELS[order.payChannel].gateway,
        payStatus: order.payStatus,
        paidBy: order.paidBy === null ? null : await tradeNoOf(em, order.paidBy),
        memberIsThere: member !== null,
      },
      payment,
    );
    if (verdict === 'again') return 'again';
    // Record the unique payment before crediting: of two concurrent reports for different orders the second stops here.
    const paidBy = await recordPayment(em, order, { payment, seenBy, verdict });
    if (paidBy === null) return 'wrongOrder';
    const groupBefore = member?.memberGroupId ?? null;
    const entry = verdict === 'credit' ? await this.#recharge(em, order) : null;
    const done = verdict === 'credit' && !entry ? 'tooLarge' : verdict;
    if (done !== verdict) await reviseVerdict(em, paidBy, done);
    if (entry) {
      const paidAt = payment.paidAt ?? this.clock.now();
      Object.assign(order, { payStatus: 'P', paidBy, paidAt, groupBefore });
      await em.flush();
      await this.mails.receipt(em, order, entry);
    }
    await this.orders.recordEvents(em, order, done === 'credit' ? [SEEN_EVENT[seenBy], 'credited'] : [EVENT_OF[done]]);
    await log?.(em, {
      action: 'payment.settle',
      target: { kind: 'order', id: order.no },
      after: { tradeNo: payment.tradeNo, amount: payment.amount, verdict: done },
    });
    failpoint('before-payment-commit');
    return done;
  }

  /** Null when the accounts cannot hold it: the savepoint is rolled back, and the payment is left to be refunded. */
  async #recharge(em: EntityManager, order: RechargeOrder): Promise<Entry | null> {
    try {
      return await em.transactional((nested) => this.members.recharge(nested, rechargeOf(order)));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'QUOTA_TOO_LARGE') return null;
      throw error;
    }
  }
}

/**
 * The outcome for a known payment; null when it has to be judged again because it was reported with a wrong amount before and now with
 * another one.
 */
function repetition(known: Payment, order: RechargeOrder, payment: GatewayPayment): SettlementOutcome | null {
  if (known.orderId !== order.id) return 'wrongOrder';
  if (known.amount === payment.amount && known.currency === payment.currency) return 'again';
  return known.verdict === 'wrongAmount' && known.refundState === null ? null : 'wrongAmount';
}
