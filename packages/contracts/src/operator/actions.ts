/** The action log: everything that operators, the command line and the product itself did (operators §5). */
import { z } from 'zod';
import { csvFile, nothing } from '../endpoint.js';
import { dateTime, filter, inOrder, page, paging } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const text = (most: number) => z.string({ error: 'WRONG_TYPE' }).max(most, { error: 'TOO_LONG' });

const filters = {
  actor: filter(text(80)),
  action: filter(text(80)),
  targetKind: filter(text(40)),
  /** The id of a target: of a member, an order, an operator, … */
  target: filter(text(200)),
  approvalId: filter(
    z
      .string()
      .regex(/^\d{1,15}$/, { error: 'WRONG_TYPE' })
      .transform(Number),
  ),
  from: filter(dateTime),
  to: filter(dateTime),
};

/** `whole`: its hash follows from the action before. */
export const actionRow = z.object({
  n: z.int(),
  at: z.string(),
  actor: z.string(),
  ip: z.string().nullable(),
  session: z.string().nullable(),
  requestId: z.string().nullable(),
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
  approvalId: z.int().nullable(),
  cmdId: z.string().nullable(),
  hash: z.string(),
  whole: z.boolean(),
});

/** Newest first. */
export const listActions = operatorEndpoint({
  method: 'GET',
  path: '/actions',
  action: 'read',
  request: z.strictObject({ ...paging, ...filters }).superRefine(inOrder('from', 'to')),
  response: page(actionRow),
});

/** The same as a file; recorded as an action itself. */
export const downloadActions = operatorEndpoint({
  method: 'GET',
  path: '/actions/csv',
  action: 'read',
  request: z.strictObject(filters).superRefine(inOrder('from', 'to')),
  response: csvFile,
  file: 'csv',
});

/** The names that filters offer. */
export const listActionNames = operatorEndpoint({
  method: 'GET',
  path: '/actions/names',
  action: 'read',
  request: nothing,
  response: z.object({ actors: z.array(z.string()), actions: z.array(z.string()) }),
});

/** Follows the chain from the first action to the last; the first that does not fit. */
export const checkActions = operatorEndpoint({
  method: 'GET',
  path: '/actions/proof',
  action: 'read',
  request: nothing,
  response: z.object({
    whole: z.boolean(),
    actions: z.int(),
    head: z.string(),
    firstBreak: z.object({ n: z.int(), expected: z.string(), found: z.string() }).nullable(),
  }),
});
