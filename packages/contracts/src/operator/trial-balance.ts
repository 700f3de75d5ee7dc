/** The trial balance at any second, and what each of its lines is made of (operators §7, §11). */
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { entryLines, trialBalanceLines } from '@yiqiao/domain/trial-balance';
import { z } from 'zod';
import { calendarDay, dateTime, filter, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const quota = { charNum: z.int(), voiceNum: z.int(), imageNum: z.int() };
/** Amounts in fen. */
const quantities = { ...quota, amount: z.int() };

/** At the end of the second `at`; now without it. */
const at = filter(dateTime);
const entryLine = z.enum(entryLines, { error: 'WRONG_VALUE' });

/**
 * Every line of ENTRY_LINES and OTHER_LINES, in that order; `used` lines are positive. `entries`: how many entries a line sums; null for
 * accounts and orders. `difference` is zero in a whole ledger.
 */
export const getTrialBalance = operatorEndpoint({
  method: 'GET',
  path: '/trial-balance',
  action: 'read',
  request: z.strictObject({ at }),
  response: z.object({
    at: z.string(),
    lines: z.array(z.object({ key: z.enum(trialBalanceLines), entries: z.int().nullable(), ...quantities })),
    difference: z.object(quantities),
  }),
});

/** What the members of each plan hold; the rows add up to the line `held`, their frozen parts to `frozen`. */
export const listHeldByPlan = operatorEndpoint({
  method: 'GET',
  path: '/trial-balance/plans',
  action: 'read',
  request: z.strictObject({ at }),
  response: z.object({
    rows: z.array(
      z.object({
        memberGroupId: z.int(),
        name: z.string(),
        enName: z.string(),
        families: z.int(),
        ...quota,
        frozen: z.object(quota),
      }),
    ),
  }),
});

/** The families of a line of accounts, those with most characters first. `amount`: their recharge total. */
export const listHeldByFamily = operatorEndpoint({
  method: 'GET',
  path: '/trial-balance/families',
  action: 'read',
  request: z.strictObject({
    at,
    line: z.enum(['held', 'frozen', 'lapsed', 'recharged'], { error: 'WRONG_VALUE' }).default('held'),
    memberGroupId: filter(queryId),
    ...paging,
  }),
  response: page(
    z.object({
      familyId: z.int(),
      nickname: z.string().nullable(),
      memberGroupId: z.int(),
      accounts: z.int(),
      ...quantities,
      expireDateTime: z.string().nullable(),
    }),
  ),
});

/** The days of a line of entries, newest first. */
export const listTrialDays = operatorEndpoint({
  method: 'GET',
  path: '/trial-balance/days',
  action: 'read',
  request: z.strictObject({ at, line: entryLine, ...paging }),
  response: page(z.object({ day: z.string(), entries: z.int(), ...quantities })),
});

/** The entries of a line on one day, newest first. */
export const listTrialEntries = operatorEndpoint({
  method: 'GET',
  path: '/trial-balance/entries',
  action: 'read',
  request: z.strictObject({ at, line: entryLine, day: calendarDay, ...paging }),
  response: page(
    z.object({
      entryId: z.int(),
      userId: z.int(),
      familyId: z.int(),
      seq: z.int(),
      at: z.string(),
      type: z.enum(Object.keys(ENTRY_TYPES) as [EntryType, ...EntryType[]]),
      orderId: z.int().nullable(),
      ...quantities,
    }),
  ),
});
