/**
 * Refine's view of the API. simple-rest speaks REST; what differs here is said here: one gate for signature, envelope and
 * expired logins (`api/send.ts`), and lists that are paged by `pageNum`/`pageSize` and answer `{ rows, total }` (decisions §1).
 */
import type { BaseRecord, CrudFilter, DataProvider, GetListParams, GetListResponse } from '@refinedev/core';
import simpleRest from '@refinedev/simple-rest';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listTerms } from '@yiqiao/contracts/glossary';
import { listLoginLogs } from '@yiqiao/contracts/login-log';
import { listOrders } from '@yiqiao/contracts/orders';
import { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { send } from './api/send.js';

/** Where each resource's list lives. */
const LISTS = {
  accountLogs: listAccountLogs,
  translationLogs: listTranslationLogs,
  loginLogs: listLoginLogs,
  childUsers: listChildUsers,
  orders: listOrders,
  terms: listTerms,
} as const;
export type ResourceName = keyof typeof LISTS;

const isResource = (name: string): name is ResourceName => Object.hasOwn(LISTS, name);

/** simple-rest's axios, with our gate in the place of its network. */
const client = axios.create({
  adapter: async (config: InternalAxiosRequestConfig) => ({
    data: await send({
      method: (config.method ?? 'get').toUpperCase(),
      path: config.url ?? '',
      query: config.params as Record<string, unknown> | undefined,
      // axios has already written the body as text; the gate writes it once more from the value.
      ...(typeof config.data === 'string' ? { body: JSON.parse(config.data) as unknown } : {}),
    }),
    status: 200,
    statusText: 'OK',
    headers: {},
    config,
  }),
});

/** Only equality: every filter of the API is one query parameter. `-1` means "all" and is dropped (specification §7). */
const queryOf = (filters: CrudFilter[] = []): Record<string, unknown> =>
  Object.fromEntries(
    filters.flatMap((f) => ('field' in f && f.value !== -1 && f.value !== '' ? [[f.field, f.value as unknown]] : [])),
  );

type Page = { rows: BaseRecord[]; total: number };

export const dataProvider: DataProvider = {
  ...simpleRest('', client),
  getList: async <T extends BaseRecord>({ resource, pagination, filters, meta }: GetListParams) => {
    if (!isResource(resource)) throw new Error(`no list for ${resource}`);
    const page = (await send({
      method: 'GET',
      path: LISTS[resource].path,
      query: {
        pageNum: pagination?.currentPage ?? 1,
        pageSize: pagination?.pageSize ?? PAGE_SIZE,
        ...queryOf(filters),
      },
      signal: (meta?.['queryContext'] as { signal?: AbortSignal } | undefined)?.signal,
    })) as Page;
    const { rows, ...rest } = page;
    return { ...rest, data: rows } as GetListResponse<T>;
  },
};
