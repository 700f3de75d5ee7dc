/**
 * Requests that belong to no resource: Refine's `useCustom` and `useCustomMutation`, typed by the contract of their endpoint. For the
 * console. Pages of the site load no Refine: they read with `useLoaded` and send with `callRoute`.
 */
import {
  useCustom,
  useCustomMutation,
  type BaseRecord,
  type HttpError,
  type OpenNotificationParams,
} from '@refinedev/core';
import { useQueryClient } from '@tanstack/react-query';
import { fillPath, type Endpoint, type Request, type Response } from '@yiqiao/contracts/endpoint';
import { messageOf } from '../api/api-error.js';
import { pathOf } from '../api/exchange.js';
import { useSingleSubmit } from './use-single-submit.js';

/** Below Refine's own key of the data provider: `useInvalidate` with `all` covers these queries too. */
const keyOf = ({ path }: Endpoint): string[] => ['data', 'default', 'custom', path];

type QueryOptions = {
  enabled?: boolean;
  gcTime?: number;
  staleTime?: number;
  refetchOnMount?: 'always';
  /** Milliseconds; not while the tab is hidden. */
  refetchInterval?: number | false;
};

/** Reads an endpoint. The page shows a failure in the place of the data. */
export function useEndpoint<E extends Endpoint>(endpoint: E, input: Request<E>, options: QueryOptions = {}) {
  const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
  const isGet = endpoint.method === 'GET';
  const { query } = useCustom({
    url: path,
    method: isGet ? 'get' : 'post', // what must not be in an address is read with POST
    config: isGet ? { query: rest } : { payload: rest },
    errorNotification: false,
    queryOptions: Object.assign({ queryKey: [...keyOf(endpoint), input] }, options),
  });
  const { isPending, isFetching, isError, error, refetch, dataUpdatedAt } = query;
  const data = query.data?.data as Response<E> | undefined;
  return { data, dataUpdatedAt, isPending, isFetching, isError, error, refetch };
}

export type EndpointQuery<E extends Endpoint> = ReturnType<typeof useEndpoint<E>>;

/** Reads an endpoint again wherever it is on screen, whatever its input. */
export function useInvalidateEndpoint(): (endpoint: Endpoint) => Promise<void> {
  const queries = useQueryClient();
  return (endpoint) => queries.invalidateQueries({ queryKey: keyOf(endpoint) });
}

/** A refused change as Refine's notification; false where the client has already announced it. */
export const refusalNotification = (error: unknown): OpenNotificationParams | false => {
  const message = messageOf(error);
  return message === null ? false : { type: 'error', message };
};

type MutationOptions<E extends Endpoint> = {
  /** Shown once it is done. */
  successMessage?: (answer: Response<E>, input: Request<E>) => string;
  /** Runs after a success, even if the page has been left meanwhile. The mutation is pending until its promise settles. */
  onSuccess?: (answer: Response<E>, input: Request<E>) => unknown;
  /** Handles a refusal in its own way, as part of the mutation. Without it, Refine shows the refusal at the top of the page. */
  onError?: (error: unknown, input: Request<E>) => unknown;
};

/**
 * Sends to an endpoint. `mutate` ignores a second press while the first one is pending. `idempotencyKey`: 1–64 of `[A-Za-z0-9_-]`; the
 * server applies the same key and body once (decisions §1).
 */
export function useEndpointMutation<E extends Endpoint>(endpoint: E, options: MutationOptions<E> = {}) {
  const { successMessage, onSuccess, onError } = options;
  const { mutation, mutateAsync: send } = useCustomMutation<BaseRecord, HttpError, Request<E>>({
    // Not `onSuccess` and `onError`: they would replace those with which Refine notifies.
    mutationOptions: {
      onSettled: async (answer, error, { meta }) => {
        const { input } = meta as { input: Request<E> };
        if (error) await onError?.(error, input);
        else await onSuccess?.(answer?.data as Response<E>, input);
      },
    },
  });
  const mutateAsync = async (input: Request<E>, idempotencyKey?: string): Promise<Response<E>> => {
    const { method } = endpoint;
    const { path, rest } = fillPath(endpoint.path, input as Record<string, unknown>);
    const { data } = await send({
      url: method === 'GET' ? pathOf({ path, query: rest }) : path,
      method: method.toLowerCase() as 'post', // Refine's type leaves `get` out, simple-rest sends it
      values: rest as Request<E>,
      meta: { input },
      config: idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } },
      successNotification: (answer) =>
        successMessage ? { type: 'success', message: successMessage(answer?.data as Response<E>, input) } : false,
      errorNotification: onError ? false : (error) => refusalNotification(error),
    });
    return data as Response<E>;
  };
  return { mutate: useSingleSubmit(mutateAsync), mutateAsync, isPending: mutation.isPending };
}
