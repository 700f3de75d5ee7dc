import { defineEntity, p } from '@mikro-orm/core';
import type { InvoiceKind, InvoiceState } from '@yiqiao/domain/invoices';

const schema = defineEntity({
  name: 'InvoiceRequest',
  properties: {
    id: p.bigint('number').primary(),
    orderId: p.bigint('number'),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    state: p.string().$type<InvoiceState>().defaultRaw("'requested'"),
    kind: p.string().$type<InvoiceKind>(),
    title: p.string(),
    /** Null for a person. */
    taxNo: p.string().strictNullable(),
    email: p.string(),
    /** fen: what was paid, less what had gone back */
    amount: p.bigint('number'),
    invoiceNo: p.string().strictNullable(),
    /** Why it was declined. */
    reason: p.string().strictNullable(),
    requestedAt: p.datetime(),
    answeredAt: p.datetime().strictNullable(),
  },
});

/** A member's request for a tax invoice of an order. Personal data: deleted with the account. */
export class InvoiceRequest extends schema.class {}
schema.setClass(InvoiceRequest);
