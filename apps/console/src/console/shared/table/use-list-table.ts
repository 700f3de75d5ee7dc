import { useTable } from '@refinedev/antd';
import type { BaseRecord, CrudFilter, HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { oneAtATime } from '../../../shared/live/one-at-a-time.js';
import type { ResourceName } from '../resources.js';
import { listStateOf, type OF_LIST } from './list-address.js';
import { useNewRows } from './use-new-rows.js';

const NO_FILTERS: CrudFilter[] = [];
const NO_ROWS: readonly never[] = [];

/** Calls back when the address changes other than by the list itself: back and forward, a link to the page that is open. */
function useFollowAddress(follow: (state: ReturnType<typeof listStateOf>) => void): void {
  const location = useLocation();
  const type = useNavigationType();
  const seen = useRef(location);
  // A step back that comes before a turned page is rendered leads to the location that is rendered already.
  const [steps, setSteps] = useState(0);
  const followed = useRef(steps);
  const then = useRef(follow);
  useEffect(() => {
    then.current = follow;
  });
  useEffect(() => {
    const countStep = (): void => setSteps((n) => n + 1);
    window.addEventListener('popstate', countStep);
    return () => window.removeEventListener('popstate', countStep);
  }, []);
  useEffect(() => {
    const isStep = followed.current !== steps;
    if (seen.current === location && !isStep) return;
    const isOwn = type !== NavigationType.Pop && (location.state as typeof OF_LIST | null)?.ofList === true;
    seen.current = location;
    followed.current = steps;
    if (isStep || !isOwn) then.current(listStateOf(location.pathname, location.search));
  }, [location, type, steps]);
}

type ListOf<Row> = {
  resource: ResourceName;
  /** The filters while the URL has none; stable from render to render. */
  initial?: CrudFilter[];
  /** The polling interval in ms; false: no polling. */
  again?: (rows: readonly Row[]) => number | false;
  /**
   * On a live event: `follow` refetches the rows; `tell` does so on the first page only. On the others, where new rows would shift
   * the page that is being read, it shows a message instead. Default: `follow`.
   */
  live?: 'follow' | 'tell';
};

/**
 * A paginated Refine list, newest first. Filters, page and page size are in the URL, so that reload, back and a
 * shared link keep them. Turning a page adds a history entry; a changed filter replaces it.
 */
export function useListTable<Row extends BaseRecord>(list: ListOf<Row>) {
  const { resource, initial = NO_FILTERS, again, live = 'follow' } = list;
  const onLive = useRef((): void => undefined);
  const table = useTable<Row, HttpError>({
    resource,
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial, defaultBehavior: 'replace' },
    // The page shows the error in the place of the rows, with a button to retry.
    errorNotification: false,
    // Refine's automatic mode ignores events that arrive during a read, so the last one could be lost.
    liveMode: 'manual',
    onLiveEvent: () => onLive.current(),
    queryOptions: {
      retry: false,
      ...(again ? { refetchInterval: ({ state }) => again(state.data?.data ?? []) } : {}),
    },
  });
  const { currentPage, pageSize, setCurrentPage, tableQuery, filters } = table;
  const { refetch, dataUpdatedAt: readAt } = tableQuery;
  const total = tableQuery.data?.total ?? 0;
  const look = useMemo(() => oneAtATime(() => refetch().then(() => undefined)), [refetch]);
  const [newRows, seek] = useNewRows({ resource, filters, total, readAt });
  useEffect(() => {
    onLive.current = live === 'follow' || currentPage === 1 ? look : seek;
  });
  useFollowAddress((state) => {
    setCurrentPage(state.currentPage);
    table.setPageSize(state.pageSize);
    table.setFilters(state.filters ?? initial, 'replace');
  });
  /** When deleting empties the page, goes to the last one that still has rows. */
  const leaveEmptyPage = (deleted: number): void => {
    const last = Math.max(1, Math.ceil((total - deleted) / pageSize));
    if (currentPage > last) setCurrentPage(last);
  };
  const turnTo = (page: number, size: number): void => {
    if (size !== pageSize) table.setPageSize(size);
    setCurrentPage(size === pageSize ? page : 1);
  };
  const rows: readonly Row[] = tableQuery.data?.data ?? NO_ROWS;
  return { ...table, rows, total, newRows, look, turnTo, leaveEmptyPage };
}

export type ListTable<Row extends BaseRecord> = ReturnType<typeof useListTable<Row>>;
