type Options = {
  /** Results are shared only between callers with the same key. */
  key: () => string;
  /** How long a result is reused after it has arrived. */
  freshMs: number;
};

/** Coalesces concurrent calls of `read` and reuses the result for `freshMs`. Waiting callers share a failure, which is not reused. */
export function coalesce<T>(read: () => Promise<T>, { key, freshMs }: Options): () => Promise<T> {
  let last: { key: string; result: Promise<T>; until: number } | null = null;
  return () => {
    const current = key();
    if (last?.key === current && Date.now() < last.until) return last.result;
    const mine = { key: current, result: read(), until: Infinity };
    last = mine;
    mine.result.then(
      () => (mine.until = Date.now() + freshMs),
      () => (mine.until = 0),
    );
    return mine.result;
  };
}

/** Calls `keep` with the results of `read` unless a later call has already returned: out-of-order results are outdated. */
export function keepLatest<T>(read: () => Promise<T>, keep: (result: T) => void): () => Promise<T> {
  let started = 0;
  let kept = 0;
  return async () => {
    const mine = ++started;
    const result = await read();
    if (mine > kept) {
      kept = mine;
      keep(result);
    }
    return result;
  };
}
