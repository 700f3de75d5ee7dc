/** Accounts at vendors: who translates, whether they hold, and what they cost (operators §9). */
import { CHANNEL_CODES } from '@yiqiao/domain/channels';
import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done, nothing } from '../endpoint.js';
import { orAbsent, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';
import { oneTimeCode } from './requests.js';

const count = z.int();
const share = z.number().nullable();

/** `environment`, `file`, `sandbox`: of the settings of the processes, which the console cannot change. */
export const ACCOUNT_ORIGINS = ['console', 'environment', 'file', 'sandbox'] as const;

/** The state of an account's breaker over all processes that used it; `idle`: none has. */
export const BREAKER_STATES = ['closed', 'half-open', 'open', 'idle'] as const;

const health = z.object({
  breaker: z.enum(BREAKER_STATES),
  /** In how many processes it is open, of how many that used the account. */
  openIn: count,
  processes: count,
  /** Why it opened, and when a probe goes through. */
  openKind: z.string().nullable(),
  openUntil: z.string().nullable(),
  /** The last 24 hours. */
  requests: count,
  successShare: share,
  medianMs: count.nullable(),
  p95Ms: count.nullable(),
  /** Of the channel's requests. */
  requestShare: share,
  /** Characters sent today, and what the caps of all processes leave; null: no cap. */
  charsToday: count,
  charsLeft: count.nullable(),
  charsLastHour: count,
  /** When the cap ends at the pace of the last hour; null: not today. */
  endsAt: z.string().nullable(),
  failures: z.array(z.object({ at: z.string(), kind: z.string(), said: z.string() })),
});

const caps = {
  requestsPerSecond: z
    .number({ error: 'WRONG_TYPE' })
    .positive({ error: 'WRONG_VALUE' })
    .max(10_000, { error: 'WRONG_VALUE' })
    .nullable(),
  charsPerMinute: z
    .int({ error: 'WRONG_TYPE' })
    .min(1, { error: 'WRONG_VALUE' })
    .max(1_000_000_000, { error: 'WRONG_VALUE' })
    .nullable(),
  charsPerDay: z
    .int({ error: 'WRONG_TYPE' })
    .min(1, { error: 'WRONG_VALUE' })
    .max(1_000_000_000, { error: 'WRONG_VALUE' })
    .nullable(),
};
const cost = z
  .int({ error: 'WRONG_TYPE' })
  .min(0, { error: 'WRONG_VALUE' })
  .max(1_000_000_000, { error: 'WRONG_VALUE' });
/** Micro-yuan per character, per voice minute and per picture. */
const costs = { charCost: cost, voiceCost: cost, imageCost: cost };
const weight = z.int({ error: 'WRONG_TYPE' }).min(1, { error: 'WRONG_VALUE' }).max(100, { error: 'WRONG_VALUE' });

const text = (most: number) =>
  z
    .string({ error: orAbsent })
    .transform((given) => given.trim())
    .pipe(z.string().min(1, { error: 'REQUIRED' }).max(most, { error: 'TOO_LONG' }));
/** For the action log. */
const reason = text(REQUEST_REASON_MAX);
const secret = text(500).optional();
/** Where it is, with its keys: whoever changes the address must enter the keys again. */
const address = {
  baseUrl: text(300).optional(),
  key: secret,
  secret,
  region: text(100).optional(),
  model: text(100).optional(),
};

export const vendorAccount = z.object({
  id: z.int(),
  name: z.string(),
  origin: z.enum(ACCOUNT_ORIGINS),
  baseUrl: z.string(),
  region: z.string().nullable(),
  model: z.string().nullable(),
  /** The last four characters. */
  keyEnd: z.string().nullable(),
  keySetAt: z.string().nullable(),
  sandbox: z.boolean(),
  paused: z.boolean(),
  weight: z.int(),
  requestsPerSecond: z.number().nullable(),
  charsPerMinute: z.int().nullable(),
  charsPerDay: z.int().nullable(),
  charCost: z.int(),
  voiceCost: z.int(),
  imageCost: z.int(),
  health,
});

/** Every channel with its accounts, in the order of the price list. The offline engine has none. */
export const listVendorAccounts = operatorEndpoint({
  method: 'GET',
  path: '/vendor-accounts',
  action: 'read',
  request: nothing,
  response: z.object({
    at: z.string(),
    /** The processes that used a vendor lately. */
    processes: count,
    /** New accounts with a key of the sandbox are at the sandbox. */
    sandbox: z.boolean(),
    channels: z.array(
      z.object({
        id: z.int(),
        code: z.enum(CHANNEL_CODES),
        name: z.string(),
        /** Micro-yuan per character. */
        price: count,
        available: z.boolean(),
        requests: count,
        successShare: share,
        medianMs: count.nullable(),
        p95Ms: count.nullable(),
        accounts: z.array(vendorAccount),
      }),
    ),
  }),
});

const changed = z.object({ id: z.int() });

/** Serves within a second in every process. 409 VENDOR_ACCOUNT_EXISTS. */
export const addVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts',
  action: 'vendorAccount.setKey',
  request: z.strictObject({
    channel: z.enum(
      CHANNEL_CODES.filter((code) => code !== 'offline'),
      { error: 'WRONG_VALUE' },
    ),
    name: z.string({ error: orAbsent }).regex(/^[\w.-]{1,40}$/, { error: 'WRONG_VALUE' }),
    ...address,
    weight,
    ...caps,
    ...costs,
    reason,
    code: oneTimeCode,
  }),
  response: changed,
});

/** Of an account of the settings only the cost: 409 VENDOR_ACCOUNT_OF_SETTINGS. */
export const changeVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id',
  action: 'vendorAccount.change',
  request: z.strictObject({ id: queryId, weight, ...caps, ...costs, reason }).partial({
    weight: true,
    requestsPerSecond: true,
    charsPerMinute: true,
    charsPerDay: true,
    charCost: true,
    voiceCost: true,
    imageCost: true,
  }),
  response: changed,
});

export const setVendorKey = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id/key',
  action: 'vendorAccount.setKey',
  request: z.strictObject({ id: queryId, ...address, reason, code: oneTimeCode }),
  response: changed,
});

const byId = z.strictObject({ id: queryId, reason });

export const pauseVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id/pause',
  action: 'vendorAccount.change',
  request: byId,
  response: done,
});

export const resumeVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id/resume',
  action: 'vendorAccount.change',
  request: byId,
  response: done,
});

/** For good: its keys are erased. */
export const removeVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id/remove',
  action: 'vendorAccount.change',
  request: byId,
  response: done,
});

/** A real request to the vendor, which no member pays. */
export const testVendorAccount = operatorEndpoint({
  method: 'POST',
  path: '/vendor-accounts/:id/test',
  action: 'vendorAccount.change',
  request: z.strictObject({ id: queryId }),
  response: z.object({
    at: z.string(),
    ms: count,
    chars: count,
    source: z.string(),
    target: z.string(),
    text: z.string(),
    /** Null: it failed. */
    answer: z.string().nullable(),
    failure: z.object({ kind: z.string(), said: z.string() }).nullable(),
  }),
});
