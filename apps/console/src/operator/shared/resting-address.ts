import { useEffect, useRef } from 'react';
import { type Location, useLocation, useNavigation, type useSearchParams } from 'react-router';

const REST_MS = 300;

/** The state of a location that {@link useRestingAddress} wrote. */
const RESTED = 'rested';
export const isRested = (location: Location): boolean => location.state === RESTED;

/** The query of the page follows `address` once that has come to rest; null: not now. It gives way to a page that is on its way. */
export function useRestingAddress(address: string | null, setQuery: ReturnType<typeof useSearchParams>[1]): void {
  const isLeaving = useNavigation().state !== 'idle';
  const { pathname } = useLocation();
  const latest = useRef(setQuery);
  useEffect(() => {
    latest.current = setQuery;
  });
  useEffect(() => {
    if (address === null || isLeaving) return;
    const timer = setTimeout(() => {
      // The next page may have arrived and wait to be drawn.
      if (location.pathname === pathname && location.search.slice(1) !== address)
        latest.current(new URLSearchParams(address), { replace: true, preventScrollReset: true, state: RESTED });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [address, isLeaving, pathname]);
}
