import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { yuanOf } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import { type AuthorOf, recordChange } from '../platform/manager-actions.js';
import { Outbox } from '../platform/outbox.js';
import { InvoiceRequest } from './invoice-request.entity.js';
import { OrderMails } from './order-mails.js';
import { OrderRepository } from './order-repository.js';
import { refundedAmong } from './payments.js';

export type InvoiceAnswer = { state: 'issued'; invoiceNo: string | null } | { state: 'rejected'; reason: string };

/** An operator's answer to a request for an invoice. Throws CommandError when there is nothing to answer. */
export class AnswerInvoice extends Command<void> {
  constructor(
    readonly requestId: number,
    readonly answer: InvoiceAnswer,
    readonly author: AuthorOf,
  ) {
    super();
  }
}

/** Records the answer with its author, mails the member and updates the order's page, in one transaction. */
@CommandHandler(AnswerInvoice)
export class AnswerInvoiceHandler implements ICommandHandler<AnswerInvoice> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly mails: OrderMails,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute({ requestId, answer, author }: AnswerInvoice): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const by = await author(em);
      const known = await em.findOne(InvoiceRequest, { id: requestId });
      // Lock order: order, then its request; a refund waits for the order.
      const order = known && (await this.orders.lock(em, { id: known.orderId }));
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
      const request = order && (await em.findOne(InvoiceRequest, { id: requestId }, lock));
      if (!request)
        throw new CommandError({ zh: `没有 ${requestId} 号开票申请`, en: `There is no request ${requestId}.` });
      if (request.state !== 'requested')
        throw new CommandError({
          zh: `${requestId} 号开票申请已经处理过，未作任何更改`,
          en: `Request ${requestId} was answered before. Nothing was changed.`,
        });
      if (answer.state === 'issued') await requireAmount(em, order, request);
      request.state = answer.state;
      request.invoiceNo = answer.state === 'issued' ? answer.invoiceNo : null;
      request.reason = answer.state === 'rejected' ? answer.reason : null;
      request.answeredAt = this.clock.now();
      await em.flush();
      // Without the title and its number: the record outlives the account.
      const after = { state: answer.state, invoiceNo: request.invoiceNo };
      const before = { state: 'requested', invoiceNo: null };
      await recordChange(em, by, { target: { kind: 'invoice', id: String(requestId) }, before, after });
      await this.mails.invoice(em, order, request);
      await this.outbox.record(em, { type: 'OrderChanged', orderId: order.id, familyId: order.familyId });
    });
  }
}

type Paid = { paidBy: number | null; amount: number };

/** A refund after the request changes what the invoice would be about: the member has to request it again. */
async function requireAmount(em: EntityManager, { paidBy, amount }: Paid, request: InvoiceRequest): Promise<void> {
  const refunded = paidBy === null ? 0 : ((await refundedAmong(em, [paidBy])).get(paidBy) ?? 0);
  if (amount - refunded === request.amount) return;
  throw new CommandError({
    zh: `申请之后订单有退款，应开 ${yuanOf(amount - refunded)} 元而不是 ${yuanOf(request.amount)} 元：请用 invoices reject 让会员重新申请`,
    en: `The order was refunded after the request: ${yuanOf(amount - refunded)} yuan are left, not ${yuanOf(request.amount)}. Use invoices reject, so that the member requests it again.`,
  });
}
