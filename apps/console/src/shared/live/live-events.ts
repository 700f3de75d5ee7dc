import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import type { StreamEvent } from './event-parser.js';

/** What the server says by itself (decisions §9). */
export type LiveEvents = {
  /** The stream stands. `again`: there was a gap, in which anything may have happened. */
  ready: { again: boolean };
  /** The signed-in account has changed: balance, expiry, plan. */
  account: null;
  order: { id: number; payStatus: PayStatus };
};
export type LiveEvent = { [E in keyof LiveEvents]: { name: E; data: LiveEvents[E] } }[keyof LiveEvents];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isPayStatus = (value: unknown): value is PayStatus =>
  typeof value === 'string' && Object.hasOwn(PAY_STATUSES, value);

/** What an event of the stream means; null for one that this client does not know, or that is not what it should be. */
export function liveEventOf({
  event,
  data,
}: StreamEvent): Exclude<LiveEvent, { name: 'ready' }> | { name: 'ready' } | null {
  const fields = objectOf(data);
  if (fields === null) return null;
  if (event === 'ready') return { name: 'ready' };
  if (event === 'account') return { name: 'account', data: null };
  const { id, payStatus } = fields;
  if (event === 'order' && Number.isSafeInteger(id) && isPayStatus(payStatus))
    return { name: 'order', data: { id: id as number, payStatus } };
  return null;
}
