/** The time machine: any account at any moment, read from its entries (operators §6, §11). */
import { TIMELINE_POINTS_MAX } from '@yiqiao/domain/operators';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { PAY_STATUSES, type PayStatus } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { accountLogRow } from '../account-log.js';
import { jsonFile } from '../endpoint.js';
import { clientType, dateTime, filter, inOrder, queryId, queryInt } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const billingMode = z.enum(['char', 'time']);
const entryType = z.enum(Object.keys(ENTRY_TYPES) as [EntryType, ...EntryType[]]);
const userId = queryId;
const seq = queryInt.pipe(z.int().min(0, { error: 'TOO_SMALL' }));

const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };

const moment = z.string();

/** Whose account it is, for the head of every page about it. `price`: micro-yuan per character through its channel now. */
export const getAccount = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId',
  action: 'read',
  request: z.strictObject({ userId }),
  response: z.object({
    userId: z.int(),
    name: z.string(),
    role: z.enum(['main', 'sub']),
    closed: z.boolean(),
    memberGroup: z.string(),
    translationBillingMode: billingMode,
    channel: z.string().nullable(),
    price: z.int().nullable(),
    entries: z.int(),
    /** Entries of which translations are in cold files: those up to this number. */
    archived: z.int(),
    /** Of the first entry that can be read at its moment, and of the last one; null without entries. */
    first: moment.nullable(),
    last: moment.nullable(),
    /** The main account first, then those with the most entries, at most FAMILY_LANES_MAX. */
    family: z.array(z.object({ userId: z.int(), name: z.string(), entries: z.int(), archived: z.int() })),
    familySize: z.int(),
    familyEntries: z.int(),
    /** Of the first and of the last entry in the family. */
    familyFirst: moment.nullable(),
    familyLast: moment.nullable(),
  }),
});

/**
 * An account after entry `seq`; before the first entry `seq` is 0, and `entryId` and `at` are null. `moment` is `at` with milliseconds. Past
 * holds are unknown, so balances include what was reserved. Amounts in fen.
 */
export const accountState = z.object({
  seq: z.int(),
  at: z.string().nullable(),
  moment: moment.nullable(),
  ...quantities,
  held: z.null(),
  usedCharTotal: z.int(),
  rechargeAmountTotal: z.int(),
  expireDateTime: z.string().nullable(),
  tranChannelId: z.int().nullable(),
  /** Its name, and its price at that time in micro-yuan per character. */
  channel: z.string().nullable(),
  price: z.int().nullable(),
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

/** What a change is attributed to. `ref`: the id of the order, member or operator; `YYYY-MM-DD`; the number of the entry. */
const causeKey = { kind: z.enum(['order', 'member', 'operator', 'day', 'entry']), ref: z.string() };

/** What caused a part of a difference; `label` is its name: a day, an order number, a member, an operator. */
const cause = z.object({ ...causeKey, label: z.string() });

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

/** Who made an entry; `system`: nobody asked for it at that moment. */
const hand = z.enum(['member', 'main', 'operator', 'system']);

/** An entry of the event stream with its place in the chain; hashes in hex. The member's address is not in it. */
const chainedEntry = accountLogRow.extend({
  seq: z.int(),
  moment,
  cmdId: z.string(),
  hash: z.string(),
  previousHash: z.string(),
  words: z.string(),
  hand,
  /** The part of a difference that it belongs to. */
  cause: z.object(causeKey),
  /** Where a translation came from. */
  clientType: clientType.nullable(),
});

/** `in` and `out`: a quantity rose or fell; `move`: between main account and sub-account; `operator`: an operator's hand. */
export const ENTRY_FILTERS = ['in', 'out', 'move', 'operator'] as const;

/** A cause of a difference as `listEntries` takes it: `member:42`. Those by the day are named by their type alone. */
const CAUSE = /^(order|member|operator|entry):\d{1,15}$/;

/**
 * Entries, newest first: the last `limit` of the span, or of those that `only`, `type` and `cause` select. At most ENTRY_SEARCH_MAX entries
 * are looked through: `oldestSeq` is where the search ended, and continues before it.
 */
export const listEntries = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/entries',
  action: 'read',
  request: z.strictObject({
    ...entrySpan,
    limit: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(500, { error: 'TOO_BIG' })).default(50),
    only: filter(z.enum(ENTRY_FILTERS, { error: 'WRONG_VALUE' })),
    type: filter(entryType),
    cause: filter(z.string().regex(CAUSE, { error: 'WRONG_VALUE' })),
  }),
  response: z.object({ rows: z.array(chainedEntry), total: z.int(), oldestSeq: z.int() }),
});

