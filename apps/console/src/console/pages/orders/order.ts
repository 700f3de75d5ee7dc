/** An order as the member sees it (specification §3). */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listOrders } from '@yiqiao/contracts/orders';
import { language } from '../../../shared/i18n/language.js';
import { wireMs } from '../../shared/wire-time.js';

export type Order = Response<typeof listOrders>['rows'][number];

export const packageName = (order: Order): string =>
  language === 'zh' ? order.memberGroupName : order.memberGroupEnName;

/** Whole seconds left to pay the order at the wire time `now`; 0 when expired. */
export const secondsLeft = ({ expireDateTime }: Pick<Order, 'expireDateTime'>, now: string): number =>
  Math.max(0, Math.floor((wireMs(expireDateTime) - wireMs(now)) / 1000));

/** `9:05` */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The orders that were unpaid in `before` and are paid in `now`. */
export function paidSince(before: readonly Order[], now: readonly Order[]): readonly Order[] {
  const waiting = new Set(before.filter(({ payStatus }) => payStatus === 'W').map(({ id }) => id));
  return now.filter(({ id, payStatus }) => payStatus === 'P' && waiting.has(id));
}
