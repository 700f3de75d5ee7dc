import { useState } from 'react';
import { withRecent } from './languages.js';

// In memory only: what may be stored in a browser is fixed (specification §3). Gone with the page, like all of this visit.
let visit: { userId: number; codes: readonly string[] } | null = null;

/** The languages that this member used last during this visit, the newest first. */
export function useRecentLanguages(userId: number): { recent: readonly string[]; remember: (used: string[]) => void } {
  const [recent, setRecent] = useState(() => (visit?.userId === userId ? visit.codes : []));
  return {
    recent,
    remember: (used) => {
      const codes = withRecent(visit?.userId === userId ? visit.codes : [], used);
      visit = { userId, codes };
      setRecent(codes);
    },
  };
}
