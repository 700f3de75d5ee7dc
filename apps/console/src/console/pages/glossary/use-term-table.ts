import type { CrudFilter } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listTerms } from '@yiqiao/contracts/glossary';
import { useListTable } from '../../shared/table/use-list-table.js';

export type TermRow = Response<typeof listTerms>['rows'][number];

const FIELDS = ['source', 'target', 'keyword'] as const;
/** The filters; an absent one means any. */
export type TermQuery = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

const filtersOf = (query: TermQuery): CrudFilter[] =>
  FIELDS.flatMap((field) => {
    const value = query[field]?.trim() ?? '';
    return value === '' ? [] : [{ field, operator: 'eq', value } as const];
  });

const queryOf = (filters: readonly CrudFilter[]): TermQuery =>
  Object.fromEntries(
    filters.flatMap((filter) =>
      'field' in filter && FIELDS.some((field) => field === filter.field) ? [[filter.field, String(filter.value)]] : [],
    ),
  );

/** The family's terms as a Refine list. `count`: of all terms, regardless of the filters; null until it is known. */
export function useTermTable() {
  const table = useListTable<TermRow>({ resource: 'terms' });
  const query = queryOf(table.filters);
  const setQuery = (next: TermQuery): void => {
    table.setFilters(filtersOf(next), 'replace');
    table.setCurrentPage(1);
  };
  const count = (table.tableQuery.data as { count?: number } | undefined)?.count ?? null;
  return { ...table, query, isNarrowed: Object.keys(query).length > 0, setQuery, count };
}

export type TermTable = ReturnType<typeof useTermTable>;
