import { useEffect, useState } from 'react';

export type Loaded<T> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; value: T };

/** What `load` answers, asked once and again at `reload`; an answer that comes after the page has gone is dropped. `load` stays the same. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): { loaded: Loaded<T>; reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    load(gone.signal).then(
      (value) => gone.signal.aborted || setLoaded({ state: 'ready', value }),
      () => gone.signal.aborted || setLoaded({ state: 'failed' }),
    );
    return () => gone.abort();
  }, [load, times]);
  const reload = (): void => {
    setLoaded({ state: 'loading' });
    setTimes((before) => before + 1);
  };
  return { loaded, reload };
}
