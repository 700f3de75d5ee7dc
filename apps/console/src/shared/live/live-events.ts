import { noticeEvents, type NoticeEvents } from '@yiqiao/contracts/notices';
import type { StreamEvent } from './event-parser.js';

/** What the server says by itself (decisions §9), as this tab hears it. */
export type LiveEvents = Pick<NoticeEvents, 'account' | 'order'> & {
  /** The stream stands. `again`: there was a gap, in which anything may have happened. */
  ready: { again: boolean };
};

/** An event of the stream as its contract has it. */
type Told = { [E in keyof NoticeEvents]: { name: E; data: NoticeEvents[E] } }[keyof NoticeEvents];

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const isKnown = (name: string): name is keyof NoticeEvents => Object.hasOwn(noticeEvents, name);

/** What an event of the stream means; null for one that this client does not know, or that is not what it should be. */
export function toldBy({ event, data }: StreamEvent): Told | null {
  if (!isKnown(event)) return null;
  const read = noticeEvents[event].safeParse(valueOf(data));
  return read.success ? ({ name: event, data: read.data } as Told) : null;
}
