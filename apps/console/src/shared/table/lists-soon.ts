import { useEffect } from 'react';

/** What most console pages have and the first one may not need: brought while the person reads, so that turning to them costs little. */
const bring = (): void => {
  const parts = [
    import('./list-table.js'),
    import('../logs/log-filter-form.js'),
    import('../dialogs/confirm-dialog.js'),
  ];
  // What does not come now comes with the page that needs it.
  Promise.all(parts).catch(() => undefined);
};

/** How long the page itself goes first, where the browser does not tell when it has nothing to do (Safari). */
const PATIENCE_MS = 1_500;

/** Brings tables, filters and dialogs once the first page stands and the browser has nothing better to do. */
export function useListsSoon(): void {
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const waiting = requestIdleCallback(bring);
      return () => cancelIdleCallback(waiting);
    }
    const waiting = setTimeout(bring, PATIENCE_MS);
    return () => clearTimeout(waiting);
  }, []);
}
