type Once = {
  /** Whose answer it is: another's is never given. */
  of: () => string;
  /** How long an answer still counts as today's. */
  freshMs: number;
};

/**
 * `ask` for several that ask at about the same time: they share the question that is under way, and its answer for `freshMs` more. A
 * failure is shared by those that wait for it, and forgotten.
 */
export function askOnce<T>(ask: () => Promise<T>, { of, freshMs }: Once): () => Promise<T> {
  let last: { of: string; answer: Promise<T>; until: number } | null = null;
  return () => {
    const asker = of();
    if (last?.of === asker && Date.now() < last.until) return last.answer;
    const mine = { of: asker, answer: ask(), until: Infinity };
    last = mine;
    mine.answer.then(
      () => (mine.until = Date.now() + freshMs),
      () => (mine.until = 0),
    );
    return mine.answer;
  };
}
