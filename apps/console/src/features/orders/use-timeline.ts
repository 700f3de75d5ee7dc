import type { Response } from '@yiqiao/contracts/endpoint';
import { listOrderEvents } from '@yiqiao/contracts/orders';
import { useEffect, useState } from 'react';
import { messageOf } from '../../shared/api/api-error.js';
import { call } from '../../shared/api/call.js';
import { useLive } from '../../shared/live/use-live.js';

export type Happening = Response<typeof listOrderEvents>[number];

type Timeline =
  { status: 'loading' } | { status: 'ready'; events: readonly Happening[] } | { status: 'failed'; why: string | null };

/** What happened to an order, oldest first; read again when `stand` or the server says that more has happened. */
export function useTimeline(orderId: number, stand: string): { timeline: Timeline; reload: () => void } {
  const [round, setRound] = useState(0);
  const [timeline, setTimeline] = useState<Timeline>({ status: 'loading' });
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
