import type { BaseRecord, CrudFilter } from '@refinedev/core';
import { useMemo } from 'react';
import type { ResourceName } from '../resources.js';
import { useListTable } from '../table/use-list-table.js';
import { defaultQuery, filtersOf, queryOf, type LogQuery, type TimeField } from './log-query.js';

/** Filters from the address and from the form differ in their order. */
const textOf = (filters: readonly CrudFilter[]): string =>
  filters
    .map((one) => JSON.stringify(one))
    .sort()
    .join();

/** One log as a Refine list, of the last days to begin with (specification §9). */
export function useLogTable<Row extends BaseRecord>(resource: ResourceName, timeField: TimeField) {
  const initial = useMemo(() => filtersOf(defaultQuery(), timeField), [timeField]);
  const table = useListTable<Row>({ resource, initial, live: 'tell' });
  const setQuery = (query: LogQuery): void => {
    const filters = filtersOf(query, timeField);
    table.setFilters(filters, 'replace');
    table.setCurrentPage(1);
    // Searching again with the same filters reads the list again.
    if (textOf(filters) === textOf(table.filters)) void table.tableQuery.refetch();
  };
  return { ...table, query: queryOf(table.filters, timeField), setQuery };
}

export type LogTable<Row extends BaseRecord> = ReturnType<typeof useLogTable<Row>>;
