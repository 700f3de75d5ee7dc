import { useDataProvider, type CrudFilter } from '@refinedev/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { oneAtATime } from '../../../shared/live/one-at-a-time.js';
import type { ResourceName } from '../resources.js';

/** A list on screen, and the time of its last fetch. */
type Shown = { resource: ResourceName; filters: CrudFilter[]; total: number; readAt: number };

/**
 * Whether the list has grown since its last fetch, and a function that checks. The server's events do not say which filters a change
 * matches, so the check requests the total of this list.
 */
export function useNewRows(shown: Shown): [newRows: boolean, seek: () => void] {
  const provider = useDataProvider();
  const [grownSince, setGrownSince] = useState<number | null>(null);
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const seek = useMemo(
    () =>
      oneAtATime(async () => {
        const { resource, filters, total, readAt } = latest.current;
        const pagination = { currentPage: 1, pageSize: 1 };
        const now = await provider()
          .getList({ resource, filters, pagination })
          .catch(() => null); // a background check fails silently
        if (now && now.total > total) setGrownSince(readAt);
      }),
    [provider],
  );
  return [grownSince === shown.readAt, seek];
}
