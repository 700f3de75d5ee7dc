import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listInvoices, requestInvoice } from '@yiqiao/contracts/invoices';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { InvoiceRequest } from './invoice-request.entity.js';
import { OrderRepository } from './order-repository.js';
import { refundedAmong } from './payments.js';

type Invoice = Answer<typeof requestInvoice>;

export const invoiceOf = (row: InvoiceRequest, clock: Clock): Invoice => ({
  id: row.id,
  state: row.state,
  kind: row.kind,
  title: row.title,
  taxNo: row.taxNo ?? null,
  email: row.email,
  amount: row.amount,
  invoiceNo: row.invoiceNo ?? null,
  reason: row.reason ?? null,
  requestDateTime: clock.toWire(row.requestedAt),
  answerDateTime: row.answeredAt ? clock.toWire(row.answeredAt) : null,
});

/** Requests a tax invoice of the member's paid order. Throws NOT_FOUND, INVOICE_NOT_POSSIBLE, INVOICE_EXISTS. */
export class RequestInvoice extends Command<Invoice> {
  constructor(
    readonly userId: number,
    readonly form: Input<typeof requestInvoice>,
  ) {
    super();
  }
}

@CommandHandler(RequestInvoice)
export class RequestInvoiceHandler implements ICommandHandler<RequestInvoice> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, form }: RequestInvoice): Promise<Invoice> {
    const { id: orderId, kind, title, taxNo = null, email } = form;
    try {
      return await this.em.fork().transactional(async (em) => {
        // Locked against a refund.
        const order = await this.orders.lock(em, { id: orderId });
        if (order?.userId !== userId) throw new Refusal('NOT_FOUND');
        if (order.payStatus !== 'P' || order.paidBy === null) throw new Refusal('INVOICE_NOT_POSSIBLE');
        const refunded = (await refundedAmong(em, [order.paidBy])).get(order.paidBy) ?? 0;
        const amount = order.amount - refunded;
        if (amount <= 0) throw new Refusal('INVOICE_NOT_POSSIBLE');
        const { familyId } = order;
        const asked = { orderId, userId, familyId, kind, title, taxNo, email, amount, requestedAt: this.clock.now() };
        const id = await em.insert(InvoiceRequest, asked);
        return invoiceOf(await em.findOneOrFail(InvoiceRequest, { id }), this.clock);
      });
    } catch (error) {
      // The unique index of open and issued requests.
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('INVOICE_EXISTS');
      throw error;
    }
  }
}

/** The requests for an invoice of an order, newest first. Throws NOT_FOUND. */
export class ListInvoices extends Query<Answer<typeof listInvoices>> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

@QueryHandler(ListInvoices)
export class ListInvoicesHandler implements IQueryHandler<ListInvoices> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, orderId }: ListInvoices): Promise<Invoice[]> {
    await this.orders.findOwn(userId, orderId);
    const rows = await this.em.fork().find(InvoiceRequest, { orderId }, { orderBy: { id: 'desc' } });
    return rows.map((row) => invoiceOf(row, this.clock));
  }
}
