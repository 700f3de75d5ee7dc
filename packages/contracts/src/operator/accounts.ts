/** The time machine: any account at any moment, read from its entries (operators §6, §11). */
import { TIMELINE_POINTS_MAX } from '@yiqiao/domain/operators';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { z } from 'zod';
import { accountLogRow } from '../account-log.js';
import { dateTime, filter, inOrder, queryId, queryInt } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const billingMode = z.enum(['char', 'time']);
const entryType = z.enum(Object.keys(ENTRY_TYPES) as [EntryType, ...EntryType[]]);
const userId = queryId;
const seq = queryInt.pipe(z.int().min(0, { error: 'TOO_SMALL' }));

const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };

/**
 * An account after entry `seq`; before the first entry `seq` is 0, and `entryId` and `at` are null. Past holds are unknown, so balances
 * include what was reserved. Amounts in fen.
 */
export const accountState = z.object({
  seq: z.int(),
  at: z.string().nullable(),
  ...quantities,
  held: z.null(),
  usedCharTotal: z.int(),
  rechargeAmountTotal: z.int(),
  expireDateTime: z.string().nullable(),
  tranChannelId: z.int().nullable(),
  translationBillingMode: billingMode,
  entryId: z.int().nullable(),
});

/** The account at the end of the second `at`, or after entry `seq`; without either, now. NOT_FOUND without the account or the entry. */
export const getAccountState = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/state',
  action: 'read',
  request: z.strictObject({ userId, at: filter(dateTime), seq: filter(seq) }).superRefine((request, ctx) => {
    if (request.at !== undefined && request.seq !== undefined)
      ctx.addIssue({ code: 'custom', path: ['seq'], message: 'WRONG_VALUE' });
  }),
  response: accountState,
});

const point = z.object({
  at: z.string(),
  seq: z.int(),
  ...quantities,
  /** The least and greatest balance since the point before. */
  min: z.object(quantities),
  max: z.object(quantities),
  /** Entries by type since the point before. */
  entries: z.partialRecord(entryType, z.int()),
});

/** Balances at evenly spaced moments, both ends included. */
export const getTimeline = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/timeline',
  action: 'read',
  request: z
    .strictObject({
      userId,
      from: dateTime,
      to: dateTime,
      points: queryInt
        .pipe(z.int().min(2, { error: 'TOO_SMALL' }).max(TIMELINE_POINTS_MAX, { error: 'TOO_BIG' }))
        .default(200),
    })
    .superRefine(inOrder('from', 'to')),
  response: z.object({ points: z.array(point) }),
});

const changes = { ...quantities, amount: z.int() };

/** What caused a part of a difference; `label` is its name: a day, an order number, a member, an operator. */
const cause = z.object({
  kind: z.enum(['order', 'member', 'operator', 'day', 'entry']),
  /** The id of the order, member or operator; `YYYY-MM-DD`; the number of the entry. */
  ref: z.string(),
  label: z.string(),
});

/** Both moments and every part of what changed between them; the parts add up to the difference. */
export const getDifference = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/diff',
  action: 'read',
  request: z.strictObject({ userId, from: dateTime, to: dateTime }).superRefine(inOrder('from', 'to')),
  response: z.object({
    from: accountState,
    to: accountState,
    difference: z.object(changes),
    parts: z.array(z.object({ type: entryType, cause, entries: z.int(), ...changes })),
  }),
});

const entrySpan = {
  userId,
  fromSeq: filter(seq.pipe(z.int().min(1, { error: 'TOO_SMALL' }))),
  toSeq: filter(seq),
};

/** An entry of the event stream with its place in the chain; hashes in hex. */
const chainedEntry = accountLogRow.extend({
  seq: z.int(),
  cmdId: z.string(),
  hash: z.string(),
  previousHash: z.string(),
  words: z.string(),
});

/** Entries, newest first: the last `limit` of the span. */
export const listEntries = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/entries',
  action: 'read',
  request: z.strictObject({
    ...entrySpan,
    limit: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(500, { error: 'TOO_BIG' })).default(50),
  }),
  response: z.object({ rows: z.array(chainedEntry), total: z.int() }),
});

/** Whether each entry of the span follows from the one before, and its hash with it; the first that does not. */
export const checkProof = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/proof',
  action: 'read',
  request: z.strictObject(entrySpan),
  response: z.object({
    whole: z.boolean(),
    entries: z.int(),
    firstBreak: z.object({ seq: z.int(), field: z.string(), expected: z.string(), found: z.string() }).nullable(),
  }),
});
