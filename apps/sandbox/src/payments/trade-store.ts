import type { TradeFile } from './trade-file.js';
import type { GatewayName, Trade } from './trade.js';

/** Trades kept; the oldest make room. */
const TRADES_KEPT = 5_000;

/** Rows on disk before it is written anew: every step of a trade is a row. */
const ROWS_KEPT = 4 * TRADES_KEPT;

/** Every trade of every gateway, in the order in which they came. */
export class TradeStore {
  readonly #trades = new Map<string, Trade>();
  #version = 0;

  constructor(private readonly file: TradeFile | null) {
    for (const trade of file?.read() ?? []) this.#trades.set(key(trade.gateway, trade.orderNo), trade);
    this.#makeRoom();
    file?.rewrite([...this.#trades.values()]);
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  find(gateway: GatewayName, orderNo: string): Trade | null {
    return this.#trades.get(key(gateway, orderNo)) ?? null;
  }

  findByTradeNo(gateway: GatewayName, tradeNo: string): Trade | null {
    return this.list().find((trade) => trade.gateway === gateway && trade.tradeNo === tradeNo) ?? null;
  }

  /** Newest first; with a number, the trades of that order, which more than one gateway may have been asked about. */
  list(orderNo?: string): Trade[] {
    const trades = [...this.#trades.values()].reverse();
    return orderNo === undefined ? trades : trades.filter((trade) => trade.orderNo === orderNo);
  }

  add(trade: Trade): Trade {
    this.#write(trade);
    this.#makeRoom();
    return trade;
  }

  /** Changes the trade as it is now, not as the caller last saw it. Answers the new one; throws when it is not there. */
  change(of: Pick<Trade, 'gateway' | 'orderNo'>, step: (trade: Trade) => Partial<Trade>): Trade {
    const trade = this.find(of.gateway, of.orderNo);
    if (!trade) throw new Error(`No trade ${of.orderNo} at ${of.gateway}`);
    const changed = { ...trade, ...step(trade) };
    this.#write(changed);
    return changed;
  }

  /** Brings the end of everything that waits nearer by so many ms. */
  hasten(ms: number): void {
    for (const trade of this.list()) {
      if (trade.state !== 'waiting' || trade.expiresAt === null) continue;
      this.change(trade, ({ expiresAt }) => ({ expiresAt: (expiresAt ?? 0) - ms }));
    }
  }

  #write(trade: Trade): void {
    this.file?.append(trade);
    this.#trades.set(key(trade.gateway, trade.orderNo), trade);
    this.#version += 1;
    if (this.file && this.file.lines > ROWS_KEPT) this.file.rewrite([...this.#trades.values()]);
  }

  #makeRoom(): void {
    for (const name of this.#trades.keys()) {
      if (this.#trades.size <= TRADES_KEPT) return;
      this.#trades.delete(name);
    }
  }
}

const key = (gateway: GatewayName, orderNo: string) => `${gateway} ${orderNo}`;
