import { useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../shared/api/api-error.js';

/** What was asked for. `why`: the sentence for the person, or null where nothing is left to say. */
export type Loaded<T> = { state: 'loading' } | { state: 'failed'; why: string | null } | { state: 'ready'; value: T };

/** A failure that is not the API's is a mistake of ours: the page says that it failed, and the browser's console what it was. */
function whyOf(error: unknown): string | null {
  if (error instanceof ApiError) return messageOf(error);
  reportError(error);
  return null;
}

/**
 * What `load` answers, asked once and again at `reload`; an answer that comes after the page has gone is dropped. `load` stays the same
 * from render to render. What is `known`, because it came with the document, is not asked for until `reload`. For pages without a query client: those of the site, and dialogs on them.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  known?: T,
): { loaded: Loaded<T>; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>(
    known === undefined ? { state: 'loading' } : { state: 'ready', value: known },
  );
  const isKnown = useRef(known !== undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (isKnown.current) return undefined;
    const gone = new AbortController();
    const set = (next: Loaded<T>): void => {
      if (!gone.signal.aborted) setLoaded(next);
    };
    load(gone.signal).then(
      (value) => set({ state: 'ready', value }),
      (error: unknown) => gone.signal.aborted || set({ state: 'failed', why: whyOf(error) }),
    );
    return () => gone.abort();
  }, [load, times]);
  const reload = (): void => {
    isKnown.current = false;
    setLoaded({ state: 'loading' });
    setTimes((before) => before + 1);
  };
  return { loaded, reload };
}
