import { z } from 'zod';
import { jsonOf } from '../exchange.js';
import type { NotificationReader, RawNotification, Reading } from '../pay-channel.js';
import { isLianlians } from './signature.js';
import type { LianlianSettings } from './client.js';
import { isPaid, lianlianPayment, transaction } from './transaction.js';

const named = z.looseObject({
  mch_id: z.string().default(''),
  txn_seqno: z.string().nullish(),
  platform_txno: z.string().default(''),
  txn_status: z.string().default(''),
  /** These come with a refund only. */
  refund_seqno: z.string().default(''),
  refund_status: z.string().default(''),
});

/** What LianLian posts to our notification address: JSON, signed as a whole by a header. */
export class LianlianNotifications implements NotificationReader {
  readonly accepted = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'Success' };
  readonly refused = { status: 400, contentType: 'text/plain; charset=utf-8', body: 'Fail' };

  constructor(private readonly settings: Pick<LianlianSettings, 'mchId' | 'publicKey'>) {}

  read({ headers, body }: RawNotification): Promise<Reading> {
    const isSigned = isLianlians(body, headers['signature-data'], this.settings.publicKey);
    return Promise.resolve(isSigned ? this.#reading(body) : { kind: 'forged', why: 'the signature is wrong' });
  }

  #reading(body: Buffer): Reading {
    const content = jsonOf(body);
    const { data: of } = named.safeParse(content);
    if (!of) return { kind: 'forged', why: 'the message cannot be read' };
    const isRefund = of.refund_seqno !== '' || of.refund_status !== '';
    const about = isRefund ? ['refund', of.refund_seqno, of.refund_status] : [of.platform_txno, of.txn_status];
    const tale = { subject: about.join(':'), orderNo: of.txn_seqno ?? null };
    // One key of LianLian's may sign for all of its merchants.
    if (of.mch_id !== this.settings.mchId) return { kind: 'stranger', ...tale };
    if (isRefund || of.txn_status !== 'SUCCESS') return { kind: 'other', ...tale };
    const { data: told } = transaction.safeParse(content);
    const payment = told && isPaid(told) ? lianlianPayment(told) : null;
    return payment
      ? { kind: 'payment', subject: tale.subject, payment }
      : { kind: 'forged', why: 'a payment without a number or an amount' };
  }
}
