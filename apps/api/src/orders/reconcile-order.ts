import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, type Gateway, type PayStatus } from '@yiqiao/domain/orders';
import { gatewayOrderOf, Inquiry } from './inquiry.js';
import { OrderBook, type RechargeOrder } from './order-book.js';
import type { Standing } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';

/** An order as we, its gateway and the ledger have it. Amounts in fen; `unknown`: the gateway could not be asked. */
export type ReconciledOrder = {
  orderId: number;
  no: string;
  gateway: Gateway;
  payStatus: PayStatus;
  amount: number;
  gatewayState: Standing['state'] | 'unknown';
  gatewayAmount: number | null;
  /** What its recharge says; null without one. */
  ledgerAmount: number | null;
  /** It was credited by this. */
  mended: boolean;
};

/** `look` changes nothing; `settle` credits what turns out to be paid. */
export class ReconcileOrder extends Command<ReconciledOrder> {
  constructor(
    readonly orderId: number,
    readonly mode: 'look' | 'settle',
  ) {
    super();
  }
}

/** Puts an order beside its gateway and the ledger. Throws NOT_FOUND. */
@CommandHandler(ReconcileOrder)
export class ReconcileOrderHandler implements ICommandHandler<ReconcileOrder> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly channels: PayChannels,
    private readonly inquiry: Inquiry,
  ) {}

  async execute({ orderId, mode }: ReconcileOrder): Promise<ReconciledOrder> {
    const before = await this.book.find(orderId);
    if (!before) throw new Refusal('NOT_FOUND');
    const standing = await this.#ask(before, mode);
    const order = (await this.book.find(orderId)) ?? before;
    return {
      ...{
        orderId,
        no: order.no,
        gateway: PAY_CHANNELS[order.payChannel].gateway,
        payStatus: order.payStatus,
        amount: order.amount,
      },
      gatewayState: standing?.state ?? 'unknown',
      gatewayAmount: standing?.state === 'paid' ? standing.payment.amount : null,
      ledgerAmount: await this.#rechargedBy(orderId),
      mended: before.payStatus !== 'P' && order.payStatus === 'P',
    };
  }

  async #ask(order: RechargeOrder, mode: 'look' | 'settle'): Promise<Standing | null> {
    try {
      if (mode === 'settle') return await this.inquiry.query(order);
      return await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  async #rechargedBy(orderId: number): Promise<number | null> {
    const [row] = await this.em
      .fork()
      .execute<{ amount: number }[]>('SELECT amount FROM account_log WHERE order_id = ? AND log_type = 1', [orderId]);
    return row ? Number(row.amount) : null;
  }
}
