/**
 * Refine's view of the API (decisions §1). `resources.ts` maps each action of a resource to its endpoint, because the API has calls and
 * not REST addresses; every other endpoint goes through simple-rest's `custom` by its own path (`use-endpoint.ts`). All requests pass
 * `api/send.ts` for signature, envelope and expired logins, so failures are ApiErrors.
 */
import type { BaseRecord, DataProvider, GetListResponse, MetaQuery } from '@refinedev/core';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { call } from '../shared/api/call.js';
import { send } from '../shared/api/send.js';
import { restOver, signalOf } from '../shared/refine/rest.js';
import { creating, deleting, editing, listing, showing, type Call } from './shared/resources.js';

const answered = async <T>({ endpoint, input }: Call, meta?: MetaQuery): Promise<{ data: T }> => {
  const signal = signalOf(meta);
  return { data: (await call(endpoint, input, signal ? { signal } : {})) as T };
};

type Page = { rows: BaseRecord[]; total: number };
type ListParams = Parameters<DataProvider['getList']>[0];

const restWith = restOver(send);

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
  custom: (params) => restWith(signalOf(params.meta)).custom(params),
  getApiUrl: () => '',
};
