import type { CrudFilter, GoConfig, ParseResponse, RouterProvider } from '@refinedev/core';
import base from '@refinedev/react-router';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { listSearch, listStateOf, OF_LIST, otherParams, type ListState } from './shared/table/list-address.js';

/** What Refine's lists keep in the address; null for other queries. */
function stateIn(query: GoConfig['query']): ListState | null {
  if (query === undefined || !('filters' in query) || !('currentPage' in query)) return null;
  const { currentPage, pageSize, filters } = query as {
    currentPage?: number;
    pageSize?: number;
    filters?: CrudFilter[];
  };
  return { currentPage: currentPage ?? 1, pageSize: pageSize ?? PAGE_SIZE, filters: filters ?? [] };
}

/**
 * Turning a page is a step in the history; filters take the place of one another. Both are told apart by the browser's address: the
 * router draws a location in a transition, which what is clicked and typed in the meantime may hold up.
 */
function useGo() {
  const go = base.go?.();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (config: GoConfig) => {
      const { search, hash, pathname: newest } = window.location;
      const state = stateIn(config.query);
      const to = state && listSearch(pathname, search, state);
      if (state === null || to === null || config.type === 'path') return go?.(config);
      const isLeft = newest !== pathname;
      if (isLeft || to === search) return undefined;
      const { currentPage } = listStateOf(pathname, search);
      const isTurn = listSearch(pathname, search, { ...state, currentPage }) === search;
      void navigate({ search: to, hash }, { replace: !isTurn, state: OF_LIST });
      return undefined;
    },
    [go, navigate, pathname],
  );
}

function useParse() {
  const parse = base.parse?.();
  const { pathname, search } = useLocation();
  return useCallback((): ParseResponse => {
    const parsed = parse?.() ?? {};
    // Refine makes parameters that it does not know part of the query key, and would read a list again when its address is written.
    const others = otherParams(pathname, parsed.params ?? {});
    return { ...parsed, params: { ...others, ...listStateOf(pathname, search, parsed.params) } };
  }, [parse, pathname, search]);
}

/** Refine's router with short addresses for lists. */
export const routerProvider: RouterProvider = { ...base, go: useGo, parse: useParse };
