import { useTable } from '@refinedev/antd';
import type { BaseRecord, CrudFilter, HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { useEffect, useMemo, useRef } from 'react';
import { oneAtATime } from '../../../shared/live/one-at-a-time.js';
import type { ResourceName } from '../resources.js';
import { useNewRows } from './use-new-rows.js';

const NO_FILTERS: CrudFilter[] = [];
const NO_ROWS: readonly never[] = [];

type ListOf<Row> = {
  resource: ResourceName;
  /** The filters while the URL has none; stable from render to render. */
  initial?: CrudFilter[];
  /** The polling interval in ms; false: no polling. */
  again?: (rows: readonly Row[]) => number | false;
  /**
   * When the server says that there is something new: `follow` reads the rows again; `tell` does so on the first page, and on the others,
   * where every new row would push one on and another off the page that is being read, it says so. Left out: `follow`.
   */
  live?: 'follow' | 'tell';
};

/**
 * A Refine list, newest first, that knows its page numbers. Filters, page and page size live in the URL, so that reload, back and a
 * shared link keep them; one filter after the other takes its place there, it does not make a trail in the history.
 */
export function useListTable<Row extends BaseRecord>(list: ListOf<Row>) {
  const { resource, initial = NO_FILTERS, again, live = 'follow' } = list;
  const onLive = useRef((): void => undefined);
  const table = useTable<Row, HttpError>({
    resource,
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial, defaultBehavior: 'replace' },
    // The table shows the error in its own place; retrying is up to the member.
    errorNotification: false,
    // Refine's own mode ignores an event that arrives during a read: the last one could be lost.
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
