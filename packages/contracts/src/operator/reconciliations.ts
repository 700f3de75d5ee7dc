/** Comparisons of our payments with the gateways and their statements (operators §10). Amounts in fen. */
import { isSafeText } from '@yiqiao/domain/members';
import { differenceKinds, STATEMENT_BYTES_MAX } from '@yiqiao/domain/reconciliation';
import { z } from 'zod';
import { csvFile } from '../endpoint.js';
import { dateTime, filter, inOrder, orMissing, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';
import { closeReason, gateway, text } from './payments.js';

const source = z.enum(['statement', 'gateway'], { error: 'WRONG_VALUE' });

const difference = z.object({
  id: z.int(),
  source,
  what: z.enum(differenceKinds),
  kind: z.enum(['payment', 'refund']),
  gateway,
  orderNo: z.string(),
  /** Whether the order exists here. */
  hasOrder: z.boolean(),
  userId: z.int().nullable(),
  memberName: z.string().nullable(),
  payStatus: z.string().nullable(),
  tradeNo: z.string(),
  refundNo: z.string(),
  /** Here, and at the gateway; null on the side that has nothing. */
  here: z.int().nullable(),
  there: z.int().nullable(),
  /** The order or the state that it is about. */
  detail: z.string(),
  at: z.string().nullable(),
  firstRun: z.int(),
  lastRun: z.int(),
  closedHow: z.enum(['reason', 'settled', 'matched']).nullable(),
  closedBy: z.string().nullable(),
  closedAt: z.string().nullable(),
  closeReason: z.string().nullable(),
});

const differenceFilters = {
  state: filter(z.enum(['open', 'closed'], { error: 'WRONG_VALUE' })),
  runId: filter(queryId),
  what: filter(z.enum(differenceKinds, { error: 'WRONG_VALUE' })),
  gateway: filter(gateway),
  /** A whole order or transaction number. */
  number: filter(text(64)),
};

/** Newest first. */
export const listDifferences = operatorEndpoint({
  method: 'GET',
  path: '/differences',
  action: 'read',
  request: z.strictObject({ ...paging, ...differenceFilters }),
  response: page(difference),
});

export const downloadDifferences = operatorEndpoint({
  method: 'GET',
  path: '/differences/csv',
  action: 'read',
  request: z.strictObject(differenceFilters),
  response: csvFile,
  file: 'csv',
});

/** 409 DIFFERENCE_CLOSED. */
export const closeDifference = operatorEndpoint({
  method: 'POST',
  path: '/differences/:id/close',
  action: 'payment.closeException',
  request: z.strictObject({ id: queryId, reason: closeReason }),
  response: difference,
});

const run = z.object({
  id: z.int(),
  source,
  state: z.enum(['running', 'done', 'failed']),
  from: z.string(),
  to: z.string(),
  startedBy: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  seconds: z.number(),
  /** Orders, or lines of the statements. */
  total: z.int(),
  done: z.int(),
  differences: z.int(),
  open: z.int(),
  /** Orders that any of the differences is about. */
  differentOrders: z.int(),
  files: z.array(
    z.object({
      name: z.string(),
      sha256: z.string(),
      gateway,
      from: z.string(),
      to: z.string(),
      lines: z.int(),
      paid: z.int(),
      refunded: z.int(),
    }),
  ),
  totals: z.array(
    z.object({
      gateway,
      count: z.int(),
      there: z.int(),
      refundedThere: z.int(),
      here: z.int(),
      refundedHere: z.int(),
      /** In the ledger; null of a statement. */
      recharged: z.int().nullable(),
    }),
  ),
});

/** Newest first. */
export const listReconciliations = operatorEndpoint({
  method: 'GET',
  path: '/reconciliations',
  action: 'read',
  request: z.strictObject({ ...paging, source: filter(source) }),
  response: page(run).extend({
    /** Until when statements are imported. */
    statementsUntil: z.string().nullable(),
  }),
});

export const getReconciliation = operatorEndpoint({
  method: 'GET',
  path: '/reconciliations/:id',
  action: 'read',
  request: z.strictObject({ id: queryId }),
  response: run,
});

/** Asks the gateways for every order placed in this time, in the background. 409 RECONCILIATION_UNDER_WAY. */
export const startReconciliation = operatorEndpoint({
  method: 'POST',
  path: '/reconciliations',
  action: 'payment.settle',
  request: z
    .strictObject({
      from: z.string({ error: orMissing('REQUIRED') }).pipe(dateTime),
      to: z.string({ error: orMissing('REQUIRED') }).pipe(dateTime),
    })
    .superRefine(inOrder('from', 'to')),
  response: z.object({ id: z.int() }),
});

/**
 * Takes a statement of Alipay (业务明细) or WeChat Pay (交易账单) as it was downloaded, keeps its lines and compares them with our payments and
 * refunds. `from`, `to`: the time that it covers, where its lines do not say so.
 */
export const importStatement = operatorEndpoint({
  method: 'POST',
  path: '/statements',
  action: 'statement.import',
  request: z
    .strictObject({
      name: z
        .string({ error: orMissing('REQUIRED') })
        .trim()
        .min(1, { error: 'REQUIRED' })
        .max(200, { error: 'TOO_LONG' })
        .refine(isSafeText, { error: 'UNSAFE_TEXT' }),
      from: filter(dateTime),
      to: filter(dateTime),
    })
    .superRefine(inOrder('from', 'to')),
  response: run,
  upload: { maxBytes: STATEMENT_BYTES_MAX },
});
