import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Trade } from './trade.js';

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
