import { useEffect, useRef, useSyncExternalStore } from 'react';
import { refreshUser } from '../../shared/auth/user.js';
import type { LiveEvents } from '../../shared/live/live-events.js';
import { isLive, onLive, onLiveChange } from '../../shared/live/live.js';
import { oneAtATime } from '../../shared/live/one-at-a-time.js';

/** Calls `handler`, the latest one, with every such event while the component is there: `useLive('order', ({ id }) => …)`. */
export function useLive<E extends keyof LiveEvents>(name: E, handler: (data: LiveEvents[E]) => void): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => onLive(name, (data) => latest.current(data)), [name]);
}

/** Whether the stream stands; while it does not, pages that wait for something ask by themselves. */
export const useIsLive = (): boolean => useSyncExternalStore(onLiveChange, isLive, () => false);

// Failures are silent: nobody asked, and what is on the screen stays as it was.
const refresh = oneAtATime(() =>
  refreshUser().then(
    () => undefined,
    () => undefined,
  ),
);

/** Keeps the signed-in member as the server has it: balance, expiry and plan are right without a reload. */
export function useLiveAccount(): void {
  useLive('account', refresh);
  useLive('ready', ({ again }) => {
    if (again) refresh(); // the shell loads the member itself to begin with
  });
}
