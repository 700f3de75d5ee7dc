import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and during hydration; for values that only a browser knows, such as the query. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
