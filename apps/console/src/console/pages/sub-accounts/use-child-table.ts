import type { CrudFilter } from '@refinedev/core';
import { useListTable } from '../../../shared/table/use-list-table.js';
import type { ChildUser } from './child-user.js';

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
  const ask = (text: string): void => {
    const wanted = text.trim();
    if (wanted === search) {
      void tableQuery.refetch(); // the same question again means: look again
      return;
    }
    setFilters(filtersOf(wanted), 'replace');
    setCurrentPage(1);
  };
  return { ...table, search, ask };
}

export type ChildTable = ReturnType<typeof useChildTable>;
