import type { CashierRow } from './cashier-row.js';
import type { CashierTexts } from './cashier-texts.js';

/** `9900` → `¥99.00` */
export function money(fen: number): string {
  const digits = String(fen).padStart(3, '0');
  return `¥${digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${digits.slice(-2)}`;
}

/** `4:09`, or `26:00:01` with hours; `0:00` when expired. */
export function timeLeft(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const pair = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

export type OrderStatus = 'waiting' | 'paid' | 'refunded' | 'closed' | 'expired';

/** The displayed status: a waiting order past its deadline is expired. */
export function orderStatus(row: Pick<CashierRow, 'state' | 'expiresAt' | 'refunded'>, now: number): OrderStatus {
  if (row.state === 'paid') return row.refunded > 0 ? 'refunded' : 'paid';
  const over = row.expiresAt !== null && Date.parse(row.expiresAt) <= now;
  return row.state === 'waiting' && over ? 'expired' : row.state;
}

/** The payment method; LianLian offers either wallet. */
export function paymentMethod(row: Pick<CashierRow, 'gateway' | 'wallet'>, texts: CashierTexts): string {
  return row.gateway === 'lianlian' ? `${texts.lianlian} · ${texts[row.wallet]}` : texts[row.gateway];
}
