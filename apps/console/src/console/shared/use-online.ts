import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useIsLive } from './use-live.js';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser reports a network connection. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Reads again what failed on screen, when the browser is back online and when the stream proves that the server answers. */
export function useReloadFailed(): void {
  const queries = useQueryClient();
  const online = useOnline();
  const live = useIsLive();
  useEffect(() => {
    if (!online && !live) return;
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [queries, online, live]);
}
