import { useTable, type BaseRecord, type CrudFilter, type HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import type { ResourceName } from '../data-provider.js';

const NO_FILTERS: CrudFilter[] = [];

/** A Refine list, newest first, that knows its page numbers; filters, page and page size live in the URL, so reload and back keep them. */
export function usePagedTable<Row extends BaseRecord>(resource: ResourceName) {
  const table = useTable<Row, HttpError>({
    resource,
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial: NO_FILTERS, defaultBehavior: 'replace' },
    // The table itself says what went wrong, in its own place; trying again is the person's choice.
    errorNotification: false,
    queryOptions: { retry: false },
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
  return { ...table, rows: tableQuery.data?.data ?? [], total, turnTo, leaveEmptyPage };
}
