import { INVOICE_TITLE_MAX } from '@yiqiao/domain/limits';
import { INVOICE_KINDS, INVOICE_STATES, isTaxNumber, normalizeTaxNumber } from '@yiqiao/domain/invoices';
import { codePoints, isSafeName, tidy, visibleCodePoints } from '@yiqiao/domain/members';
import { z } from 'zod';
import { endpoint } from './endpoint.js';
import { email, id, orMissing, queryId } from './fields.js';
import type { FieldCode } from './field-messages.js';

const keysOf = <K extends string>(table: Record<K, unknown>): [K, ...K[]] => Object.keys(table) as [K, ...K[]];
const kind = z.enum(keysOf(INVOICE_KINDS), { error: orMissing('REQUIRED', 'WRONG_VALUE') });

/** Whom the invoice is made out to. */
export const invoiceTitle = z
  .string({ error: orMissing('REQUIRED') })
  .transform(tidy)
  .refine((text) => text !== '', { error: 'REQUIRED' satisfies FieldCode, abort: true })
  .refine((text) => codePoints(text) <= INVOICE_TITLE_MAX, { error: 'TOO_LONG' satisfies FieldCode, abort: true })
  .refine((text) => isSafeName(text) && visibleCodePoints(text) >= 2, { error: 'UNSAFE_TEXT' satisfies FieldCode });

/** A unified social credit code; spaces and small letters are read as people mean them. */
export const taxNumber = z
  .string({ error: orMissing('REQUIRED') })
  .transform(normalizeTaxNumber)
  .refine((text) => text !== '', { error: 'REQUIRED' satisfies FieldCode, abort: true })
  .refine(isTaxNumber, { error: 'TAX_NUMBER_FORMAT' satisfies FieldCode });

export const invoice = z.object({
  id: z.int(),
  state: z.enum(keysOf(INVOICE_STATES)),
  kind,
  title: z.string(),
  taxNo: z.string().nullable(),
  email: z.string(),
  /** fen that it is about: what was paid, less what had gone back when it was requested. */
  amount: z.int(),
  /** The number of the issued invoice, where it was noted. */
  invoiceNo: z.string().nullable(),
  /** Why it was declined. */
  reason: z.string().nullable(),
  requestDateTime: z.string(),
  answerDateTime: z.string().nullable(),
});

/** The requests for an invoice of one order, newest first. Not in the specification (docs/decisions/0048). */
export const listInvoices = endpoint({
  method: 'GET',
  path: '/orderByMemberGroup/invoices',
  access: 'main',
  request: z.strictObject({ id: queryId }),
  response: z.array(invoice),
});

/**
 * Requests an invoice of a paid order. 422 INVOICE_NOT_POSSIBLE unless it is paid and not wholly refunded; 409 INVOICE_EXISTS while another
 * request waits or was answered with an invoice. Not in the specification (docs/decisions/0048).
 */
export const requestInvoice = endpoint({
  method: 'POST',
  path: '/orderByMemberGroup/requestInvoice',
  access: 'main',
  request: z
    .strictObject({ id, kind, title: invoiceTitle, taxNo: taxNumber.optional(), email })
    .superRefine(({ kind, taxNo }, ctx) => {
      if (kind === 'company' && taxNo === undefined)
        ctx.addIssue({ code: 'custom', path: ['taxNo'], message: 'REQUIRED' satisfies FieldCode });
      if (kind === 'personal' && taxNo !== undefined)
        ctx.addIssue({ code: 'custom', path: ['taxNo'], message: 'UNKNOWN_FIELD' satisfies FieldCode });
    }),
  response: invoice,
});
