/** Orders, payments, exceptions and refunds as operators see them (operators §10). Amounts in fen. */
import { ORDER_EVENTS, PAY_CHANNELS, PAY_STATUSES, type OrderEvent, type PayStatus } from '@yiqiao/domain/orders';
import { CLOSE_REASON_MIN } from '@yiqiao/domain/reconciliation';
import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { csvFile, done, nothing } from '../endpoint.js';
import { dateTime, filter, inOrder, orAbsent, page, paging } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

export const gateways = ['wechat', 'alipay', 'lianlian'] as const;
export const gateway = z.enum(gateways, { error: 'WRONG_VALUE' });
const keysOf = <K extends string>(table: Record<K, unknown>): [K, ...K[]] => Object.keys(table) as [K, ...K[]];
const payStatus = z.enum(keysOf<PayStatus>(PAY_STATUSES), { error: 'WRONG_VALUE' });
const payChannel = z.enum(keysOf(PAY_CHANNELS));
export const text = (most: number) => z.string({ error: 'WRONG_TYPE' }).trim().max(most, { error: 'TOO_LONG' });

export const closeReason = z
  .string({ error: orAbsent })
  .transform((given) => given.normalize('NFC').trim())
  .pipe(z.string().min(CLOSE_REASON_MIN, { error: 'TOO_SHORT' }).max(REQUEST_REASON_MAX, { error: 'TOO_LONG' }));

export const orderNo = z.string({ error: orAbsent }).regex(/^[0-9A-Z]{6,32}$/, { error: 'WRONG_TYPE' });

/** `memberName` null after log-off. */
const member = { userId: z.int(), memberName: z.string().nullable() };

const orderRow = z.object({
  id: z.int(),
  no: z.string(),
  ...member,
  gateway,
  payChannel,
  payStatus,
  planName: z.string(),
  planEnName: z.string(),
  salesNum: z.int(),
  amount: z.int(),
  /** Credited by a payment. */
  paidAmount: z.int(),
  refundedAmount: z.int(),
  /** The order has a payment that was not credited and not refunded. */
  attention: z.boolean(),
  createDateTime: z.string(),
  payDateTime: z.string().nullable(),
});

const orderFilters = {
  /** An order or transaction number, a member's id, username or nickname. */
  query: filter(text(64)),
  payStatus: filter(payStatus),
  gateway: filter(gateway),
  /** Only orders with a refund, or with a payment that needs attention. */
  only: filter(z.enum(['refunded', 'attention'], { error: 'WRONG_VALUE' })),
  from: filter(dateTime),
  to: filter(dateTime),
};

/** Newest first; `totals` of all that match. */
export const listPaymentOrders = operatorEndpoint({
  method: 'GET',
  path: '/orders',
  action: 'read',
  request: z.strictObject({ ...paging, ...orderFilters }).superRefine(inOrder('from', 'to')),
  response: page(orderRow).extend({ totals: z.object({ amount: z.int(), paid: z.int(), refunded: z.int() }) }),
});

export const downloadPaymentOrders = operatorEndpoint({
  method: 'GET',
  path: '/orders/csv',
  action: 'read',
  request: z.strictObject(orderFilters).superRefine(inOrder('from', 'to')),
  response: csvFile,
  file: 'csv',
});

const refundState = z.enum(['started', 'done', 'refused']);

const orderPayment = z.object({
  id: z.int(),
  gateway,
  tradeNo: z.string(),
  amount: z.int(),
  currency: z.string(),
  paidAt: z.string().nullable(),
  receivedAt: z.string(),
  seenBy: z.enum(['notification', 'query']),
  verdict: z.enum(['credit', 'double', 'afterLogOff', 'wrongAmount', 'tooLarge']),
  refundState: refundState.nullable(),
  refundedAmount: z.int(),
  /** What a request could refund now, and what it takes from the member; null if nothing. */
  refundable: z
    .object({
      amount: z.int(),
      quota: z.object({ kind: z.enum(['characters', 'minutes']), before: z.int(), after: z.int() }).nullable(),
    })
    .nullable(),
  /** The open request for its refund. */
  requestId: z.int().nullable(),
});

const orderRefund = z.object({
  no: z.string(),
  tradeNo: z.string(),
  amount: z.int(),
  state: refundState,
  source: z.enum(['operator', 'gateway']),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  answer: z.string().nullable(),
  at: z.string().nullable(),
});

/** Everything known about an order. Messages without signatures and without the payer's data. */
export const getPaymentOrder = operatorEndpoint({
  method: 'GET',
  path: '/orders/:no',
  action: 'read',
  request: z.strictObject({ no: orderNo }),
  response: orderRow.extend({
    num: z.int(),
    billingMode: z.enum(['char', 'time']),
    voiceNum: z.int(),
    imageNum: z.int(),
    expireDateTime: z.string(),
    events: z.array(z.object({ event: z.enum(keysOf<OrderEvent>(ORDER_EVENTS)), at: z.string() })),
    payments: z.array(orderPayment),
    refunds: z.array(orderRefund),
    entries: z.array(
      z.object({
        id: z.int(),
        seq: z.int(),
        userId: z.int(),
        type: z.enum(['recharge', 'refund']),
        amount: z.int(),
        charNum: z.int(),
        minutes: z.int(),
        voiceNum: z.int(),
        imageNum: z.int(),
        beforeChar: z.int(),
        lastChar: z.int(),
        at: z.string(),
      }),
    ),
    messages: z.array(
      z.object({
        id: z.int(),
        gateway,
        genuine: z.boolean(),
        outcome: z.string().nullable(),
        times: z.int(),
        at: z.string(),
        fields: z.array(z.object({ name: z.string(), value: z.string() })),
      }),
    ),
    invoice: z
      .object({
        id: z.int(),
        state: z.enum(['requested', 'issued', 'rejected']),
        amount: z.int(),
        invoiceNo: z.string().nullable(),
        requestedAt: z.string(),
      })
      .nullable(),
    /** What the gateway said in its last statement. */
    statement: z.array(
      z.object({ kind: z.enum(['payment', 'refund']), tradeNo: z.string(), amount: z.int(), at: z.string() }),
    ),
    ledgerAmount: z.int().nullable(),
  }),
});

