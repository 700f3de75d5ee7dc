import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, yuanOf } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import type { Author } from '../platform/manager-actions.js';
import { uuid7 } from '../platform/uuid7.js';
import { gatewayOrderOf } from './gateway-query.js';
import { OrderMails } from './order-mails.js';
import { OrderRepository, type RechargeOrder } from './order-repository.js';
import { numberAt } from './order-number.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { EarlierRefund } from './payment.entity.js';
import { Payment } from './payments.js';
import { readPayment, Refunds, refundTotalOf, writeRefund } from './refunds.js';

/** `amount` in fen; quota `due` for it and quota `taken`, because it was unused, in characters or minutes. */
export type RecordedRefund = { amount: number; due: number; taken: number; kind: 'characters' | 'minutes' };

/** `amount` in fen, null: all that is left. `refundNo`: its number in the gateway's statement; null when unknown. */
export class RecordRefund extends Command<RecordedRefund> {
  constructor(
    readonly paymentId: number,
    readonly refund: { amount: number | null; refundNo: string | null },
    readonly by: Author & { reason: string },
  ) {
    super();
  }
}

/**
 * Records a refund made on the gateway's own pages (docs/decisions/0043): confirms it with the gateway and takes the unused share of the
 * quota, so that money and ledger agree again. Throws CommandError with the reason, NOT_FOUND, GATEWAY_UNKNOWN.
 */
@CommandHandler(RecordRefund)
export class RecordRefundHandler implements ICommandHandler<RecordRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly channels: PayChannels,
    private readonly refunds: Refunds,
    private readonly mails: OrderMails,
    private readonly clock: Clock,
  ) {}

  async execute({ paymentId, refund, by }: RecordRefund): Promise<RecordedRefund> {
    const payment = await readPayment(this.em.fork(), paymentId);
    const order = payment && (await this.orders.find(payment.orderId));
    if (!order) throw new Refusal('NOT_FOUND');
    const amount = await this.#confirmed(order, payment, refund.amount);
    return this.em.fork().transactional(async (em) => {
      const locked = await this.refunds.lock(em, paymentId);
      requireOpen(locked.payment, amount);
      if (refund.refundNo !== null) await requireNew(em, paymentId, refund.refundNo);
      const { managerId, reason } = by;
      const action = { managerId, reason, cmdId: uuid7() };
      const taken =
        locked.payment.verdict === 'credit'
          ? await this.refunds.takeShareOf(em, locked.order, { payment: locked.payment, amount }, action)
          : { due: 0, taken: 0, kind: 'characters' as const };
      const refundNo = refund.refundNo ?? numberAt(this.clock.toWire(this.clock.now()), 'GW');
      await writeRefund(em, locked.payment, { ...action, refundNo, amount, source: 'gateway' });
      const target = { kind: 'order', id: locked.order.no };
      await by.log?.(em, { action: 'payment.recordRefund', target, after: { refundNo, amount }, reason });
      await this.mails.refund(em, locked.order, { refundNo, amount, paid: locked.payment.amount });
      await this.orders.recordEvents(em, locked.order, ['refunded']);
      return { amount, ...taken };
    });
  }

  /** The amount, confirmed as far as the gateway can: Alipay reports a whole refund, WeChat Pay any refund, LianLian none. */
  async #confirmed(order: RechargeOrder, payment: Payment, requested: number | null): Promise<number> {
    const rest = payment.amount - refundTotalOf(payment);
    requireOpen(payment, requested ?? rest);
    const { state } = await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    const { gateway } = PAY_CHANNELS[order.payChannel];
    const isReported = state === 'refunded';
    if ((!isReported && state !== 'paid') || (gateway === 'wechat' && !isReported))
      throw new CommandError({
        zh: `网关说这个订单是 ${state}，没有退款`,
        en: `The gateway says that this order is ${state}: it knows of no refund.`,
      });
    const isWhole = gateway === 'alipay' && isReported;
    if (requested === null && !isWhole)
      throw new CommandError({
        zh: '网关没有说退了多少：请按网关后台的退款单写 --amount 元',
        en: 'The gateway does not tell how much went back: say it as its pages do, by --amount <yuan>.',
      });
    const amount = requested ?? rest;
    if (gateway === 'alipay' && isWhole !== (amount === rest))
      throw new CommandError(
        isWhole
          ? { zh: `网关已全额退款，应为 ${yuanOf(rest)} 元`, en: `All of it went back: that is ${yuanOf(rest)} yuan.` }
          : { zh: '网关没有全额退款', en: 'The gateway has not given all of it back.' },
      );
    return amount;
  }
}

/** A number may be used once, or again by a refused refund of the same payment that went through after all. */
async function requireNew(em: EntityManager, paymentId: number, refundNo: string): Promise<void> {
  const used = await em.count(Payment, {
    refundNo,
    $or: [{ id: { $ne: paymentId } }, { refundState: { $ne: 'refused' } }],
  });
  if (used + (await em.count(EarlierRefund, { no: refundNo })) > 0)
    throw new CommandError({
      zh: `退款单 ${refundNo} 已经记录过`,
      en: `Refund ${refundNo} is recorded already.`,
    });
}

function requireOpen(payment: Payment, amount: number): void {
  const rest = payment.amount - refundTotalOf(payment);
  if (payment.refundState === 'started')
    throw new CommandError({
      zh: '本站发起的退款还没有结果，请等它完成',
      en: 'A refund of ours is under way: wait until it has ended.',
    });
  if (rest <= 0) throw new CommandError({ zh: '已全额退款', en: 'All of it went back already.' });
  if (amount < 1 || amount > rest)
    throw new CommandError({
      zh: `应为 0.01–${yuanOf(rest)} 元：其余已经退了`,
      en: `It is 0.01 to ${yuanOf(rest)} yuan: the rest went back already.`,
    });
}
