import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on a server and in the first picture of a page that a server drew; for what only a browser knows, such as the query of the address. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
