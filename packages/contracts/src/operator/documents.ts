/** Documents of the data config as operators edit them, and the accounts of the customer service (operators §10). */
import { DOCUMENT_BYTES, SERVICE_ACCOUNT_MAX } from '@yiqiao/domain/limits';
import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { orAbsent } from '../fields.js';
import { configId } from '../site.js';
import { operatorEndpoint } from './endpoint.js';

/** Documents that the product itself reads; they have forms. */
export const KNOWN_DOCUMENTS = ['SITE_INFO', 'CUSTOMER_SERVICE', 'SOFT_DOWNLOAD_CONFIG', 'USDT_PAY_INFO'] as const;

const head = {
  id: z.string(),
  /** Null: it was never saved. */
  changedAt: z.string().nullable(),
  changedBy: z.string().nullable(),
  version: z.int(),
  public: z.boolean(),
};

/** Those that the product reads, saved or not, and all others. */
export const listDocuments = operatorEndpoint({
  method: 'GET',
  path: '/documents',
  action: 'read',
  request: nothing,
  response: z.object({ rows: z.array(z.object(head)), total: z.int() }),
});

/** `valued`: the JSON text; null: it was never saved, or it is private to those who may change it. */
export const getDocument = operatorEndpoint({
  method: 'GET',
  path: '/documents/:id',
  action: 'read',
  request: z.strictObject({ id: configId }),
  response: z.object({ ...head, valued: z.string().nullable(), hidden: z.boolean() }),
});

const valued = z.string({ error: orAbsent }).max(DOCUMENT_BYTES, { error: 'TOO_LONG' });

/** The check of saving without saving: what would be stored, or why not and where. */
export const checkDocument = operatorEndpoint({
  method: 'POST',
  path: '/documents/:id/check',
  action: 'content.change',
  request: z.strictObject({ id: configId, valued }),
  response: z.object({ valued: z.string().nullable(), wrong: z.string().nullable(), at: z.string().nullable() }),
});

/** Replaces the document, and keeps whether it is public. 409 EDITED_MEANWHILE when `version` is no longer the newest. */
export const saveDocument = operatorEndpoint({
  method: 'POST',
  path: '/documents/:id',
  action: 'content.change',
  request: z.strictObject({
    id: configId,
    valued,
    version: z.int({ error: orAbsent }).min(0, { error: 'WRONG_VALUE' }),
    reason: z
      .string({ error: orAbsent })
      .transform((given) => given.trim())
      .pipe(z.string().min(1, { error: 'REQUIRED' }).max(REQUEST_REASON_MAX, { error: 'TOO_LONG' })),
  }),
  response: z.object({ version: z.int(), valued: z.string() }),
});

/** Where members find this account when they check it, on any platform; empty: it is not ours. */
export const tryServiceAccount = operatorEndpoint({
  method: 'GET',
  path: '/service-accounts/try',
  action: 'read',
  request: z.strictObject({
    account: z
      .string({ error: orAbsent })
      .min(1, { error: 'SERVICE_ACCOUNT_REQUIRED' })
      .max(SERVICE_ACCOUNT_MAX * 4, { error: 'TOO_LONG' }),
  }),
  response: z.array(z.object({ platform: z.string(), accountType: z.int(), listed: z.boolean() })),
});
