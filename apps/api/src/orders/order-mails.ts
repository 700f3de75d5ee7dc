import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { billingModeOf, type Entry } from '@yiqiao/domain/ledger';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { Site } from '../site/site.js';
import type { InvoiceRequest } from './invoice-request.entity.js';
import { invoiceMail, receiptMail, refundMail } from './mail-messages.js';
import type { RechargeOrder } from './recharge-order.entity.js';

/** Mails about orders, recorded in the transaction that caused them. An order of a closed account has nobody to be mailed to. */
@Injectable()
export class OrderMails {
  constructor(
    private readonly members: Members,
    private readonly site: Site,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async receipt(
    em: EntityManager,
    order: RechargeOrder,
    entry: Pick<Entry, 'charChange' | 'minChange'>,
  ): Promise<void> {
    const from = await this.#from(em);
    const billingMode = billingModeOf(order.billingMode) ?? 'char';
    const facts = {
      ...order,
      billingMode,
      credited: billingMode === 'time' ? entry.minChange : entry.charChange,
      paidAt: this.clock.toWire(order.paidAt ?? this.clock.now()),
    };
    await this.members.sendMail(em, order.userId, (language) => receiptMail(language, facts, from(language)));
  }

  /** `amount`: what went back now, `paid`: what the payment was, in fen. */
  async refund(
    em: EntityManager,
    { no, payChannel, userId }: RechargeOrder,
    refund: { refundNo: string; amount: number; paid: number },
  ): Promise<void> {
    const from = await this.#from(em);
    const facts = { no, payChannel, ...refund, at: this.clock.toWire(this.clock.now()) };
    await this.members.sendMail(em, userId, (language) => refundMail(language, facts, from(language)));
  }

  /** The answer to a request for an invoice. */
  async invoice(em: EntityManager, { no, userId }: RechargeOrder, request: InvoiceRequest): Promise<void> {
    const from = await this.#from(em);
    const facts = {
      no,
      amount: request.amount,
      title: request.title,
      email: request.email,
      invoiceNo: request.invoiceNo ?? null,
      reason: request.reason ?? null,
    };
    await this.members.sendMail(em, userId, (language) => invoiceMail(language, facts, from(language)));
  }

  async #from(em: EntityManager) {
    const sellers = await this.site.seller(em);
    return (language: Language) => ({ seller: sellers[language], site: this.config.publicUrl });
  }
}
