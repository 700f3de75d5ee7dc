/** The machinery as operators see it: processes, stores, repeated jobs, limits (operators §10; drawing 12). */
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { operatorEndpoint } from './endpoint.js';

const count = z.int().nonnegative();

export const PROCESS_KINDS = ['api', 'worker', 'operators'] as const;

/** A process as it last reported. `silent`: it has missed its reports without having ended properly. */
const processReport = z.object({
  kind: z.enum(PROCESS_KINDS),
  /** `host:pid`. */
  name: z.string(),
  silent: z.boolean(),
  seenSeconds: count,
  startedAt: z.string(),
  memoryMb: count,
  /** The longest that a task waited for the processor in the last report's time, in ms. */
  stallMs: z.number(),
  /** HTTP requests of the last hour; of those, answered with 5xx; and the 95th percentile in ms. Null for a worker. */
  requests: count.nullable(),
  failed: count.nullable(),
  p95Ms: count.nullable(),
  /** Open event streams; null for a worker. */
  streams: count.nullable(),
});

/** One that runs again and again. */
const repeatedJob = z.object({
  name: z.string(),
  everySeconds: count,
  /** Of its last run; null when none is known. */
  ranAt: z.string().nullable(),
  ms: count.nullable(),
  state: z.enum(['ok', 'late', 'failed', 'unknown']),
});

/**
 * What happens once a night. `at`: when it was done last, or began; `ageSeconds` since then; `seconds`: how long it took. `count`: differences of
 * the audit, witnesses of the close, open differences of the reconciliation, bytes of the backup, differences in the restored ledger of the drill.
 * `date`: the day of the close. `failedAt`: since when no backup succeeds; the rest of its line is of the last that did.
 */
const nightlyTask = z.object({
  name: z.enum(['audit', 'fullAudit', 'close', 'reconciliation', 'backup', 'drill']),
  at: z.string().nullable(),
  ageSeconds: count.nullable(),
  seconds: count.nullable(),
  date: z.string().nullable(),
  count: count.nullable(),
  failedAt: z.string().nullable(),
  /** `late`: not within a day and two hours. `differs`: done, and somebody must look. `unknown`: never. */
  state: z.enum(['ok', 'running', 'late', 'failed', 'differs', 'unknown']),
});

export const getSystemDetails = operatorEndpoint({
  method: 'GET',
  path: '/system/details',
  action: 'read',
  request: nothing,
  response: z.object({
    at: z.string(),
    /** Ledger entries per second over the last five minutes. */
    entriesPerSecond: z.number(),
    processes: z.array(processReport).nullable(),
    postgres: z.object({ version: z.string(), connections: count, connectionsMost: count, readOnly: z.boolean() }),
    /** Null while Redis is away; so are processes and jobs. */
    redis: z.object({ version: z.string(), memoryMb: count, policy: z.string() }).nullable(),
    jobs: z.array(repeatedJob).nullable(),
    nightly: z.array(nightlyTask),
    limits: z.object({
      signInFailures: count,
      signInMinutes: count,
      translationsPerSecond: count,
      streamsPerProcess: count,
      orderSeconds: count,
    }),
    /** What is configured; never a value of a secret. */
    configured: z.array(z.object({ name: z.string(), set: z.boolean() })),
  }),
});
