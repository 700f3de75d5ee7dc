import { useTable } from '@refinedev/antd';
import type { BaseRecord, HttpError } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { useMemo } from 'react';
import { defaultQuery, filtersOf, queryOf, type LogQuery, type TimeField } from './log-query.js';

/** One log as a Refine list: filters, page and page size live in the URL, so reload and back keep them. */
export function useLogTable<Row extends BaseRecord>(resource: string, timeField: TimeField) {
  const initial = useMemo(() => filtersOf(defaultQuery(), timeField), [timeField]);
  const table = useTable<Row, HttpError>({
    resource,
    syncWithLocation: true,
    pagination: { pageSize: PAGE_SIZE },
    filters: { initial, defaultBehavior: 'replace' },
    // The table itself says what went wrong, in its own place; trying again is the person's choice.
    errorNotification: false,
    queryOptions: { retry: false },
  });
  const ask = (query: LogQuery): void => {
    const filters = filtersOf(query, timeField);
    table.setFilters(filters, 'replace');
    table.setCurrentPage(1);
    // The same question again means: look again.
    if (JSON.stringify(filters) === JSON.stringify(table.filters)) void table.tableQuery.refetch();
  };
  return { ...table, query: queryOf(table.filters, timeField), ask };
}

export type LogTable<Row extends BaseRecord> = ReturnType<typeof useLogTable<Row>>;
