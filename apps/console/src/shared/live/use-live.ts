import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LiveEvents } from './live-events.js';
import { liveStands, onLive, onLiveStands } from './live.js';

/** Calls `handler`, the latest one, with every such event while the component is there: `useLive('order', ({ id }) => …)`. */
export function useLive<E extends keyof LiveEvents>(name: E, handler: (data: LiveEvents[E]) => void): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => onLive(name, (data) => latest.current(data)), [name]);
}

/** Whether the stream stands; while it does not, pages that wait for something ask by themselves. */
export const useLiveStands = (): boolean => useSyncExternalStore(onLiveStands, liveStands, () => false);
