import { SALES_NUM_MAX } from '@yiqiao/domain/limits';
import {
  ORDER_EVENTS,
  PAY_CHANNELS,
  PAY_STATUSES,
  type OrderEvent,
  type PayChannel,
  type PayStatus,
} from '@yiqiao/domain/orders';
import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { filter, id, orMissing, page, paging, queryId, queryInt } from './fields.js';

const keysOf = <K extends string>(table: Record<K, unknown>): [K, ...K[]] => Object.keys(table) as [K, ...K[]];

const payChannel = z.enum(keysOf<PayChannel>(PAY_CHANNELS), { error: orMissing('REQUIRED', 'WRONG_VALUE') });
const payStatus = z.enum(keysOf<PayStatus>(PAY_STATUSES));
const salesNum = z
  .int({ error: orMissing('REQUIRED') })
  .min(1, { error: 'TOO_SMALL' })
  .max(SALES_NUM_MAX, { error: 'TOO_BIG' });

/**
 * An order of the signed-in member. `num`: the package's characters or minutes times `salesNum`, at the price of the reference channel;
 * `amount` in fen.
 */
export const orderRow = z.object({
  id: z.int(),
  no: z.string(),
  payChannel,
  payStatus,
  memberGroupName: z.string(),
  memberGroupEnName: z.string(),
  tranChannelId: z.int().nullable(),
  translationBillingMode: z.enum(['char', 'time']),
  num: z.int(),
  referenceChannelId: z.int(),
  /** The characters or minutes that arrived on the channel that the account was on; null until it is paid. Not in the specification. */
  creditedNum: z.int().nullable(),
  salesNum: z.int(),
  amount: z.int(),
  createDateTime: z.string(),
  payDateTime: z.string().nullable(),
  /** Until when it can be paid. Not in the specification. */
  expireDateTime: z.string(),
  /** Whether all the money went back (docs/decisions/0014). Not in the specification. */
  refunded: z.boolean(),
  /** fen that went back; of a part refund less than `amount` (docs/decisions/0043). Not in the specification. */
  refundedAmount: z.int(),
});

export const listOrders = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/page',
  access: 'main',
  request: z.strictObject({
    ...paging,
    /** Not in the specification. */
    payStatus: filter(z.enum(keysOf<PayStatus>(PAY_STATUSES), { error: 'WRONG_VALUE' })),
  }),
  response: page(orderRow),
});

/** What a main account holds; `childCharNum`: the characters of its sub-accounts together. */
const holdings = z.object({
  translationBillingMode: z.enum(['char', 'time']),
  tranChannelId: z.int(),
  usableCharNum: z.int(),
  usableVoiceNum: z.int(),
  usableImageNum: z.int(),
  expireDateTime: z.string().nullable(),
  childCharNum: z.int(),
});

/** The exact holdings before and after a purchase that is paid now. Refused like `payOrder`. Not in the specification. */
export const previewOrder = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/preview',
  access: 'main',
  request: z.strictObject({
    memberGroupId: queryId,
    salesNum: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(SALES_NUM_MAX, { error: 'TOO_BIG' })),
  }),
  response: z.object({ before: holdings, after: holdings }),
});

/** The payment data: a form's HTML for ALI_NATIVE, for the others the text of a QR code (decisions §9). */
const payable = z.object({ orderId: z.int(), orderNo: z.string(), scanQRCodeUrl: z.string() });

/** Places an order at the server's price (decisions §5). Takes an `Idempotency-Key`. */
export const payOrder = endpoint({
  method: 'POST',
  path: '/orderByMemberGroup/pay',
  access: 'main',
  request: z.strictObject({ memberGroupId: id, salesNum, payChannel }),
  response: payable,
});

/** The same once more for an order that still waits: its form, or the same QR code. Not in the specification. */
export const continueOrder = endpoint({
  method: 'POST',
  path: '/orderByMemberGroup/continue',
  access: 'main',
  request: z.strictObject({ id }),
  response: payable,
});

const standing = z.object({ id: z.int(), no: z.string(), payStatus });

/** Reads only the database, so it may be polled every half second. */
export const getPayInfo = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/getPayInfo',
  access: 'main',
  request: z.strictObject({ id: queryId }),
  response: standing,
});

/** Queries the gateway and credits a payment. Rate-limited. */
export const flushOrder = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/flush',
  access: 'main',
  changes: true,
  request: z.strictObject({ id: queryId }),
  response: standing,
});

/** Closes an order that still waits, at the gateway too. Any other: 409. */
export const cancelOrder = endpoint({
  method: 'POST',
  path: '/orderByMemberGroup/cancel',
  access: 'main',
  request: z.strictObject({ id }),
  response: standing,
});

/** The events of an order, oldest first. Not in the specification. */
export const listOrderEvents = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/timeline',
  access: 'main',
  request: z.strictObject({ id: queryId }),
  response: z.array(z.object({ event: z.enum(keysOf<OrderEvent>(ORDER_EVENTS)), dateTime: z.string() })),
});

/** The codes of the channels that can be paid with now. */
export const listPayChannels = endpoint({
  method: 'GET',
  path: '/payInfo/channel',
  access: 'main',
  request: nothing,
  response: z.array(payChannel),
});
