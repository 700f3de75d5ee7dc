/** The first page of the operator console: what waits, and how the day goes (OPERATOR.md §4). Amounts in fen. */
import { z } from 'zod';
import { nothing } from '../endpoint.js';
import { operatorEndpoint } from './endpoint.js';
import { EXCEPTION_KINDS } from './payments.js';

/** Today until now, yesterday, and the last 7 and 30 days with today. */
export const TODAY_RANGES = ['today', 'yesterday', 'week', 'month'] as const;

const count = z.int();

/**
 * The figures of a range, at most half a minute old. `before` is the same time on the same weekday a week earlier, or the days before; null
 * when nothing was recorded then. `columns` are hours of a day, or days; `usual` is the average of the four weekdays before.
 */
export const getToday = operatorEndpoint({
  method: 'GET',
  path: '/today',
  action: 'read',
  request: z.strictObject({ range: z.enum(TODAY_RANGES, { error: 'WRONG_VALUE' }).default('today') }),
  response: z.object({
    /** When the figures were read. */
    at: z.string(),
    begin: z.string(),
    end: z.string(),
    money: z.object({
      paid: count,
      orders: count,
      refunded: count,
      refunds: count,
      paidBefore: count.nullable(),
      beginBefore: z.string(),
      endBefore: z.string(),
    }),
    usage: z.object({
      charNum: count,
      voiceNum: count,
      imageNum: count,
      /** Answered from the translation memory, in the days of the range. */
      savedCharNum: count,
    }),
    members: z.object({ registered: count, giftCharNum: count, firstPayers: count }),
    columns: z.array(
      z.object({
        /** Hour 0–23, or the date. */
        at: z.string(),
        paid: count,
        charNum: count,
        usualPaid: count.nullable(),
        usualCharNum: count.nullable(),
      }),
    ),
  }),
});

export const TASK_KINDS = ['request', 'payment', 'vendor', 'inviteReward', 'invoice'] as const;

/** Of a vendor account: its breaker is open; it has sent its cap of the day, or will have before midnight at the pace of the last hour. */
export const VENDOR_TASKS = ['cutOff', 'capReached', 'capEnds'] as const;

/**
 * What waits for the caller, the most urgent first: a deadline before money, money before age. The first 50; `total`, `amount` and `kinds`
 * are of all. Title and note in the caller's language.
 */
export const listTasks = operatorEndpoint({
  method: 'GET',
  path: '/today/tasks',
  action: 'read',
  request: nothing,
  response: z.object({
    total: count,
    amount: count,
    kinds: z.partialRecord(z.enum(TASK_KINDS), count),
    tasks: z.array(
      z.object({
        kind: z.enum(TASK_KINDS),
        /** Unique among its kind: of the request, the payment or its message, the vendor account. */
        id: z.string(),
        /** What is wrong with a payment or a vendor account. */
        what: z.enum([...EXCEPTION_KINDS, ...VENDOR_TASKS]).nullable(),
        /** Whose page it is on: the request's id, the order's number, `<channel>/<account>`. */
        ref: z.string().nullable(),
        title: z.string(),
        note: z.string().nullable(),
        amount: count.nullable(),
        since: z.string(),
        waitedSeconds: count,
        leftSeconds: count.nullable(),
      }),
    ),
  }),
});

/** Traffic of each channel that is available or had some in the last 24 hours. Shares from 0 to 1, null with too few requests. */
export const listChannelTraffic = operatorEndpoint({
  method: 'GET',
  path: '/today/channels',
  action: 'read',
  request: nothing,
  response: z.array(
    z.object({
      id: count,
      name: z.string(),
      requests: count,
      lastHourShare: z.number().nullable(),
      p95Ms: count.nullable(),
      /** Success of each half hour, oldest first. */
      halfHours: z.array(z.number().nullable()),
    }),
  ),
});

/** What is held by requests that have not ended. */
const held = z.object({
  holds: count,
  charNum: count,
  voiceNum: count,
  imageNum: count,
  oldestSeconds: count.nullable(),
});

/** The machinery, measured now; what could not be read is null. */
export const getSystem = operatorEndpoint({
  method: 'GET',
  path: '/system',
  action: 'read',
  request: nothing,
  response: z.object({
    at: z.string(),
    /** A small write and its flush to disk. */
    database: z.object({ writeMs: z.number() }),
    redis: z
      .object({
        pingMs: z.number(),
        workers: count,
        queues: z.array(
          z.object({
            name: z.string(),
            waiting: count,
            active: count,
            delayed: count,
            oldestSeconds: count.nullable(),
          }),
        ),
      })
      .nullable(),
    mail: z.object({ waiting: count, oldestSeconds: count.nullable() }),
    outbox: z.object({ open: count, oldestSeconds: count.nullable() }),
    held,
  }),
});
