/** simple-rest with our gate in the place of its network: for calls that are no resource's, by their endpoint's own path. */
import simpleRest from '@refinedev/simple-rest';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { send } from './api/send.js';

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

export const rest = simpleRest('', client);
