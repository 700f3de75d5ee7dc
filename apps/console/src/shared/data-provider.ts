/**
 * Refine's view of the API (decisions §1). simple-rest is the base, with our gate in the place of its network: signature, envelope and
 * expired logins are `api/send.ts`'s, so failures are ApiErrors. Its `custom` takes an endpoint's own path. What differs is said here:
 * the API's resources go by their table (`resources.ts`), because it has calls, not addresses of things.
 */
import type { BaseRecord, DataProvider, GetListResponse, MetaQuery } from '@refinedev/core';
import simpleRest from '@refinedev/simple-rest';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { call } from './api/call.js';
import { send } from './api/send.js';
import { creating, deleting, editing, listing, showing, type Asked } from './resources.js';

/** simple-rest's axios, with our gate in the place of its network. */
const client = axios.create({
  adapter: async (config: InternalAxiosRequestConfig) => {
    const key: unknown = config.headers.get('Idempotency-Key');
    const data = await send({
      method: (config.method ?? 'get').toUpperCase(),
      path: (config.url ?? '').replace('?&', '?').replace(/\?$/, ''), // as simple-rest writes it
      // axios has already written the body as text; the gate writes it once more from the value.
      ...(typeof config.data === 'string' ? { body: JSON.parse(config.data) as unknown } : {}),
      ...(typeof key === 'string' ? { headers: { 'Idempotency-Key': key } } : {}),
    });
    return { data, status: 200, statusText: 'OK', headers: {}, config };
  },
});

/** A read that nobody waits for any more is given up. */
const signalOf = (meta: MetaQuery | undefined): { signal?: AbortSignal } => {
  const signal = (meta?.['queryContext'] as { signal?: AbortSignal } | undefined)?.signal;
  return signal ? { signal } : {};
};

const answered = async <T>({ endpoint, input }: Asked, meta?: MetaQuery): Promise<{ data: T }> => ({
  data: (await call(endpoint, input, signalOf(meta))) as T,
});

// Without it Refine asks for several one by one, which the API can answer.
const { getMany: _, ...base } = simpleRest('', client);

type Page = { rows: BaseRecord[]; total: number };
type ListParams = Parameters<DataProvider['getList']>[0];

export const dataProvider: DataProvider = {
  ...base,
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
};
