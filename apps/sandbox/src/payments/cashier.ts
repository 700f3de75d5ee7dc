import type { FastifyRequest } from 'fastify';
import type { PaymentGateway } from './gateway.js';
import type { Notifier } from './notifier.js';
import { tradeTime } from './trade-clock.js';
import { isExpired, type GatewayName, type Trade } from './trade.js';
import type { TradeStore } from './trade-store.js';

/** The order cannot be paid: it is unknown (404), or its state forbids it (409). */
export class CashierError extends Error {
  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** Pays trades on behalf of the buyer. */
export class Cashier {
  constructor(
    private readonly store: TradeStore,
    private readonly notifier: Notifier,
    private readonly gateways: Readonly<Record<GatewayName, PaymentGateway>>,
  ) {}

  /** The trade of an order number, preferring a payable one. Throws CashierError when it is unknown. */
  find(orderNo: string): Trade {
    const trades = this.store.list(orderNo);
    const trade = trades.find(({ state }) => state === 'waiting') ?? trades[0];
    if (!trade) throw new CashierError(404, `No gateway knows an order ${orderNo}`);
    return trade;
  }

  /** Pays and notifies the merchant. */
  pay(orderNo: string): Trade {
    const trade = this.paySilently(orderNo);
    this.notifier.notify(trade, 'paid');
    return this.find(orderNo);
  }

  /** Pays without notifying the merchant. */
  paySilently(orderNo: string): Trade {
    const trade = this.find(orderNo);
    this.#checkPayable(trade);
    return this.store.change(trade, () => ({ state: 'paid', paidAt: tradeTime() }));
  }

  /** Where the buyer returns; null after paying by phone. */
  returnAddress(trade: Trade): string | null {
    return this.gateways[trade.gateway].returnAddress(trade);
  }

  #checkPayable(trade: Trade): void {
    if (trade.state === 'paid') throw new CashierError(409, `Order ${trade.orderNo} is paid already`);
    if (trade.state === 'closed') throw new CashierError(409, `Order ${trade.orderNo} is closed`);
    if (isExpired(trade)) throw new CashierError(409, `The time to pay order ${trade.orderNo} is over`);
  }
}

/** The URL where an order is paid, under the host name of the request; the content of QR codes. */
export function cashierAddress(request: FastifyRequest, orderNo: string): string {
  return `http://${request.headers.host ?? 'localhost'}/cashier/${encodeURIComponent(orderNo)}`;
}
