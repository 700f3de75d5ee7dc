import type { BaseRecord } from '@refinedev/core';
import { useMemo } from 'react';
import type { ResourceName } from '../resources.js';
import { useListTable } from '../table/use-list-table.js';
import { defaultQuery, filtersOf, queryOf, type LogQuery, type TimeField } from './log-query.js';

/** One log as a Refine list, of the last days to begin with (specification §9). */
export function useLogTable<Row extends BaseRecord>(resource: ResourceName, timeField: TimeField) {
  const initial = useMemo(() => filtersOf(defaultQuery(), timeField), [timeField]);
  const table = useListTable<Row>({ resource, initial, live: 'tell' });
  const setQuery = (query: LogQuery): void => {
    const filters = filtersOf(query, timeField);
    table.setFilters(filters, 'replace');
    table.setCurrentPage(1);
    // The same question again means: look again.
    if (JSON.stringify(filters) === JSON.stringify(table.filters)) void table.tableQuery.refetch();
  };
  return { ...table, query: queryOf(table.filters, timeField), setQuery };
}

export type LogTable<Row extends BaseRecord> = ReturnType<typeof useLogTable<Row>>;
