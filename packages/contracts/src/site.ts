import { z } from 'zod';
import { endpoint } from './endpoint.js';

/** Ids of the data config are words (decisions §1). */
export const configId = z.string({ error: 'REQUIRED' }).regex(/^[A-Za-z0-9_]{1,64}$/, { error: 'WRONG_VALUE' });

/** What operators configure and everybody may read. An unknown or private key: 404. `valued` is the text of a JSON document. */
export const getDataConfig = endpoint({
  method: 'GET',
  path: '/dataCus/get',
  access: 'public',
  request: z.strictObject({ id: configId }),
  response: z.object({ id: z.string(), valued: z.string() }),
});

/** USDT_PAY_INFO: the external page, enabled until it says otherwise (decisions §5, §9). */
export const usdtPayInfo = z.object({ enabled: z.boolean().default(true), url: z.string().default('') });
