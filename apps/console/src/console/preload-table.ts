import { useEffect } from 'react';

/** Most console pages are lists: antd's table comes while the first page is read, so that turning to them costs little. */
const preload = (): void => {
  // If it does not come now, it comes with the page that needs it.
  import('./shared/table/list-table.js').catch(() => undefined);
};

/** How long the page itself goes first, where the browser does not tell when it has nothing to do (Safari). */
const DELAY_MS = 1_500;

/** Brings the table once the first page stands and the browser has nothing better to do. */
export function usePreloadTable(): void {
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const waiting = requestIdleCallback(preload);
      return () => cancelIdleCallback(waiting);
    }
    const waiting = setTimeout(preload, DELAY_MS);
    return () => clearTimeout(waiting);
  }, []);
}
