/** What members paid for what they used, what vendors asked for it, and the bills that correct it (operators §9). */
import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { done } from '../endpoint.js';
import { calendarDay, orAbsent, page, paging, queryId } from '../fields.js';
import { operatorEndpoint } from './endpoint.js';

const n = z.number();

/** Days of a margin at most. */
export const MARGIN_DAYS_MAX = 92;

/**
 * Money in micro-yuan. `value`: of what was used, at the average price that each family paid; `cost`: of the vendors, as corrected by bills;
 * `contractCost`: as recorded with each translation.
 */
const sums = {
  chars: n,
  /** Minutes of time packages that passed. */
  minutes: n,
  value: n,
  cost: n,
  contractCost: n,
  /** Charged texts whose cost is unknown: from before costs were recorded. */
  costless: z.int(),
};

/** The days from `from` to `to` in APP_TIMEZONE, both included. RANGE_REVERSED; TOO_BIG: more than 92 of them. */
export const getMargin = operatorEndpoint({
  method: 'GET',
  path: '/margin',
  action: 'read',
  request: z.strictObject({ from: calendarDay, to: calendarDay }).superRefine(({ from, to }, ctx) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (days < 1) ctx.addIssue({ code: 'custom', path: ['from'], message: 'RANGE_REVERSED' });
    else if (days > MARGIN_DAYS_MAX) ctx.addIssue({ code: 'custom', path: ['to'], message: 'TOO_BIG' });
  }),
  response: z.object({
    at: z.string(),
    total: z.object(sums),
    days: z.array(z.object({ day: z.string(), ...sums })),
    channels: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), price: z.int(), ...sums })),
    plans: z.array(z.object({ id: z.int(), name: z.string(), ...sums })),
    /** Characters that the memory of translations saved, and what they would have cost at the average. */
    saved: z.object({ chars: n, cost: n }),
  }),
});

const bill = z.object({
  id: z.int(),
  accountId: z.int(),
  channel: z.string(),
  account: z.string(),
  /** `YYYY-MM` */
  month: z.string(),
  number: z.string(),
  /** Fen. */
  amount: z.int(),
  /** Micro-yuan that the log adds up to in that month for this account; null for a month of which translations are in cold files. */
  recorded: n.nullable(),
  enteredBy: z.string(),
  enteredAt: z.string(),
  voidedAt: z.string().nullable(),
});

/** Newest first. */
export const listVendorBills = operatorEndpoint({
  method: 'GET',
  path: '/vendor-bills',
  action: 'read',
  request: z.strictObject({ ...paging }),
  response: page(bill),
});

const reason = z
  .string({ error: orAbsent })
  .transform((text) => text.trim())
  .pipe(z.string().min(1, { error: 'REQUIRED' }).max(REQUEST_REASON_MAX, { error: 'TOO_LONG' }));

/** A bill of an account for a month that is over. 409 VENDOR_BILL_EXISTS for a number that the account has already. */
export const createVendorBill = operatorEndpoint({
  method: 'POST',
  path: '/vendor-bills',
  action: 'vendorAccount.change',
  request: z.strictObject({
    accountId: z.int({ error: orAbsent }).min(1, { error: 'WRONG_VALUE' }),
    month: z.string({ error: orAbsent }).regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, { error: 'DATE_FORMAT' }),
    number: z
      .string({ error: orAbsent })
      .transform((text) => text.trim())
      .pipe(z.string().min(1, { error: 'REQUIRED' }).max(100, { error: 'TOO_LONG' })),
    amount: z.int({ error: orAbsent }).min(0, { error: 'TOO_SMALL' }).max(100_000_000_000, { error: 'TOO_BIG' }),
    reason,
  }),
  response: z.object({ id: z.int() }),
});

/** A bill that was entered wrongly does not count any more. */
export const voidVendorBill = operatorEndpoint({
  method: 'POST',
  path: '/vendor-bills/:id/void',
  action: 'vendorAccount.change',
  request: z.strictObject({ id: queryId, reason }),
  response: done,
});
