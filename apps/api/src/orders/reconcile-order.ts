import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, type Gateway, type PayStatus } from '@yiqiao/domain/orders';
import type { Author } from '../platform/manager-actions.js';
import { gatewayOrderOf, GatewayQuery } from './gateway-query.js';
import { OrderRepository, type RechargeOrder } from './order-repository.js';
import type { TradeState } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';

/** An order with the states of its gateway and of the ledger. Amounts in fen; `unknown`: the gateway did not answer. */
export type ReconciledOrder = {
  orderId: number;
  no: string;
  gateway: Gateway;
  payStatus: PayStatus;
  amount: number;
  gatewayState: TradeState['state'] | 'unknown';
  gatewayAmount: number | null;
  /** Of its recharge; null without one. */
  ledgerAmount: number | null;
  /** This run credited it. */
  mended: boolean;
};

/**
 * `look` changes nothing; `settle` credits an order that the gateway reports as paid; `close` also ends one at its gateway that is closed
 * here. `log` writes what was credited into the action log.
 */
export class ReconcileOrder extends Command<ReconciledOrder> {
  constructor(
    readonly orderId: number,
    readonly mode: 'look' | 'settle' | 'close',
    readonly log?: Author['log'],
  ) {
    super();
  }
}

/** Compares an order with its gateway and the ledger. Throws NOT_FOUND. */
@CommandHandler(ReconcileOrder)
export class ReconcileOrderHandler implements ICommandHandler<ReconcileOrder> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly channels: PayChannels,
    private readonly gatewayQuery: GatewayQuery,
  ) {}

  async execute({ orderId, mode, log }: ReconcileOrder): Promise<ReconciledOrder> {
    const before = await this.orders.find(orderId);
    if (!before) throw new Refusal('NOT_FOUND');
    const trade = await this.#query(before, mode, log);
    const order = (await this.orders.find(orderId)) ?? before;
    return {
      orderId,
      no: order.no,
      gateway: PAY_CHANNELS[order.payChannel].gateway,
      payStatus: order.payStatus,
      amount: order.amount,
      gatewayState: trade?.state ?? 'unknown',
      gatewayAmount: trade?.state === 'paid' ? trade.payment.amount : null,
      ledgerAmount: await this.#rechargedBy(orderId),
      mended: before.payStatus !== 'P' && order.payStatus === 'P',
    };
  }

  async #query(order: RechargeOrder, mode: ReconcileOrder['mode'], log: Author['log']): Promise<TradeState | null> {
    try {
      if (mode === 'close' && (order.payStatus === 'T' || order.payStatus === 'C'))
        return await this.gatewayQuery.close(order, log);
      if (mode !== 'look') return await this.gatewayQuery.query(order, log);
      return await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  async #rechargedBy(orderId: number): Promise<number | null> {
    // Raw SQL: `account_log` belongs to the ledger and has no entity.
    const [row] = await this.em
      .fork()
      .execute<{ amount: number }[]>('SELECT amount FROM account_log WHERE order_id = ? AND log_type = 1', [orderId]);
    return row ? Number(row.amount) : null;
  }
}
