import type { CrudFilter } from '@refinedev/core';
import { useListTable } from '../../shared/table/use-list-table.js';
import type { ApiKey } from './key.js';

const FIELDS = ['state', 'userId', 'keyword'] as const;
/** The filters; an absent one means any, but revoked keys are listed only when asked for. */
export type KeyQuery = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

export const STATES = ['active', 'expired', 'revoked'] as const satisfies readonly ApiKey['state'][];

const filtersOf = (query: KeyQuery): CrudFilter[] =>
  FIELDS.flatMap((field) => {
    const value = query[field]?.trim() ?? '';
    return value === '' ? [] : [{ field, operator: 'eq', value } as const];
  });

const queryOf = (filters: readonly CrudFilter[]): KeyQuery =>
  Object.fromEntries(
    filters.flatMap((filter) =>
      'field' in filter && FIELDS.some((field) => field === filter.field) ? [[filter.field, String(filter.value)]] : [],
    ),
  );

/** The keys as a Refine list. `count`: of all that are not revoked, regardless of the filters; null until it is known. */
export function useKeyTable() {
  const table = useListTable<ApiKey>({ resource: 'apiKeys' });
  const query = queryOf(table.filters);
  const setQuery = (next: KeyQuery): void => {
    table.setFilters(filtersOf(next), 'replace');
    table.setCurrentPage(1);
  };
  const count = (table.tableQuery.data as { count?: number } | undefined)?.count ?? null;
  return { ...table, query, isNarrowed: Object.keys(query).length > 0, setQuery, count };
}

export type KeyTable = ReturnType<typeof useKeyTable>;
