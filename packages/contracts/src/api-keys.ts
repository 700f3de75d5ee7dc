/**
 * Keys for the members' own software (docs/decisions/0071). A key spends the balance of the account that made it, within its own caps. Main
 * accounts see and change the keys of their whole family, sub-accounts their own. Not in the specification.
 */
import {
  API_KEY_ADDRESSES_MAX,
  API_KEY_OVERLAP_HOURS_MAX,
  API_KEY_RATE_MAX,
  API_KEY_USAGE_DAYS_MAX,
  API_KEYS_AT_ONCE,
  CHANGE_MAX,
} from '@yiqiao/domain/limits';
import { codePoints, isSafeName, tidy, visibleCodePoints } from '@yiqiao/domain/members';
import { z } from 'zod';
import { API_KEY_SCOPES, type ApiKeyScope } from './api-key-scopes.js';
import { csvFile, endpoint } from './endpoint.js';
import { dateTime, filter, id, orMissing, page, paging, queryId, queryInt } from './fields.js';
import type { FieldCode } from './field-messages.js';

export { API_KEY_SCOPES, type ApiKeyScope } from './api-key-scopes.js';

/** `secret`: sent in a header or a body. `url`: a restricted token that may stand in an address. */
export const API_KEY_KINDS = {
  secret: { zh: '密钥', en: 'Secret key' },
  url: { zh: '链接令牌', en: 'URL token' },
} as const;
export type ApiKeyKind = keyof typeof API_KEY_KINDS;

const scope = z.enum(Object.keys(API_KEY_SCOPES) as [ApiKeyScope, ...ApiKeyScope[]], { error: 'WRONG_VALUE' });
const kind = z.enum(Object.keys(API_KEY_KINDS) as [ApiKeyKind, ...ApiKeyKind[]], { error: 'WRONG_VALUE' });

export const apiKeyRow = z.object({
  id: z.int(),
  /** The account whose balance the key spends. */
  userId: z.int(),
  /** Its nickname. */
  owner: z.string(),
  name: z.string(),
  kind,
  /** The readable beginning of the secret; the rest is not kept. */
  prefix: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  scopes: z.array(scope),
  /** Null: the owner's channel. */
  tranChannelId: z.int().nullable(),
  /** Characters per day and per calendar month of APP_TIMEZONE; 0: no cap. */
  dayCap: z.int(),
  monthCap: z.int(),
  /** Characters charged in the current day and month. */
  usedToday: z.int(),
  usedThisMonth: z.int(),
  /** 0: the limit of the account. */
  requestsPerSecond: z.int(),
  /** Addresses and networks (CIDR) that may use it. Empty: any. */
  allowedIps: z.array(z.string()),
  expireDateTime: z.string().nullable(),
  lastUseDateTime: z.string().nullable(),
  /** Until when the secret before the last rotation works; null: it does not. */
  oldSecretUntil: z.string().nullable(),
  createDateTime: z.string(),
});

const name = z
  .string({ error: orMissing('API_KEY_NAME_REQUIRED') })
  .transform(tidy)
  .refine((s) => s !== '' && visibleCodePoints(s) >= 1, { error: 'API_KEY_NAME_REQUIRED', abort: true })
  .refine((s) => codePoints(s) <= 64, { error: 'TOO_LONG' })
  .refine(isSafeName, { error: 'UNSAFE_TEXT' });

/** An address, or a network in CIDR notation (`203.0.113.0/24`, `2001:db8::/48`); no zone. */
const isAddressRange = (text: string): boolean =>
  // zod takes any number for the length of a prefix.
  /^[^/%]+(\/\d{1,3})?$/.test(text) &&
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => form.safeParse(text).success);

const cap = z.int({ error: 'WRONG_TYPE' }).min(0, { error: 'TOO_SMALL' }).max(CHANGE_MAX, { error: 'TOO_BIG' });

const settings = {
  name,
  scopes: z
    .array(scope, { error: orMissing('REQUIRED') })
    .min(1, { error: 'REQUIRED' })
    .refine((all) => new Set(all).size === all.length, { error: 'WRONG_VALUE' }),
  tranChannelId: id.nullable().default(null),
  dayCap: cap.default(0),
  monthCap: cap.default(0),
  requestsPerSecond: z
    .int({ error: 'WRONG_TYPE' })
    .min(0, { error: 'TOO_SMALL' })
    .max(API_KEY_RATE_MAX, { error: 'TOO_BIG' })
    .default(0),
  allowedIps: z
    .array(z.string({ error: 'WRONG_TYPE' }).transform(tidy).refine(isAddressRange, { error: 'IP_RANGE_FORMAT' }))
    .max(API_KEY_ADDRESSES_MAX, { error: 'TOO_LONG' })
    .default([]),
  /** Null: never. In the past: API_KEY_EXPIRY_PAST. */
  expireDateTime: dateTime.nullable().default(null),
};

