import { useTable, type CrudFilter, type HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import type { ChildUser } from './child-user.js';

const SEARCH = 'account';
const NO_FILTERS: CrudFilter[] = [];

const filtersOf = (text: string): CrudFilter[] =>
  text === '' ? NO_FILTERS : [{ field: SEARCH, operator: 'contains', value: text }];

const searchOf = (filters: readonly CrudFilter[]): string => {
  const found = filters.find((filter) => 'field' in filter && filter.field === SEARCH);
  return found === undefined ? '' : String(found.value);
};

/** The sub-accounts as a Refine list, newest first; search, page and page size live in the URL, so reload and back keep them. */
export function useChildTable() {
  const table = useTable<ChildUser, HttpError>({
    resource: 'childUsers',
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial: NO_FILTERS, defaultBehavior: 'replace' },
    // The table itself says what went wrong, in its own place; trying again is the person's choice.
    errorNotification: false,
    queryOptions: { retry: false },
  });
  const { currentPage, pageSize, setCurrentPage, setFilters, tableQuery } = table;
  const search = searchOf(table.filters);
  const total = tableQuery.data?.total ?? 0;

  const ask = (text: string): void => {
    const wanted = text.trim();
    if (wanted === search) {
      void tableQuery.refetch(); // the same question again means: look again
      return;
    }
    setFilters(filtersOf(wanted), 'replace');
    setCurrentPage(1);
  };
  /** A page that deleting has emptied gives way to the last one that still has rows. */
  const leaveEmptyPage = (deleted: number): void => {
    const last = Math.max(1, Math.ceil((total - deleted) / pageSize));
    if (currentPage > last) setCurrentPage(last);
  };
  const turnTo = (page: number, size: number): void => {
    if (size !== pageSize) table.setPageSize(size);
    setCurrentPage(size === pageSize ? page : 1);
  };
  return { ...table, rows: tableQuery.data?.data ?? [], total, search, ask, turnTo, leaveEmptyPage };
}

export type ChildTable = ReturnType<typeof useChildTable>;
