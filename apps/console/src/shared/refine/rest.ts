/** simple-rest over our own requests: in the place of axios it gets a client of `send`, which signs or names its session, and opens the envelope. */
import type { DataProvider, MetaQuery } from '@refinedev/core';
import simpleRest from '@refinedev/simple-rest';
import type { Send } from '../api/exchange.js';

type HttpClient = NonNullable<Parameters<typeof simpleRest>[1]>;
type Config = { headers?: Record<string, string>; data?: unknown };

function clientWith(send: Send, signal?: AbortSignal): HttpClient {
  const request = async (method: string, url: string, body: unknown, headers: Record<string, string> = {}) => {
    const key = headers['Idempotency-Key'];
    const data = await send({
      method,
      path: url.replace('?&', '?').replace(/\?$/, ''), // as simple-rest writes it
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
      ...(signal ? { signal } : {}),
    });
    return { data, headers: {} };
  };
  const withBody =
    (method: string) =>
    (url: string, body: unknown, { headers }: Config = {}) =>
      request(method, url, body, headers);
  const client = {
    get: (url: string, { headers }: Config = {}) => request('GET', url, undefined, headers),
    delete: (url: string, { data, headers }: Config = {}) => request('DELETE', url, data, headers),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  };
  // Of axios, simple-rest calls these five; vite.config.ts leaves the rest of it out.
  return client as unknown as HttpClient;
}

type Rest = Pick<Required<DataProvider>, 'custom'>;

/** simple-rest passes no abort signal on, so an abortable read gets its own client. */
export function restOver(send: Send): (signal: AbortSignal | undefined) => Rest {
  const rest = simpleRest('', clientWith(send));
  return (signal) => (signal ? simpleRest('', clientWith(send, signal)) : rest);
}

/** Aborts a read whose result is no longer needed. Mutations have none. */
export const signalOf = (meta: MetaQuery | undefined): AbortSignal | undefined =>
  (meta as { signal?: AbortSignal } | undefined)?.signal;
