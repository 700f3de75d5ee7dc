/**
 * The time machine of a family (operators §6). Its moments are commands: all entries of one command happen together, so a sum never shows
 * quota that is on its way. A moment is named by any entry of its command.
 */
import { TIMELINE_POINTS_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { dateTime, filter, inOrder, queryId, queryInt } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const userId = queryId;
const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };
const moment = z.string();

/**
 * The family of an account at the end of the second `at`, after the command of `entry`, or without either now. `previous` and `next` are
 * entries of the neighbouring commands. `sum` is of all members; `members` has the main account first, then those with the most entries, at
 * most FAMILY_LANES_MAX.
 */
export const getFamilyState = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/family/state',
  action: 'read',
  request: z.strictObject({ userId, at: filter(dateTime), entry: filter(queryId) }).superRefine((request, ctx) => {
    if (request.at !== undefined && request.entry !== undefined)
      ctx.addIssue({ code: 'custom', path: ['entry'], message: 'WRONG_VALUE' });
  }),
  response: z.object({
    entryId: z.int().nullable(),
    moment: moment.nullable(),
    entries: z.int(),
    entriesTotal: z.int(),
    previous: z.int().nullable(),
    next: z.int().nullable(),
    sum: z.object(quantities),
    members: z.array(z.object({ userId: z.int(), name: z.string(), seq: z.int(), ...quantities })),
  }),
});

/** Balances of the family and of its members at evenly spaced moments, both ends included; large families get fewer points than asked for. */
export const getFamilyTimeline = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/family/timeline',
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
  response: z.object({
    points: z.array(z.object({ at: z.string(), ...quantities })),
    members: z.array(
      z.object({ userId: z.int(), name: z.string(), points: z.array(z.object({ seq: z.int(), ...quantities })) }),
    ),
  }),
});

const side = z.object({ userId: z.int(), name: z.string(), seq: z.int(), before: z.int(), last: z.int() });

/** Movements between the main account and its sub-accounts until `at`, newest first; characters before and after. */
export const listFamilyMoves = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/family/moves',
  action: 'read',
  request: z
    .strictObject({
      userId,
      from: filter(dateTime),
      at: dateTime,
      limit: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(500, { error: 'TOO_BIG' })).default(7),
    })
    .superRefine(inOrder('from', 'at')),
  response: z.object({
    rows: z.array(
      z.object({
        entryId: z.int(),
        moment,
        cmdId: z.string(),
        kind: z.enum(['automatic', 'byHand', 'recovery']),
        from: side,
        to: side,
        ...quantities,
        /** Whether both sides have the same amount with opposite signs. */
        equal: z.boolean(),
      }),
    ),
  }),
});

/** What each member changed the family's balance by between two moments: all but movements within the family, so that it adds up. */
export const getFamilyDifference = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/family/diff',
  action: 'read',
  request: z.strictObject({ userId, from: dateTime, to: dateTime }).superRefine(inOrder('from', 'to')),
  response: z.object({
    from: z.object(quantities),
    to: z.object(quantities),
    members: z.array(z.object({ userId: z.int(), name: z.string(), ...quantities })),
  }),
});
