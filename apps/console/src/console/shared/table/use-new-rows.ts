import { useDataProvider, type CrudFilter } from '@refinedev/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { oneAtATime } from '../../../shared/live/one-at-a-time.js';
import type { ResourceName } from '../resources.js';

/** A list as it stands on the screen, and when it was read. */
type Shown = { resource: ResourceName; filters: CrudFilter[]; total: number; readAt: number };

/**
 * Whether the list has grown since it was read, and how to find out. The server says that something has changed, not that this list
 * has: whoever filters by one type is not told of another.
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
          .catch(() => null); // nobody asked: nothing is said
        if (now && now.total > total) setGrownSince(readAt);
      }),
    [provider],
  );
  return [grownSince === shown.readAt, seek];
}
