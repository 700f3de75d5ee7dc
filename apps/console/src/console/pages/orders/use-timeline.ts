import type { Response } from '@yiqiao/contracts/endpoint';
import { listOrderEvents } from '@yiqiao/contracts/orders';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import { useLive } from '../../../shared/live/use-live.js';

type Happening = Response<typeof listOrderEvents>[number];

export type OrderTimeline =
  { status: 'loading' } | { status: 'ready'; events: readonly Happening[] } | { status: 'failed'; why: string | null };

/** When the order's quota arrived; null while it has not, or nobody knows yet. */
export const creditedAt = (timeline: OrderTimeline): string | null =>
  (timeline.status === 'ready' && timeline.events.find(({ event }) => event === 'credited')?.dateTime) || null;

/** What happened to an order, oldest first; read again when `stand` or the server says that more has happened. */
export function useTimeline(orderId: number, stand: string): { timeline: OrderTimeline; reload: () => void } {
  const [round, setRound] = useState(0);
  const [timeline, setTimeline] = useState<OrderTimeline>({ status: 'loading' });
  const reload = (): void => setRound((now) => now + 1);
  useLive('order', ({ id }) => {
    if (id === orderId) reload();
  });
  useEffect(() => {
    const leaving = new AbortController();
    call(listOrderEvents, { id: String(orderId) }, { signal: leaving.signal })
      .then((events) => setTimeline({ status: 'ready', events }))
      .catch((error: unknown) => {
        const why = messageOf(error);
        if (leaving.signal.aborted) return;
        // What is on the screen stays there: it is true, if not the latest.
        setTimeline((now) => (now.status === 'ready' ? now : { status: 'failed', why }));
      });
    return () => leaving.abort();
  }, [orderId, stand, round]);
  return { timeline, reload };
}
