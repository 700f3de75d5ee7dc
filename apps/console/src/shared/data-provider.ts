/**
 * Refine's view of the API (decisions §1). Resources go by their table (`resources.ts`), because the API has calls, not addresses of
 * things; whatever else there is goes through simple-rest's `custom`, by an endpoint's own path. All of it passes the one gate for
 * signature, envelope and expired logins (`api/send.ts`), so failures are ApiErrors.
 */
import type { BaseRecord, DataProvider, GetListResponse, MetaQuery } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { call } from './api/call.js';
import { creating, deleting, editing, listing, showing, type Asked } from './resources.js';

/** A read that nobody waits for any more is given up. */
const signalOf = (meta: MetaQuery | undefined): { signal?: AbortSignal } => {
  const signal = (meta?.['queryContext'] as { signal?: AbortSignal } | undefined)?.signal;
  return signal ? { signal } : {};
};

const answered = async <T>({ endpoint, input }: Asked, meta?: MetaQuery): Promise<{ data: T }> => ({
  data: (await call(endpoint, input, signalOf(meta))) as T,
});

type Page = { rows: BaseRecord[]; total: number };
type ListParams = Parameters<DataProvider['getList']>[0];

export const dataProvider: DataProvider = {
  getList: async <T extends BaseRecord>({ resource, pagination, filters = [], meta }: ListParams) => {
    const { currentPage: pageNum = 1, pageSize = PAGE_SIZE } = pagination ?? {};
    const { data } = await answered<Page>(listing(resource, { pageNum, pageSize, filters }), meta);
    const { rows, ...rest } = data;
    return { ...rest, data: rows } as GetListResponse<T>;
  },
  getOne: ({ resource, id, meta }) => answered(showing(resource, id), meta),
  create: ({ resource, variables }) => answered(creating(resource, variables as object)),
  update: ({ resource, id, variables }) => answered(editing(resource, id, variables as object)),
  deleteOne: ({ resource, id }) => answered(deleting(resource, [id])),
  deleteMany: ({ resource, ids }) => answered(deleting(resource, ids)),
  // Its axios is heavy, and not needed to begin with.
  custom: async (params) => (await import('./rest.js')).rest.custom(params),
  getApiUrl: () => '',
};
