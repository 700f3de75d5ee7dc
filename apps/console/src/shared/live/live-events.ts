import type { NoticeEvents, ShownNotice } from '@yiqiao/contracts/notices';
import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import type { StreamEvent } from './read-stream.js';

/** The live events of this tab (decisions §9). */
export type LiveEvents = Omit<NoticeEvents, 'ready'> & {
  /** The stream is connected. `again`: after a gap, in which events may have been missed. `accountVersion`: as in its contract. */
  ready: { again: boolean; accountVersion: string | null };
};

/** An event of the stream, as in its contract. */
type Told = { [E in keyof NoticeEvents]: { name: E; data: NoticeEvents[E] } }[keyof NoticeEvents];
type Reader<T> = (value: Record<string, unknown>) => T | null;

/** An object with any fields; null for everything else. */
export const fieldsOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

const isId = (value: unknown): value is number => Number.isSafeInteger(value);
const isVersion = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isStatus = (value: unknown): value is PayStatus =>
  typeof value === 'string' && Object.hasOwn(PAY_STATUSES, value);

/** A valid notice, or null. */
export function readNotice({ id, name, title, subTitle, content }: Record<string, unknown>): ShownNotice | null {
  if (!isId(id) || typeof name !== 'string' || typeof title !== 'string') return null;
  if (typeof subTitle !== 'string' || typeof content !== 'string') return null;
  return { id, name, title, subTitle, content };
}

/** By hand, because visitors hear the stream, too, and download no schemas; live-events.spec.ts holds each to its contract. */
const READERS: { readonly [E in keyof NoticeEvents]: Reader<NoticeEvents[E]> } = {
  ready: ({ clientId, accountVersion }) =>
    typeof clientId === 'string' && isVersion(accountVersion) ? { clientId, accountVersion } : null,
  notice: readNotice,
  'notice-removed': ({ id }) => (isId(id) ? { id } : null),
  account: () => ({}),
  order: ({ id, payStatus }) => (isId(id) && isStatus(payStatus) ? { id, payStatus } : null),
};

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const isKnown = (name: string): name is keyof NoticeEvents => Object.hasOwn(READERS, name);

/** Parses an event of the stream; null for an unknown or invalid one. */
export function parseLiveEvent({ event, data }: StreamEvent): Told | null {
  const fields = fieldsOf(valueOf(data));
  if (!isKnown(event) || !fields) return null;
  const read = READERS[event](fields);
  return read && ({ name: event, data: read } as Told);
}
