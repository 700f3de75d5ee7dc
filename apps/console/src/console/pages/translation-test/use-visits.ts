import { useState } from 'react';
import { withAnswer, type Note, type Visit } from './visits.js';

/** What was translated since the page opened, in every tab of it, the newest first. */
export function useVisits(): { visits: readonly Visit[]; note: Note } {
  const [visits, setVisits] = useState<readonly Visit[]>([]);
  return {
    visits,
    note: (done, kind) => setVisits((before) => withAnswer(before, done, { kind, at: new Date() })),
  };
}