/**
 * Asks the gateway about an order and credits a payment that it confirms, as a notification would; `close` also ends an order there that
 * is closed here. Closes the differences that it settles. `credited`: this call credited it.
 */
export const askGateway = operatorEndpoint({
  method: 'POST',
  path: '/orders/:no/ask-gateway',
  action: 'payment.settle',
  request: z.strictObject({
    no: orderNo,
    mode: z.enum(['settle', 'close'], { error: 'WRONG_VALUE' }).default('settle'),
  }),
  response: z.object({
    gatewayState: z.enum(['paid', 'unpaid', 'closed', 'refunded', 'absent', 'unknown']),
    gatewayAmount: z.int().nullable(),
    payStatus,
    credited: z.boolean(),
  }),
});

export const EXCEPTION_KINDS = [
  'double',
  'wrongAmount',
  'refundRefused',
  'afterLogOff',
  'tooLarge',
  'refundStarted',
  'unanswered',
  'wrongOrder',
  'unknownOrder',
  'stranger',
  'forged',
  'waiting',
] as const;

const exception = z.object({
  key: z.string(),
  what: z.enum(EXCEPTION_KINDS),
  at: z.string(),
  waitedSeconds: z.int(),
  gateway: gateway.nullable(),
  orderNo: z.string().nullable(),
  /** Of the order. */
  due: z.int().nullable(),
  userId: z.int().nullable(),
  memberName: z.string().nullable(),
  paymentId: z.int().nullable(),
  tradeNo: z.string().nullable(),
  amount: z.int().nullable(),
  why: z.string().nullable(),
  times: z.int(),
  /** The open request for its refund. */
  requestId: z.int().nullable(),
});

/** Everything that waits, newest first. `amount`: of those that may have to be refunded. */
export const listExceptions = operatorEndpoint({
  method: 'GET',
  path: '/exceptions',
  action: 'read',
  request: nothing,
  response: z.object({ rows: z.array(exception), total: z.int(), amount: z.int() }),
});

export const downloadExceptions = operatorEndpoint({
  method: 'GET',
  path: '/exceptions/csv',
  action: 'read',
  request: nothing,
  response: csvFile,
  file: 'csv',
});

/** It is listed again if it happens again. 409 EXCEPTION_GONE. */
export const closeException = operatorEndpoint({
  method: 'POST',
  path: '/exceptions/close',
  action: 'payment.closeException',
  request: z.strictObject({ key: text(200), reason: closeReason }),
  response: done,
});

const refundRow = orderRefund.extend({ orderNo: z.string(), ...member, gateway, paymentId: z.int() });

const refundFilters = {
  state: filter(refundState),
  gateway: filter(gateway),
  from: filter(dateTime),
  to: filter(dateTime),
};

/** Every refund, also those made on the gateway's pages; newest first. */
export const listRefunds = operatorEndpoint({
  method: 'GET',
  path: '/refunds',
  action: 'read',
  request: z.strictObject({ ...paging, ...refundFilters }).superRefine(inOrder('from', 'to')),
  response: page(refundRow).extend({ amount: z.int() }),
});

export const downloadRefunds = operatorEndpoint({
  method: 'GET',
  path: '/refunds/csv',
  action: 'read',
  request: z.strictObject(refundFilters).superRefine(inOrder('from', 'to')),
  response: csvFile,
  file: 'csv',
});

/** Beside the lists: what waits, today's takings, and the messages of the last day. */
export const getPaymentSummary = operatorEndpoint({
  method: 'GET',
  path: '/payments/summary',
  action: 'read',
  request: nothing,
  response: z.object({
    exceptions: z.int(),
    openRefunds: z.int(),
    openDifferences: z.int(),
    today: z.object({
      gateways: z.array(z.object({ gateway, orders: z.int(), amount: z.int() })),
      refunds: z.int(),
      refunded: z.int(),
    }),
    messages: z.object({ handled: z.int(), forged: z.int(), strangers: z.int(), waiting: z.int() }),
  }),
});

/** The money line of the trial balance: what was paid, less what was refunded, is what the ledger has recharged; beside it the statements. */
export const getMoneyLine = operatorEndpoint({
  method: 'GET',
  path: '/payments/money',
  action: 'read',
  request: z.strictObject({ at: filter(dateTime) }),
  response: z.object({
    paid: z.int(),
    refunded: z.int(),
    recharged: z.int(),
    difference: z.int(),
    statement: z.object({
      paid: z.int(),
      refunded: z.int(),
      /** The same transactions here. */
      paidHere: z.int(),
      refundedHere: z.int(),
      until: z.string().nullable(),
    }),
  }),
});
