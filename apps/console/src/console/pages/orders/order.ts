/** An order as its member reads it (specification §3): pure, except for the language of its names. */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listOrders } from '@yiqiao/contracts/orders';
import { language } from '../../../shared/i18n/language.js';
import { wireMs } from '../../shared/wire-time.js';

export type Order = Response<typeof listOrders>['rows'][number];

export const packageName = (order: Order): string =>
  language === 'zh' ? order.memberGroupName : order.memberGroupEnName;

/** Whole seconds in which the order can still be paid, at the wire's time `now`; 0 when there are none. */
export const secondsLeft = ({ expireDateTime }: Pick<Order, 'expireDateTime'>, now: string): number =>
  Math.max(0, Math.floor((wireMs(expireDateTime) - wireMs(now)) / 1000));

/** `9:05`, as a clock runs down. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The orders that were unpaid in `before` and are paid in `now`. */
export function paidSince(before: readonly Order[], now: readonly Order[]): readonly Order[] {
  const waiting = new Set(before.filter(({ payStatus }) => payStatus === 'W').map(({ id }) => id));
  return now.filter(({ id, payStatus }) => payStatus === 'P' && waiting.has(id));
}
