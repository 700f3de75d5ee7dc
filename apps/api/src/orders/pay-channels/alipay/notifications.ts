import { z } from 'zod';
import type { NotificationReader, RawNotification, Reading } from '../pay-channel.js';
import { isCanonicalBase64 } from '../rsa-signature.js';
import type { AlipayClient } from './client.js';
import { alipayPayment, isPaid, trade } from './trade.js';

const message = trade.extend({
  app_id: z.string(),
  seller_id: z.string(),
  gmt_payment: z.string().optional(),
  /** These come with a refund only; the amount is cumulative. */
  gmt_refund: z.string().default(''),
  out_biz_no: z.string().default(''),
  refund_fee: z.string().default(''),
});

/** What Alipay posts to our notification address: a form, signed over its decoded values. */
export class AlipayNotifications implements NotificationReader {
  readonly accepted = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'success' };
  readonly refused = { status: 400, contentType: 'text/plain; charset=utf-8', body: 'failure' };

  constructor(
    private readonly client: Pick<AlipayClient, 'isSigned'>,
    private readonly us: { appId: string; sellerId: string },
  ) {}

  read({ body }: RawNotification): Promise<Reading> {
    return Promise.resolve(this.#read(body));
  }

  #read(body: Buffer): Reading {
    const params = onceEach(new URLSearchParams(body.toString('utf8')));
    if (!params) return { kind: 'forged', why: 'a parameter comes twice' };
    // The SDK would go by what the message says, and SHA-1 is no longer to be trusted.
    if (params['sign_type'] !== 'RSA2' || !isCanonicalBase64(params['sign'] ?? ''))
      return { kind: 'forged', why: 'not signed by RSA2' };
    if (!this.client.isSigned(params)) return { kind: 'forged', why: 'the signature is wrong' };
    const read = message.safeParse(params);
    if (!read.success) return { kind: 'forged', why: 'the message cannot be read' };
    return this.#readingOf(read.data);
  }

  #readingOf(of: z.output<typeof message>): Reading {
    const isRefund = of.gmt_refund !== '' || of.out_biz_no !== '' || !/^[0.]*$/.test(of.refund_fee);
    const about = [
      of.trade_no,
      of.trade_status,
      ...(isRefund ? [of.out_biz_no || of.gmt_refund || of.refund_fee] : []),
    ];
    const named = { subject: about.join(':'), orderNo: of.out_trade_no };
    if (of.app_id !== this.us.appId || of.seller_id !== this.us.sellerId) return { kind: 'stranger', ...named };
    if (isRefund || !isPaid(of)) return { kind: 'other', ...named };
    const payment = alipayPayment(of, of.gmt_payment);
    return payment
      ? { kind: 'payment', subject: named.subject, payment }
      : { kind: 'forged', why: 'the amount cannot be read' };
  }
}

/** Null when a name comes twice: which of the two was signed? */
function onceEach(params: URLSearchParams): Record<string, string> | null {
  const entries = [...params];
  return new Set(entries.map(([name]) => name)).size === entries.length ? Object.fromEntries(entries) : null;
}
