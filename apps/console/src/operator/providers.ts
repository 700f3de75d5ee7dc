/** Refine's view of the operators' API: data, session and roles. */
import type {
  AccessControlProvider,
  AuditLogProvider,
  AuthProvider,
  BaseRecord,
  CrudFilter,
  DataProvider,
} from '@refinedev/core';
import type { Request } from '@yiqiao/contracts/endpoint';
import { listActions } from '@yiqiao/contracts/operator/actions';
import { signInByPasskey } from '@yiqiao/contracts/operator/passkeys';
import { enterCode, signOut } from '@yiqiao/contracts/operator/session';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { mayDo, OPERATOR_ACTIONS, OPERATOR_ROLES, type OperatorAction } from '@yiqiao/domain/operators';
import { ApiError } from '../shared/api/api-error.js';
import { language } from '../shared/i18n/language.js';
import { messagesOf } from '../shared/i18n/messages.js';
import { restOver, signalOf } from '../shared/refine/rest.js';
import { call, send } from './shared/api/send.js';
import {
  currentSession,
  endSession,
  isSignedOut,
  readSession,
  signInPath,
  startSession,
  wayBack,
} from './shared/api/session.js';

const restWith = restOver(send);

/** A filter that equals; several values are separated by commas. */
const queryOf = (filters: readonly CrudFilter[]): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap((filter) =>
      'field' in filter && filter.value !== undefined && filter.value !== null
        ? [[filter.field, [filter.value as unknown].flat().map(String).join(',')]]
        : [],
    ),
  );

type Page = { rows: BaseRecord[]; total: number };
type ListParams = Parameters<DataProvider['getList']>[0];

/**
 * Lists, single records and new ones are at the addresses of their resources: `GET /members`, `GET /members/1`, `POST /audit-runs`. Every
 * other endpoint goes through `useEndpoint` and `useEndpointMutation`, by its contract.
 */
export const dataProvider: DataProvider = {
  getList: async <T extends BaseRecord>({ resource, pagination, filters = [], meta }: ListParams) => {
    const { currentPage: pageNum = 1, pageSize = PAGE_SIZE, mode } = pagination ?? {};
    const signal = signalOf(meta);
    const query = { ...queryOf(filters), ...(mode === 'off' ? {} : { pageNum, pageSize }) };
    const answer = (await send({ method: 'GET', path: `/${resource}`, query, ...(signal ? { signal } : {}) })) as Page;
    const { rows, ...rest } = answer;
    return { ...rest, data: rows as T[] };
  },
  getOne: async <T extends BaseRecord>({ resource, id, meta }: Parameters<DataProvider['getOne']>[0]) => {
    const signal = signalOf(meta);
    const path = `/${resource}/${encodeURIComponent(id)}`;
    return { data: (await send({ method: 'GET', path, ...(signal ? { signal } : {}) })) as T };
  },
  create: async <T extends BaseRecord>({ resource, variables }: { resource: string; variables: unknown }) => ({
    data: (await send({ method: 'POST', path: `/${resource}`, body: variables })) as T,
  }),
  // Changes are commands with endpoints of their own.
  update: ({ resource }) => Promise.reject(new Error(`${resource} is changed by its commands`)),
  deleteOne: ({ resource }) => Promise.reject(new Error(`${resource} is changed by its commands`)),
  custom: (params) => restWith(signalOf(params.meta)).custom(params),
  getApiUrl: () => '',
};

/** Where the operator is now, for the way back after signing in. */
const here = (): string => location.pathname + location.search;

export const authProvider: AuthProvider = {
  /** By the code, whose step before is a call of its own, which says nothing; or by a passkey alone. */
  login: async (proof: Request<typeof enterCode> | Request<typeof signInByPasskey>) => {
    try {
      startSession(await ('code' in proof ? call(enterCode, proof) : call(signInByPasskey, proof)));
      return { success: true, redirectTo: wayBack(location.search) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { success: false, error };
    }
  },
  logout: async () => {
    try {
      await call(signOut, {});
    } catch (error) {
      if (!isSignedOut(error)) throw error;
    }
    endSession();
    return { success: true, redirectTo: '/sign-in' };
  },
  check: async () =>
    (await readSession()) ? { authenticated: true } : { authenticated: false, redirectTo: signInPath(here()) },
  onError: (error: unknown) => {
    if (!isSignedOut(error) || !currentSession()) return Promise.resolve({});
    endSession();
    return Promise.resolve({ redirectTo: signInPath(here()) });
  },
  getIdentity: readSession,
  getPermissions: async () => (await readSession())?.role,
};

const isAction = (action: string): action is OperatorAction => Object.hasOwn(OPERATOR_ACTIONS, action);
/** What Refine's own components ask before they show something. */
const READING = ['list', 'show', 'field'];

/** `action` is one of OPERATOR_ACTIONS, or one of Refine's for reading. Whatever else is not offered. */
export const accessControlProvider: AccessControlProvider = {
  can: async ({ action }) => {
    const role = (await readSession())?.role;
    const wanted = READING.includes(action) ? 'read' : action;
    if (!role || !isAction(wanted)) return { can: false };
    if (mayDo(role, wanted)) return { can: true };
    const names = OPERATOR_ACTIONS[wanted].roles.map((each) => OPERATOR_ROLES[each][language]);
    return {
      can: false,
      reason: messagesOf('operator')('onlyRoles', { roles: names.join(language === 'en' ? ', ' : '、') }),
    };
  },
  options: { buttons: { enableAccessControl: true, hideIfUnauthorized: false } },
};

/** The action log (operators §5), of a request by `approvalId`. Only the API writes it. */
export const auditLogProvider: AuditLogProvider = {
  get: async ({ meta }) => (await call(listActions, { approvalId: String(meta?.['approvalId']), pageSize: '50' })).rows,
  create: () => Promise.resolve(),
  update: () => Promise.resolve(),
};
