import { z } from 'zod';
import { NoAnswer } from '../calls.js';
import type { NotificationReader, RawNotification, Reading } from '../pay-channel.js';
import type { WechatPayClient } from './client.js';
import { decrypted, encryptedResource } from './resource.js';
import { whyNotBelieved } from './signature.js';
import { isOurs, transaction, wechatPayment } from './transaction.js';

const json = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue('no JSON');
    return z.NEVER;
  }
});
const event = json.pipe(z.object({ event_type: z.string(), resource: encryptedResource }));
/** Of a refund, or of something that is not known yet. */
const other = z.object({
  mchid: z.string(),
  out_trade_no: z.string().nullish(),
  transaction_id: z.string().default(''),
  out_refund_no: z.string().default(''),
});

/** A certificate that could not be fetched: the message will be sent again, and may then be believed. */
const noKey = (error: unknown): string => {
  if (error instanceof NoAnswer) return error.message;
  throw error;
};

/** What WeChat Pay posts to our notification address: signed as answers are, its content encrypted by the APIv3 key. */
export class WechatPayNotifications implements NotificationReader {
  readonly accepted = { status: 204, contentType: 'application/json', body: '' };
  readonly refused = {
    status: 401,
    contentType: 'application/json',
    body: '{"code":"FAIL","message":"not accepted"}',
  };

  constructor(private readonly client: Pick<WechatPayClient, 'keys' | 'settings'>) {}

  async read({ headers, body }: RawNotification): Promise<Reading> {
    const { settings, keys } = this.client;
    const why = await whyNotBelieved({ header: (name) => headers[name], body }, keys, settings.now()).catch(noKey);
    if (why !== null) return { kind: 'forged', why };
    const { data: told } = event.safeParse(body.toString('utf8'));
    if (!told) return { kind: 'forged', why: 'the message cannot be read' };
    const { data: content } = json.safeParse(decrypted(told.resource, settings.v3Key));
    if (content === undefined) return { kind: 'forged', why: 'the content cannot be decrypted' };
    return told.event_type === 'TRANSACTION.SUCCESS' ? this.#payment(content) : this.#other(told.event_type, content);
  }

  #payment(content: unknown): Reading {
    const { data: of } = transaction.safeParse(content);
    if (!of) return { kind: 'forged', why: 'the content cannot be read' };
    const named = { subject: `${of.transaction_id ?? of.out_trade_no}:${of.trade_state}`, orderNo: of.out_trade_no };
    if (!isOurs(of, this.client.settings)) return { kind: 'stranger', ...named };
    if (of.trade_state !== 'SUCCESS') return { kind: 'other', ...named };
    const payment = wechatPayment(of);
    return payment
      ? { kind: 'payment', subject: named.subject, payment }
      : { kind: 'forged', why: 'a payment without a number or an amount' };
  }

  #other(type: string, content: unknown): Reading {
    const { data: of } = other.safeParse(content);
    if (!of) return { kind: 'forged', why: 'the content cannot be read' };
    const subject = [of.transaction_id, type, of.out_refund_no].filter(Boolean).join(':');
    const kind = of.mchid === this.client.settings.mchId ? 'other' : 'stranger';
    return { kind, subject, orderNo: of.out_trade_no ?? null };
  }
}
