import {
  DOCUMENT_BYTES,
  QR_SIDE,
  QR_SIDE_MAX,
  QR_SIDE_MIN,
  SERVICE_ACCOUNT_MAX,
  SERVICE_PLATFORM_MAX,
} from '@yiqiao/domain/limits';
import { tidy } from '@yiqiao/domain/members';
import { z } from 'zod';
import { done, endpoint, nothing } from './endpoint.js';
import { orMissing, queryInt } from './fields.js';
import type { FieldCode } from './field-messages.js';

/** Ids of the data config are words (decisions §1). */
export const configId = z.string({ error: 'REQUIRED' }).regex(/^[A-Za-z0-9_]{1,64}$/, { error: 'WRONG_VALUE' });

/** Public configuration documents. An unknown or private key: 404. `valued` is the text of a JSON document. */
export const getDataConfig = endpoint({
  method: 'GET',
  path: '/dataCus/get',
  access: 'public',
  request: z.strictObject({ id: configId }),
  response: z.object({ id: z.string(), valued: z.string() }),
});

/** Replaces a whole document, in the format of `dataCus/get`. 403 without an operator's token (decisions §9). */
export const saveDataConfig = endpoint({
  method: 'POST',
  path: '/dataCus/save',
  access: 'operator',
  request: z.strictObject({
    id: configId,
    valued: z.string({ error: orMissing('REQUIRED') }).max(DOCUMENT_BYTES, { error: 'TOO_LONG' }),
  }),
  response: done,
});

/** Input is compared as people read it: trimmed, in NFKC; bounded. */
const normalized = (missing: FieldCode, most: number) =>
  z
    .string({ error: orMissing(missing) })
    .max(most * 4, { error: 'TOO_LONG' })
    .transform((text) => tidy(text.normalize('NFKC')))
    .pipe(z.string().min(1, { error: missing }).max(most, { error: 'TOO_LONG' }));

/** The platforms on which there is anybody, in the operators' order (specification §7). */
export const listServicePlatforms = endpoint({
  method: 'GET',
  path: '/customer-service/platform/list',
  access: 'public',
  request: nothing,
  response: z.array(z.string()),
});

const side = queryInt
  .pipe(z.int().min(QR_SIDE_MIN, { error: 'TOO_SMALL' }).max(QR_SIDE_MAX, { error: 'TOO_BIG' }))
  .default(QR_SIDE);

/**
 * Whom visitors may write to. `accountType` 1 is after-sale, any other pre-sale (specification §2). `qrCode`: address on this origin of a
 * PNG of exactly `width` × `height` pixels; `referUrl` may be empty.
 */
export const listCustomerService = endpoint({
  method: 'GET',
  path: '/customer-service/list',
  access: 'public',
  request: z.strictObject({ height: side, width: side }),
  response: z.array(
    z.object({
      platform: z.string(),
      accountList: z.array(
        z.object({ accountType: z.int(), qrCode: z.string(), referUrl: z.string(), account: z.string() }),
      ),
    }),
  ),
});

/** Whether the account is one of ours, which it is only letter by letter (specification §5, §8). */
export const checkCustomerService = endpoint({
  method: 'GET',
  path: '/customer-service/get',
  access: 'public',
  request: z.strictObject({
    platform: normalized('PLATFORM_REQUIRED', SERVICE_PLATFORM_MAX),
    account: normalized('SERVICE_ACCOUNT_REQUIRED', SERVICE_ACCOUNT_MAX),
  }),
  response: z.boolean(),
});
