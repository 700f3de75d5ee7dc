/**
 * The resources of Refine and the API call of each action. The data provider sends by this table; access control reads each call's
 * `access` from its contract.
 */
import type { BaseKey, CrudFilter } from '@refinedev/core';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { createApiKey, getApiKey, listApiKeys, revokeApiKeys, updateApiKey } from '@yiqiao/contracts/api-keys';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { deleteTerms, listTerms, saveTerm } from '@yiqiao/contracts/glossary';
import { getLoginLog, listLoginLogs } from '@yiqiao/contracts/login-log';
import { listOrders } from '@yiqiao/contracts/orders';
import { deleteChildUsers, getChildUser, listChildUsers, saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { deleteWebhook, listWebhooks, saveWebhook } from '@yiqiao/contracts/webhooks';

/** Refine's actions on a resource. */
export type Action = 'list' | 'show' | 'create' | 'edit' | 'delete';

type Resource = { list: Endpoint } & Partial<Record<Action, Endpoint>> & {
    /** The field that names one row, and the one that names several. */
    id: string;
    ids?: string;
  };

const RESOURCES = {
  accountLogs: { id: 'id', list: listAccountLogs },
  translationLogs: { id: 'id', list: listTranslationLogs },
  loginLogs: { id: 'id', list: listLoginLogs, show: getLoginLog },
  childUsers: {
    id: 'userId',
    ids: 'childrenIds',
    list: listChildUsers,
    show: getChildUser,
    create: saveChildUser,
    edit: saveChildUser,
    delete: deleteChildUsers,
  },
  orders: { id: 'id', list: listOrders },
  apiKeys: {
    id: 'id',
    ids: 'ids',
    list: listApiKeys,
    show: getApiKey,
    create: createApiKey,
    edit: updateApiKey,
    delete: revokeApiKeys,
  },
  webhooks: {
    id: 'id',
    ids: 'ids',
    list: listWebhooks,
    create: saveWebhook,
    edit: saveWebhook,
    delete: deleteWebhook,
  },
  terms: { id: 'id', ids: 'ids', list: listTerms, create: saveTerm, edit: saveTerm, delete: deleteTerms },
} as const satisfies Record<string, Resource>;

export type ResourceName = keyof typeof RESOURCES;

const isResource = (name: string): name is ResourceName => Object.hasOwn(RESOURCES, name);
const resourceOf = (name: string): Resource | undefined => (isResource(name) ? RESOURCES[name] : undefined);

/** The call of an action; undefined if there is none. */
export const endpointOf = (name: string, action: Action): Endpoint | undefined => resourceOf(name)?.[action];

/** A call with its input. */
export type Call = { endpoint: Endpoint; input: Record<string, unknown> };

function callOf(name: string, action: Action, inputOf: (resource: Resource) => Record<string, unknown>): Call {
  const resource = resourceOf(name);
  const endpoint = resource?.[action];
  if (!resource || !endpoint) throw new Error(`${name} has no ${action}`);
  return { endpoint, input: inputOf(resource) };
}

/** Only equality: every filter of the API is one query parameter. `-1` means "all" and is dropped (specification §7). */
const queryOf = (filters: readonly CrudFilter[]): Record<string, unknown> =>
  Object.fromEntries(
    filters.flatMap((f) => ('field' in f && f.value !== -1 && f.value !== '' ? [[f.field, f.value as unknown]] : [])),
  );

type ListRequest = { pageNum: number; pageSize: number; filters: readonly CrudFilter[] };

export const listing = (name: string, { pageNum, pageSize, filters }: ListRequest): Call =>
  callOf(name, 'list', () => ({ pageNum, pageSize, ...queryOf(filters) }));

export const showing = (name: string, id: BaseKey): Call => callOf(name, 'show', (r) => ({ [r.id]: id }));

export const creating = (name: string, values: object): Call => callOf(name, 'create', () => ({ ...values }));

/** Ids are numbers on the wire; Refine reads them from the URL as strings. */
export const editing = (name: string, id: BaseKey, values: object): Call =>
  callOf(name, 'edit', (r) => ({ ...values, [r.id]: Number(id) }));

/** All or none of them. */
export const deleting = (name: string, ids: readonly BaseKey[]): Call =>
  callOf(name, 'delete', (r) => ({ [r.ids ?? r.id]: ids.map(Number) }));
