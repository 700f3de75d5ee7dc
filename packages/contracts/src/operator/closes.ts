/** Daily closes for operators: their trial balance, their witnesses, and checking one against the ledger (operators §7, §11). */
import { trialBalanceLines } from '@yiqiao/domain/trial-balance';
import { z } from 'zod';
import { closeRow } from '../closes.js';
import { calendarDay, page, paging, queryId, queryInt } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

/** `waiting`: not accepted yet, it is tried again; `problem`: why the last try failed. */
const witness = z.object({
  witness: z.string(),
  state: z.enum(['anchored', 'waiting']),
  attempts: z.int(),
  at: z.string().nullable(),
  problem: z.string().nullable(),
});

const operatorClose = closeRow.extend({
  /** Entries since the close before. */
  newEntries: z.int(),
  /** Accounts that changed since the close before. */
  changedAccounts: z.int(),
  madeAt: z.string(),
  /** Whether its key signed it. */
  signatureValid: z.boolean(),
  /** Whether the configured keys include its key; null while none is configured. */
  keyKnown: z.boolean().nullable(),
  witnesses: z.array(witness),
});

/** Newest first. */
export const listCloses = operatorEndpoint({
  method: 'GET',
  path: '/closes',
  action: 'read',
  request: z.strictObject(paging),
  response: page(operatorClose),
});

const quantities = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int(), amount: z.int() };

/** One close with the trial balance that was signed with it. NOT_FOUND without one. */
export const getClose = operatorEndpoint({
  method: 'GET',
  path: '/closes/:date',
  action: 'read',
  request: z.strictObject({ date: calendarDay }),
  response: operatorClose.extend({
    lines: z.array(z.object({ key: z.enum(trialBalanceLines), entries: z.int().nullable(), ...quantities })),
    difference: z.object(quantities),
  }),
});

/** Differences as an audit run has them; `account` null: the close itself. `what` begins with the close's date. */
const closeDifference = z.object({
  account: z.int().nullable(),
  seq: z.int().nullable(),
  what: z.string(),
  expected: z.string(),
  found: z.string(),
});

/**
 * Checks one close, or the newest: its signature, the close before, the root recomputed from the ledger as it is now, payments and action
 * log, and the copies of its witnesses. `unanswered`: witnesses that did not answer.
 */
export const verifyClose = operatorEndpoint({
  method: 'POST',
  path: '/closes/verify',
  action: 'audit.run',
  request: z.strictObject({ date: calendarDay.optional() }),
  response: z.object({
    whole: z.boolean(),
    date: z.string(),
    accounts: z.int(),
    witnesses: z.int(),
    unanswered: z.array(z.string()),
    differences: z.array(closeDifference),
  }),
});

/**
 * The first close that includes entry `seq` of an account; null: no close does yet. The leaf of the account ends with entry `seq` of the
 * answer; `same`: that entry still has the hash that was signed. `anchored` of `witnesses` have accepted the close.
 */
export const getSeal = operatorEndpoint({
  method: 'GET',
  path: '/accounts/:userId/seal',
  action: 'read',
  request: z.strictObject({ userId: queryId, seq: queryInt.pipe(z.int().min(1, { error: 'TOO_SMALL' })) }),
  response: z.object({
    seal: z
      .object({
        date: z.string(),
        root: z.string(),
        seq: z.int(),
        same: z.boolean(),
        witnesses: z.int(),
        anchored: z.int(),
      })
      .nullable(),
  }),
});