/** The entry that a command wrote for each account of a family. */
const commandEntry = z.object({
  entryId: z.int(),
  userId: z.int(),
  name: z.string(),
  seq: z.int(),
  moment,
  logType: entryType,
  charChangeNum: z.int(),
  voiceChangeNum: z.int(),
  imageChangeNum: z.int(),
  beforeCharNum: z.int(),
  lastCharNum: z.int(),
});

/** The entries of a command, the main account's first. NOT_FOUND if no entry has its id. */
export const getCommand = operatorEndpoint({
  method: 'GET',
  path: '/commands/:cmdId',
  action: 'read',
  request: z.strictObject({ cmdId: z.uuid({ error: 'WRONG_VALUE' }) }),
  response: z.object({ entries: z.array(commandEntry) }),
});

/**
 * Everything that stands behind an entry. `entries`: all of its command. `translation`: the line of the translation log of the command, or,
 * behind an automatic distribution, of the translation that it was made for. Translated texts are never in it. Amounts in fen.
 */
export const getCause = operatorEndpoint({
  method: 'GET',
  path: '/entries/:id/cause',
  action: 'read',
  request: z.strictObject({ id: queryId }),
  response: z.object({
    userId: z.int(),
    seq: z.int(),
    moment,
    logType: entryType,
    cmdId: z.string(),
    words: z.string(),
    who: z.object({ hand, name: z.string().nullable(), clientType: clientType.nullable() }),
    entries: z.array(commandEntry),
    order: z
      .object({
        no: z.string(),
        plan: z.string(),
        payStatus: z.enum(Object.keys(PAY_STATUSES) as [PayStatus, ...PayStatus[]]),
        amount: z.int(),
        createDateTime: z.string(),
        payDateTime: z.string().nullable(),
        payments: z.array(
          z.object({
            gateway: z.string(),
            tradeNo: z.string(),
            amount: z.int(),
            verdict: z.string(),
            seenBy: z.enum(['notification', 'query']),
            refundState: z.string().nullable(),
            payDateTime: z.string().nullable(),
          }),
        ),
        messages: z.array(
          z.object({
            gateway: z.string(),
            genuine: z.boolean(),
            outcome: z.string().nullable(),
            times: z.int(),
            receiveDateTime: z.string(),
          }),
        ),
      })
      .nullable(),
    translation: z
      .object({
        userId: z.int(),
        seq: z.int().nullable(),
        cmdId: z.string(),
        succeeded: z.boolean(),
        charged: z.int(),
        wordCount: z.int(),
        kind: z.enum(['text', 'voice', 'image']),
        channel: z.string(),
        clientType,
        sourceLanguage: z.string(),
        targetLanguage: z.string(),
        createDateTime: z.string(),
      })
      .nullable(),
    /** Prices in micro-yuan per character at that time; null without a channel. */
    conversion: z
      .object({
        channelBefore: z.string().nullable(),
        channelAfter: z.string().nullable(),
        priceBefore: z.int().nullable(),
        priceAfter: z.int().nullable(),
        modeBefore: billingMode,
        modeAfter: billingMode,
      })
      .nullable(),
    /** What an operator recorded; `n` and `approvalId` of the action log, null for what the command line did before there was one. */
    action: z
      .object({
        operator: z.string(),
        reason: z.string().nullable(),
        doneAt: z.string(),
        n: z.int().nullable(),
        action: z.string().nullable(),
        approvalId: z.int().nullable(),
      })
      .nullable(),
  }),
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

/**
 * The file that docs/verify.html verifies: every entry of the account with its balance, and its place in the two newest closes. 404 NOT_FOUND;
 * 409 PROOF_OFF while the account does not follow from its entries, or its family is read-only.
 */
export const exportProof = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/export',
  action: 'proof.export',
  request: z.strictObject({ userId }),
  response: jsonFile,
  file: 'json',
});
