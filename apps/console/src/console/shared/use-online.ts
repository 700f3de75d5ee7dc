import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from './use-live.js';

const reloadFailed = (queries: QueryClient): void => {
  void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
};

/** Reads again what failed on screen, when the network or the stream is back. */
export function useReloadFailed(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const reload = (): void => reloadFailed(queries);
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [queries]);
  useLive('ready', ({ again }) => {
    if (again) reloadFailed(queries);
  });
}
