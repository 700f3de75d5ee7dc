import type { FastifyRequest } from 'fastify';
import type { PaymentGateway } from './gateway.js';
import type { Notifier } from './notifier.js';
import { isExpired, type GatewayName, type Trade } from './trade.js';
import type { TradeStore } from './trade-store.js';

/** Why nobody can pay: the order is unknown here (404), or its state forbids it (409). */
export class CashierRefused extends Error {
  constructor(
    readonly status: 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** Where the buyer stands: pays a trade, or turns away from it. */
export class Cashier {
  constructor(
    private readonly store: TradeStore,
    private readonly notifier: Notifier,
    private readonly gateways: Readonly<Record<GatewayName, PaymentGateway>>,
  ) {}

  /** The trade behind an order's number, the payable one first. Throws CashierRefused when no gateway has heard of it. */
  find(orderNo: string): Trade {
    const trades = this.store.list(orderNo);
    const trade = trades.find(({ state }) => state === 'waiting') ?? trades[0];
    if (!trade) throw new CashierRefused(404, `No gateway knows an order ${orderNo}`);
    return trade;
  }

  /** The buyer pays; the merchant is told of it. */
  pay(orderNo: string): Trade {
    const trade = this.paySilently(orderNo);
    this.notifier.announce(trade, 'paid');
    return this.find(orderNo);
  }

  /** The buyer pays, and the merchant hears nothing of it until it asks. */
  paySilently(orderNo: string): Trade {
    const trade = this.find(orderNo);
    this.#mustWait(trade);
    return this.store.change(trade, () => ({ state: 'paid', paidAt: Date.now() }));
  }

  /** Where the buyer goes from here; null for one who paid by telephone. */
  returnAddress(trade: Trade): string | null {
    return this.gateways[trade.gateway].returnAddress(trade);
  }

  #mustWait(trade: Trade): void {
    if (trade.state === 'paid') throw new CashierRefused(409, `Order ${trade.orderNo} is paid already`);
    if (trade.state === 'closed') throw new CashierRefused(409, `Order ${trade.orderNo} is closed`);
    if (isExpired(trade)) throw new CashierRefused(409, `The time to pay order ${trade.orderNo} is over`);
  }
}

/** Where an order can be paid in this sandbox, under the name by which the asker reached it: what a QR code says here. */
export function cashierAddress(request: FastifyRequest, orderNo: string): string {
  return `http://${request.headers.host ?? 'localhost'}/cashier/${encodeURIComponent(orderNo)}`;
}
