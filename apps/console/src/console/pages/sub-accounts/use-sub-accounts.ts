import { type CrudFilter, useInvalidate, useList } from '@refinedev/core';
import { PAGE_SIZE_MAX } from '@yiqiao/domain/limits';
import { refreshUser } from '../../../shared/auth/user.js';
import { useListTable } from '../../shared/table/use-list-table.js';
import { type ChildUser, holdingOfAll } from './child-user.js';

const SEARCH = 'account';

const filtersOf = (text: string): CrudFilter[] =>
  text === '' ? [] : [{ field: SEARCH, operator: 'contains', value: text }];

const searchOf = (filters: readonly CrudFilter[]): string => {
  const found = filters.find((filter) => 'field' in filter && filter.field === SEARCH);
  return found === undefined ? '' : String(found.value);
};

/** The sub-accounts as a Refine list, searched by name. */
export function useChildTable() {
  const table = useListTable<ChildUser>({ resource: 'childUsers' });
  const { setCurrentPage, setFilters, tableQuery } = table;
  const search = searchOf(table.filters);
  const setSearch = (text: string): void => {
    const wanted = text.trim();
    if (wanted === search) {
      void tableQuery.refetch(); // searching for the same text again refetches
      return;
    }
    setFilters(filtersOf(wanted), 'replace');
    setCurrentPage(1);
  };
  return { ...table, search, setSearch };
}

export type ChildTable = ReturnType<typeof useChildTable>;

/**
 * The number of sub-accounts and their total quota, regardless of the search. The API has no total: it is added up here
 * as long as they fit on one page of the API, and is null otherwise.
 */
export function useFamily(): { count: number; chars: number | null } | null {
  const { query } = useList<ChildUser>({
    resource: 'childUsers',
    pagination: { currentPage: 1, pageSize: PAGE_SIZE_MAX },
    errorNotification: false,
    queryOptions: { retry: false },
  });
  if (!query.data) return null;
  const { data, total } = query.data;
  return { count: total, chars: data.length === total ? holdingOfAll(data).usableCharNum : null };
}

/** Refetches everything that a change affects: the lists of sub-accounts and the main account's own figures. */
export function useRefreshFamily(): () => void {
  const invalidate = useInvalidate();
  return () => {
    void invalidate({ resource: 'childUsers', invalidates: ['list'] });
    // The change holds even if the new figures cannot be fetched right now.
    refreshUser().catch(() => undefined);
  };
}
