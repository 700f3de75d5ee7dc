import { useState } from 'react';
import type { ChildUser } from './child-user.js';

/** Ticked sub-accounts, over several pages of one search; another search begins with none. `rows`: those on screen. */
export function useSelection(search: string, rows: readonly ChildUser[]) {
  const [{ of, ticked }, setTicked] = useState<{ of: string; ticked: readonly ChildUser[] }>({
    of: search,
    ticked: [],
  });
  const current = of === search ? ticked : [];
  const isTicked = ({ userId }: ChildUser): boolean => current.some((child) => child.userId === userId);
  const set = (children: readonly ChildUser[]): void => setTicked({ of: search, ticked: children });
  const onPage = rows.filter(isTicked).length;
  return {
    // As they are now: what they hold may have changed since they were ticked.
    ticked: current.map((child) => rows.find(({ userId }) => userId === child.userId) ?? child),
    page: onPage === 0 ? 'none' : onPage === rows.length ? 'all' : 'some',
    clear: () => set([]),
    toggle: (child: ChildUser) =>
      set(isTicked(child) ? current.filter(({ userId }) => userId !== child.userId) : [...current, child]),
    togglePage: () =>
      set(
        onPage === rows.length
          ? current.filter(({ userId }) => !rows.some((row) => row.userId === userId))
          : [...current, ...rows.filter((row) => !isTicked(row))],
      ),
  } as const;
}

export type Selection = ReturnType<typeof useSelection>;
