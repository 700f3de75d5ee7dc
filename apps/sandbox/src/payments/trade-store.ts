import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayName, Refund, Trade } from './trade.js';

/** Trades kept; the oldest are evicted. */
const TRADES_KEPT = 5_000;

/** Rows on disk before the file is compacted: every change of a trade appends a row. */
const ROWS_KEPT = 4 * TRADES_KEPT;

/** Every trade of every gateway, in order of arrival. */
export class TradeStore {
  readonly #trades = new Map<string, Trade>();
  #version = 0;

  constructor(private readonly file: TradeFile | null) {
    for (const trade of file?.read() ?? []) this.#trades.set(key(trade.gateway, trade.orderNo), trade);
    this.#evictOldest();
    file?.rewrite([...this.#trades.values()]);
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  find(gateway: GatewayName, orderNo: string): Trade | null {
    return this.#trades.get(key(gateway, orderNo)) ?? null;
  }

  findByTradeNo(gateway: GatewayName, tradeNo: string): Trade | null {
    return this.list().find((trade) => trade.gateway === gateway && trade.tradeNo === tradeNo) ?? null;
  }

  /** By the merchant's number of the refund. */
  findRefund(gateway: GatewayName, no: string): { trade: Trade; refund: Refund } | null {
    for (const trade of this.list()) {
      const refund = trade.gateway === gateway ? trade.refunds.find((one) => one.no === no) : undefined;
      if (refund) return { trade, refund };
    }
    return null;
  }

  /** The order number that a call refers to, whichever identifier it uses. */
  orderNoOf(gateway: GatewayName, named: TradeReference): string | null {
    if (named.orderNo) return named.orderNo;
    const byTrade = named.tradeNo ? this.findByTradeNo(gateway, named.tradeNo) : null;
    const found = byTrade ?? (named.refundNo ? this.findRefund(gateway, named.refundNo)?.trade : null);
    return found?.orderNo ?? null;
  }

  /** Newest first; with a number, the trades of that order at every gateway. */
  list(orderNo?: string): Trade[] {
    const trades = [...this.#trades.values()].reverse();
    return orderNo === undefined ? trades : trades.filter((trade) => trade.orderNo === orderNo);
  }

  add(trade: Trade): Trade {
    this.#write(trade);
    this.#evictOldest();
    return trade;
  }

  /** Applies a change to the current trade. Returns the new one; throws when it does not exist. */
  change(of: Pick<Trade, 'gateway' | 'orderNo'>, step: (trade: Trade) => Partial<Trade>): Trade {
    const trade = this.find(of.gateway, of.orderNo);
    if (!trade) throw new Error(`No trade ${of.orderNo} at ${of.gateway}`);
    const changed = { ...trade, ...step(trade) };
    this.#write(changed);
    return changed;
  }

  /** Brings the expiry of waiting trades forward by `ms`, for one order or all. */
  bringExpiryForward(ms: number, orderNo?: string): void {
    for (const trade of this.list(orderNo)) {
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

  #evictOldest(): void {
    for (const name of this.#trades.keys()) {
      if (this.#trades.size <= TRADES_KEPT) return;
      this.#trades.delete(name);
    }
  }
}

/** The identifiers that a call may carry. */
export interface TradeReference {
  readonly orderNo?: string | undefined;
  readonly tradeNo?: string | undefined;
  readonly refundNo?: string | undefined;
}

/** The value of a string field anywhere in unverified JSON. */
export function fieldIn(json: string, name: string): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(json)?.[1];
}

const key = (gateway: GatewayName, orderNo: string) => `${gateway} ${orderNo}`;

const OWNER_ONLY = 0o600;

/**
 * The trades on disk, one JSON row per line; the last row of a trade wins. A restarted gateway keeps its payments and pending
 * notifications. Writes are synchronous and precede the response; there is one writer.
 */
export class TradeFile {
  readonly #path: string;
  #lines = 0;

  constructor(dataDir: string) {
    const folder = join(dataDir, 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, 'trades.jsonl');
  }

  /** Reads the rows, oldest first; skips a line torn by a crash. */
  read(): Trade[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(readRow);
  }

  append(trade: Trade): void {
    appendFileSync(this.#path, `${JSON.stringify(trade)}\n`, { mode: OWNER_ONLY });
    this.#lines += 1;
  }

  /** Replaces the file atomically: a crash leaves either the old rows or the new ones. */
  rewrite(trades: readonly Trade[]): void {
    writeFileSync(`${this.#path}.new`, trades.map((trade) => `${JSON.stringify(trade)}\n`).join(''), {
      mode: OWNER_ONLY,
    });
    renameSync(`${this.#path}.new`, this.#path);
    this.#lines = trades.length;
  }

  get lines(): number {
    return this.#lines;
  }
}

function readRow(line: string): Trade[] {
  try {
    const row: unknown = JSON.parse(line);
    return isTrade(row) ? [row] : [];
  } catch {
    return [];
  }
}

function isTrade(row: unknown): row is Trade {
  if (typeof row !== 'object' || row === null) return false;
  const fields = row as Record<string, unknown>;
  const texts = ['gateway', 'orderNo', 'tradeNo', 'state'].every((name) => typeof fields[name] === 'string');
  return texts && Array.isArray(fields['notifications']) && Array.isArray(fields['refunds']);
}
