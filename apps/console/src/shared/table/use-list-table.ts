import { useTable } from '@refinedev/antd';
import type { BaseRecord, CrudFilter, HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import type { ResourceName } from '../resources.js';

const NO_FILTERS: CrudFilter[] = [];
const NO_ROWS: readonly never[] = [];

type ListOf<Row> = {
  resource: ResourceName;
  /** What is asked for as long as the URL says nothing; kept by the caller from render to render. */
  initial?: CrudFilter[];
  /** After how many ms these rows are read again; false: not by itself. */
  again?: (rows: readonly Row[]) => number | false;
};

/**
 * A Refine list, newest first, that knows its page numbers. Filters, page and page size live in the URL, so that reload, back and a
 * shared link keep them; one filter after the other takes its place there, it does not make a trail in the history.
 */
export function useListTable<Row extends BaseRecord>({ resource, initial = NO_FILTERS, again }: ListOf<Row>) {
  const table = useTable<Row, HttpError>({
    resource,
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial, defaultBehavior: 'replace' },
    // The table itself says what went wrong, in its own place; trying again is the person's choice.
    errorNotification: false,
    queryOptions: {
      retry: false,
      ...(again ? { refetchInterval: ({ state }) => again(state.data?.data ?? []) } : {}),
    },
  });
  const { currentPage, pageSize, setCurrentPage, tableQuery } = table;
  const total = tableQuery.data?.total ?? 0;
  /** A page that deleting has emptied gives way to the last one that still has rows. */
  const leaveEmptyPage = (deleted: number): void => {
    const last = Math.max(1, Math.ceil((total - deleted) / pageSize));
    if (currentPage > last) setCurrentPage(last);
  };
  const turnTo = (page: number, size: number): void => {
    if (size !== pageSize) table.setPageSize(size);
    setCurrentPage(size === pageSize ? page : 1);
  };
  const rows: readonly Row[] = tableQuery.data?.data ?? NO_ROWS;
  return { ...table, rows, total, turnTo, leaveEmptyPage };
}

export type ListTable<Row extends BaseRecord> = ReturnType<typeof useListTable<Row>>;
