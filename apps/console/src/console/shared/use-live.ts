import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useUser } from '../../shared/auth/stored-user.js';
import { refreshUser } from '../../shared/auth/user.js';
import type { LiveEvents } from '../../shared/live/live-events.js';
import { isLive, notifyAccountChanged, onLive, onLiveChange } from '../../shared/live/live.js';
import { oneAtATime } from '../../shared/live/one-at-a-time.js';

/** Calls the latest `handler` with every such event while the component is mounted: `useLive('order', ({ id }) => …)`. */
export function useLive<E extends keyof LiveEvents>(name: E, handler: (data: LiveEvents[E]) => void): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => onLive(name, (data) => latest.current(data)), [name]);
}

/** Whether the stream is connected; without it, pages that wait for a change poll. */
export const useIsLive = (): boolean => useSyncExternalStore(onLiveChange, isLive, () => false);

// A background refresh fails silently; the screen keeps its data.
const refresh = oneAtATime(() =>
  refreshUser().then(
    () => undefined,
    () => undefined,
  ),
);

/** Keeps balance, expiry and plan of the signed-in member current without a reload. */
export function useLiveAccount(): void {
  useLive('account', refresh);
  useMissedChange();
  useLive('ready', ({ again }) => {
    if (again) refresh(); // the shell loads the member itself to begin with
  });
}

/** What changed after the page had read the account, and before its stream began, is announced like any other change, once. */
function useMissedChange(): void {
  const version = useUser()?.accountVersion;
  const [begun, setBegun] = useState<string | null>(null);
  useLive('ready', ({ again, accountVersion }) => setBegun(again ? null : accountVersion));
  useEffect(() => {
    if (begun === null || version === undefined) return;
    setBegun(null);
    if (version !== begun) notifyAccountChanged();
  }, [begun, version]);
}
