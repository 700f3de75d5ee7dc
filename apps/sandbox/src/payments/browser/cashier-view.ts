import type { CashierRow } from './cashier-row.js';
import type { CashierTexts } from './cashier-texts.js';

/** `9900` → `¥99.00` */
export function money(fen: number): string {
  const digits = String(fen).padStart(3, '0');
  return `¥${digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${digits.slice(-2)}`;
}

/** `4:09`, or `26:00:01` when it is hours; `0:00` once it is over. */
export function timeLeft(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const pair = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(seconds % 60)}` : `${minutes}:${pair(seconds % 60)}`;
}

export type Standing = 'waiting' | 'paid' | 'refunded' | 'closed' | 'expired';

/** What is shown of an order's state: one that waits past its time can be paid no more. */
export function standing(row: Pick<CashierRow, 'state' | 'expiresAt' | 'refunded'>, now: number): Standing {
  if (row.state === 'paid') return row.refunded > 0 ? 'refunded' : 'paid';
  const over = row.expiresAt !== null && Date.parse(row.expiresAt) <= now;
  return row.state === 'waiting' && over ? 'expired' : row.state;
}

/** Through whom it is paid; LianLian is a door to either wallet. */
export function payeeDoor(row: Pick<CashierRow, 'gateway' | 'wallet'>, texts: CashierTexts): string {
  return row.gateway === 'lianlian' ? `${texts.lianlian} · ${texts[row.wallet]}` : texts[row.gateway];
}
