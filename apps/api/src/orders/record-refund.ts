import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, yuanOf } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import { uuid7 } from '../platform/uuid7.js';
import { gatewayOrderOf } from './inquiry.js';
import { OrderBook, type RechargeOrder } from './order-book.js';
import { numberAt } from './order-number.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { readRefundable, refundedOf, Refunds, writeRefund, type Refundable } from './refunds.js';

/** `amount` in fen; `due` of the quota stood for it and `taken` was still there, in characters or minutes. */
export type RecordedRefund = { amount: number; due: number; taken: number; kind: 'characters' | 'minutes' };

/** `amount` in fen, null: all that is left. `refundNo`: the gateway's statement has it under this number; null when nobody knows. */
export class RecordRefund extends Command<RecordedRefund> {
  constructor(
    readonly paymentId: number,
    readonly refund: { amount: number | null; refundNo: string | null },
    readonly by: { managerId: number; reason: string },
  ) {
    super();
  }
}

/**
 * Writes down a refund that was made on the gateway's own pages (docs/decisions/0043): the gateway is asked whether that can be, then the
 * share of the quota goes that is unused, and money and ledger agree again. Throws CommandError with the reason, NOT_FOUND, GATEWAY_UNKNOWN.
 */
@CommandHandler(RecordRefund)
export class RecordRefundHandler implements ICommandHandler<RecordRefund> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly channels: PayChannels,
    private readonly refunds: Refunds,
    private readonly clock: Clock,
  ) {}

  async execute({ paymentId, refund, by }: RecordRefund): Promise<RecordedRefund> {
    const payment = await readRefundable(this.em.fork(), paymentId);
    const order = payment && (await this.book.find(payment.orderId));
    if (!order) throw new Refusal('NOT_FOUND');
    const amount = await this.#confirmed(order, payment, refund.amount);
    return this.em.fork().transactional(async (em) => {
      const locked = await this.refunds.lock(em, paymentId);
      requireOpen(locked.payment, amount);
      if (refund.refundNo !== null) await requireNew(em, paymentId, refund.refundNo);
      const motive = { ...by, cmdId: uuid7() };
      const taken =
        locked.payment.verdict === 'credit'
          ? await this.refunds.takeShareOf(em, locked.order, { payment: locked.payment, amount }, motive)
          : { due: 0, taken: 0, kind: 'characters' as const };
      const refundNo = refund.refundNo ?? numberAt(this.clock.toWire(this.clock.now()), 'GW');
      await writeRefund(em, locked.payment, { ...motive, refundNo, amount, source: 'gateway' });
      await this.book.tell(em, locked.order, ['refunded']);
      return { amount, ...taken };
    });
  }

  /** The amount, once the gateway has said nothing against it. Alipay tells a whole refund, WeChat Pay that there was one, LianLian neither. */
  async #confirmed(order: RechargeOrder, payment: Refundable, asked: number | null): Promise<number> {
    const rest = payment.amount - refundedOf(payment);
    requireOpen(payment, asked ?? rest);
    const { state } = await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    const { gateway } = PAY_CHANNELS[order.payChannel];
    const isTold = state === 'refunded';
    if ((!isTold && state !== 'paid') || (gateway === 'wechat' && !isTold))
      throw new CommandError({
        zh: `网关说这个订单是 ${state}，没有退款`,
        en: `The gateway says that this order is ${state}: it knows of no refund.`,
      });
    const isWhole = gateway === 'alipay' && isTold;
    if (asked === null && !isWhole)
      throw new CommandError({
        zh: '网关没有说退了多少：请按网关后台的退款单写 --amount 元',
        en: 'The gateway does not tell how much went back: say it as its pages do, by --amount <yuan>.',
      });
    const amount = asked ?? rest;
    if (gateway === 'alipay' && isWhole !== (amount === rest))
      throw new CommandError(
        isWhole
          ? { zh: `网关已全额退款，应为 ${yuanOf(rest)} 元`, en: `All of it went back: that is ${yuanOf(rest)} yuan.` }
          : { zh: '网关没有全额退款', en: 'The gateway has not given all of it back.' },
      );
    return amount;
  }
}

/** A number stands for one refund; that of a refused one of the same payment may have come to something after all. */
async function requireNew(em: EntityManager, paymentId: number, refundNo: string): Promise<void> {
  const known = await em.execute<unknown[]>(
    `SELECT 1 FROM payment WHERE refund_no = ? AND (id <> ? OR refund_state <> 'refused')
     UNION ALL SELECT 1 FROM earlier_refund WHERE no = ?`,
    [refundNo, paymentId, refundNo],
  );
  if (known.length > 0)
    throw new CommandError({
      zh: `退款单 ${refundNo} 已经记录过`,
      en: `Refund ${refundNo} is recorded already.`,
    });
}

function requireOpen(payment: Refundable, amount: number): void {
  const rest = payment.amount - refundedOf(payment);
  if (payment.state === 'started')
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
