/** simple-rest over our signed requests: its axios hands every request to `send`, which signs it and opens the envelope. */
import type { DataProvider } from '@refinedev/core';
import simpleRest from '@refinedev/simple-rest';
import axios, { type AxiosInstance, type InternalAxiosRequestConfig } from 'axios';
import { send } from '../shared/api/send.js';

const adapter = async (config: InternalAxiosRequestConfig) => {
  const key: unknown = config.headers.get('Idempotency-Key');
  const data = await send({
    method: (config.method ?? 'get').toUpperCase(),
    path: (config.url ?? '').replace('?&', '?').replace(/\?$/, ''), // as simple-rest writes it
    // axios has already written the body as text; `send` writes it once more from the value.
    ...(typeof config.data === 'string' ? { body: JSON.parse(config.data) as unknown } : {}),
    ...(typeof key === 'string' ? { headers: { 'Idempotency-Key': key } } : {}),
    ...(config.signal instanceof AbortSignal ? { signal: config.signal } : {}),
  });
  return { data, status: 200, statusText: 'OK', headers: {}, config };
};

const withSignal = (signal: AbortSignal | undefined): AxiosInstance =>
  axios.create({
    adapter,
    transformResponse: (data: unknown) => data, // else a text that looks like JSON would be parsed
    ...(signal ? { signal } : {}),
  });

const client = withSignal(undefined);

/** simple-rest passes no abort signal on, so an abortable read gets its own client. */
export const restWith = (signal: AbortSignal | undefined): Pick<Required<DataProvider>, 'custom'> =>
  simpleRest('', signal ? withSignal(signal) : client);
