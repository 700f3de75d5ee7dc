import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayName, Refund, Trade } from './trade.js';

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

  /** By the merchant's number of the refund. */
  findRefund(gateway: GatewayName, no: string): { trade: Trade; refund: Refund } | null {
    for (const trade of this.list()) {
      const refund = trade.gateway === gateway ? trade.refunds.find((one) => one.no === no) : undefined;
      if (refund) return { trade, refund };
    }
    return null;
  }

  /** The number of the order that a call is about, in whatever way it names it. */
  orderNoOf(gateway: GatewayName, named: Named): string | null {
    if (named.orderNo) return named.orderNo;
    const byTrade = named.tradeNo ? this.findByTradeNo(gateway, named.tradeNo) : null;
    const found = byTrade ?? (named.refundNo ? this.findRefund(gateway, named.refundNo)?.trade : null);
    return found?.orderNo ?? null;
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

  /** Brings the end of what waits nearer by so many ms: of one order, or of all. */
  hasten(ms: number, orderNo?: string): void {
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

  #makeRoom(): void {
    for (const name of this.#trades.keys()) {
      if (this.#trades.size <= TRADES_KEPT) return;
      this.#trades.delete(name);
    }
  }
}

/** Numbers that a call may hold: of the order, of the gateway's trade, of a refund. */
export interface Named {
  readonly orderNo?: string | undefined;
  readonly tradeNo?: string | undefined;
  readonly refundNo?: string | undefined;
}

/** The text of a field anywhere in a JSON text that nobody has checked yet. */
export function fieldIn(json: string, name: string): string | undefined {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(json)?.[1];
}

const key = (gateway: GatewayName, orderNo: string) => `${gateway} ${orderNo}`;

const OWNER_ONLY = 0o600;

/**
 * The trades on disk, one JSON row a line; the last row of a trade counts. A restarted gateway still knows who paid and whom it
 * has yet to tell. Written synchronously, before the answer: there is one writer.
 */
export class TradeFile {
  readonly #path: string;
  #lines = 0;

  constructor(dataDir: string) {
    const folder = join(dataDir, 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, 'trades.jsonl');
  }

  /** All rows that can be read, oldest first. A line torn by a crash is left out. */
  read(): Trade[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(readRow);
  }

  append(trade: Trade): void {
    appendFileSync(this.#path, `${JSON.stringify(trade)}\n`, { mode: OWNER_ONLY });
    this.#lines += 1;
  }

  /** Replaces the file in one step: a crash leaves either the old rows or the new ones. */
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