/** A token for URLs may do nothing but translate. */
const restricted = (
  key: { kind?: ApiKeyKind; scopes: readonly ApiKeyScope[] },
  ctx: { addIssue: (issue: { code: 'custom'; path: string[]; message: FieldCode }) => void },
): void => {
  if (key.kind === 'url' && key.scopes.some((each) => each !== 'text'))
    ctx.addIssue({ code: 'custom', path: ['scopes'], message: 'API_KEY_URL_SCOPE' });
};

/** `keyword`: part of a name or the beginning of a secret, literal, case-insensitive. Newest first; revoked ones only with `state`. */
export const listApiKeys = endpoint({
  method: 'GET',
  path: '/apiKey/page',
  access: 'member',
  request: z.strictObject({
    ...paging,
    keyword: filter(z.string({ error: 'WRONG_TYPE' }).max(64, { error: 'TOO_LONG' })),
    userId: filter(queryId),
    state: filter(z.enum(['active', 'expired', 'revoked'], { error: 'WRONG_VALUE' })),
  }),
  /** `count`: keys of the family that are not revoked, of API_KEYS_MAX. */
  response: page(apiKeyRow).extend({ count: z.int() }),
});

export const getApiKey = endpoint({
  method: 'GET',
  path: '/apiKey/get',
  access: 'member',
  request: z.strictObject({ id: queryId }),
  response: apiKeyRow,
});

/** The secret is in this answer and nowhere else: only its digest is kept. */
const withSecret = z.object({ apiKey: apiKeyRow, secret: z.string() });

/** A key of the caller's own account. API_KEYS_FULL, API_KEYS_TOO_OFTEN, MAIN_ACCOUNT_ONLY (`glossary.write` of a sub-account), NOT_FOUND (channel). */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/apiKey/create',
  access: 'member',
  request: z.strictObject({ kind: kind.default('secret'), ...settings }).superRefine(restricted),
  response: withSecret,
});

/** Replaces every setting; in force on every process within a second, the caps at once. */
export const updateApiKey = endpoint({
  method: 'POST',
  path: '/apiKey/update',
  access: 'member',
  request: z.strictObject({ id, ...settings }),
  response: apiKeyRow,
});

/** A new secret; the one before works for `overlapHours` more (0: no longer). */
export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/apiKey/rotate',
  access: 'member',
  request: z.strictObject({
    id,
    overlapHours: z
      .int({ error: orMissing('REQUIRED') })
      .min(0, { error: 'TOO_SMALL' })
      .max(API_KEY_OVERLAP_HOURS_MAX, { error: 'TOO_BIG' }),
  }),
  response: withSecret,
});

/** For good, all or none; revoked ones among them stay so. `count`: those that worked before. */
export const revokeApiKeys = endpoint({
  method: 'POST',
  path: '/apiKey/revoke',
  access: 'member',
  request: z.strictObject({
    ids: z
      .array(id, { error: orMissing('REQUIRED') })
      .min(1, { error: 'REQUIRED' })
      .max(API_KEYS_AT_ONCE, { error: 'TOO_LONG' }),
  }),
  response: z.object({ count: z.int() }),
});

const usageDays = queryInt
  .pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(API_KEY_USAGE_DAYS_MAX, { error: 'TOO_BIG' }))
  .default(30);

/** Every day of the last `days`, today included, oldest first. `requests` counts what was delivered, remembered answers too. */
export const getApiKeyUsage = endpoint({
  method: 'GET',
  path: '/apiKey/usage',
  access: 'member',
  request: z.strictObject({ id: queryId, days: usageDays }),
  response: z.object({ days: z.array(z.object({ date: z.string(), charNum: z.int(), requests: z.int() })) }),
});

/** The same as CSV: UTF-8 with BOM, newest first, days without use left out. */
export const exportApiKeyUsage = endpoint({
  method: 'GET',
  path: '/apiKey/usage/export',
  access: 'member',
  request: z.strictObject({ id: queryId, days: usageDays }),
  response: csvFile,
  file: 'csv',
});
