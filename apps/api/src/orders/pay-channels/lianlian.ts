import { createHash, type KeyObject } from 'node:crypto';
import { fenOf, yuanOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import type { Config } from '../../platform/config.js';
import type {
  GatewayConnection,
  GatewayPayment,
  GatewayOrder,
  GatewayRefund,
  PayChannel,
  RefundState,
  TradeState,
  NotificationReader,
  RawNotification,
  VerifiedNotification,
} from './pay-channel.js';
import { timeOf, compactTime } from './beijing-time.js';
import { isSignedBy, signed } from './rsa-signature.js';
import {
  retryOnce,
  mapGatewayErrors,
  closeOrQuery,
  findOrNull,
  NoGatewayAnswer,
  reasonOf,
  refundRejection,
  GatewayRejection,
  parseAnswer,
  type Call,
  sendRequest,
  jsonOf,
} from './gateway-client.js';

/** Null without keys. `now` in milliseconds. */
export function openLianlian(config: Config, now: () => number = Date.now): GatewayConnection | null {
  const { LIANLIAN_MCH_ID: mchId, LIANLIAN_PRIVATE_KEY: privateKey, LIANLIAN_PUBLIC_KEY: publicKey } = config.env;
  if (!mchId || !privateKey || !publicKey) return null;
  const { LIANLIAN_URL: url, PAY_GATEWAY_TIMEOUT_MS: timeoutMs } = config.env;
  const client = new LianlianClient({ url, mchId, privateKey, publicKey, timeoutMs, now });
  return {
    channels: {
      ALI_LIAN: new LianlianChannel(client, 'ALIPAY_NATIVE', config.notifyUrl),
      WC_LIAN: new LianlianChannel(client, 'WECHAT_NATIVE', config.notifyUrl),
    },
    notifications: new LianlianNotifications({ mchId, publicKey }),
  };
}

/** The fields of an order in answers and notifications. LianLian writes yuan as a text or a number. */
export const transaction = z.object({
  txn_seqno: z.string().min(1),
  txn_status: z.string(),
  platform_txno: z.string().default(''),
  order_amount: z.union([z.string(), z.number()]).transform((yuan) => fenOf(String(yuan))),
  success_time: z.string().optional(),
});
export type Transaction = z.output<typeof transaction>;

export const isPaid = (of: Transaction): boolean => of.txn_status === 'SUCCESS';

/** The states of LianLian's products for an order that cannot be paid any more; its documents list none for this one. */
export const isClosed = (of: Transaction): boolean =>
  ['CLOSE', 'CLOSED', 'TRADE_CLOSE', 'CANCEL', 'FAIL', 'FAILURE', 'REFUND'].includes(of.txn_status);

/** Null without a number or an amount. */
export const lianlianPayment = (of: Transaction): GatewayPayment | null =>
  of.order_amount === null || of.platform_txno === ''
    ? null
    : {
        gateway: 'lianlian',
        orderNo: of.txn_seqno,
        tradeNo: of.platform_txno,
        amount: of.order_amount,
        currency: 'CNY',
        paidAt: timeOf(of.success_time),
      };

/** LianLian hashes twice: MD5withRSA over the lower-case hex digits of the body's MD5. */
export const digestOf = (body: string | Buffer): string => createHash('md5').update(body).digest('hex');

/** The Signature-Data header. */
export const signatureData = (body: string, privateKey: KeyObject): string =>
  signed('RSA-MD5', digestOf(body), privateKey);

export const isSignedByLianlian = (body: Buffer, signature: string | undefined, publicKey: KeyObject): boolean =>
  signature !== undefined && isSignedBy(publicKey, 'RSA-MD5', digestOf(body), signature);

const created = z.looseObject({ payload: z.string().min(1) });
const refundFound = z.looseObject({ refund_status: z.string().default('') });

const NO_RECORD = ['9901', '8901'];
const PAID_ALREADY = '2007';
const GOODS = '会员套餐';
const MINUTE_MS = 60_000;

/** QR codes for Alipay or WeChat through LianLian (open platform, ipay). */
export class LianlianChannel implements PayChannel {
  constructor(
    private readonly client: LianlianClient,
    private readonly payType: 'ALIPAY_NATIVE' | 'WECHAT_NATIVE',
    private readonly notifyUrl: string,
  ) {}

  /** Sends the same request at every try. Without an answer nobody has seen a code to pay. */
  createPayment(order: GatewayOrder): Promise<string> {
    const amount = yuanOf(order.amount);
    const life = order.expiresAt.getTime() - order.createdAt.getTime();
    const content = {
      user_id: String(order.userId),
      busi_type: '100001',
      txn_seqno: order.no,
      txn_time: compactTime(order.createdAt.getTime()),
      order_amount: amount,
      order_info: `${GOODS} ${order.no}`,
      notify_url: `${this.notifyUrl}/pay/notify/lianlian`,
      pay_expire: Math.max(1, Math.ceil(life / MINUTE_MS)),
      payee_infos: [{ ...this.#payee(), payee_amount: amount }],
      pay_method_infos: [{ pay_type: this.payType, amount }],
      goods_info: [{ goods_id: 'package', goods_name: GOODS }],
    };
    const call = callOf('pay', order);
    return mapGatewayErrors(call, async () => {
      try {
        return parseAnswer(created, await retryOnce(call, () => this.client.request('/mch/v1/ipay/createpay', content)))
          .payload;
      } catch (error) {
        // Paid already: not a rejection; a query finds the payment.
        if (error instanceof GatewayRejection && error.code === PAID_ALREADY) throw new NoGatewayAnswer(error.message);
        throw error;
      }
    });
  }

  query(order: GatewayOrder): Promise<TradeState> {
    const call = callOf('query', order);
    return mapGatewayErrors(call, () => this.#tradeState(call, order));
  }

  close(order: GatewayOrder): Promise<TradeState> {
    const call = callOf('close', order);
    return mapGatewayErrors(call, () =>
      closeOrQuery(
        async () => void (await retryOnce(call, () => this.client.request('/mch/v1/ipay/close', naming(order)))),
        () => this.#tradeState(call, order),
      ),
    );
  }

  /** LianLian does not document repeated refunds as idempotent, so the refund is looked up first and requested once. */
  refund(refund: GatewayRefund): Promise<RefundState> {
    const call = callOf('refund', refund.order);
    return mapGatewayErrors(call, async () => {
      const earlier = await this.#found(call, refund);
      if (earlier) return earlier;
      try {
        await this.#give(refund);
      } catch (error) {
        const found = await this.#found(call, refund);
        if (found) return found;
        if (error instanceof GatewayRejection) return refundRejection(call, error);
        throw error;
      }
      return (await this.#found(call, refund)) ?? { state: 'pending' };
    });
  }

  async #give(refund: GatewayRefund): Promise<void> {
    const { order, refundNo } = refund;
    const amount = yuanOf(refund.amount);
    await this.client.request('/mch/v1/ipay/refund', {
      ...naming(order),
      refund_seqno: refundNo,
      refund_time: compactTime(this.client.settings.now()),
      refund_amount: amount,
      refund_reason: reasonOf(refund),
      notify_url: `${this.notifyUrl}/pay/notify/lianlian`,
      refund_method_infos: [{ pay_type: this.payType, amount }],
      payee_refund_infos: [{ ...this.#payee(), payee_amount: amount }],
    });
  }

  /** Null when LianLian has no such refund. */
  async #found(call: Call, { refundNo }: GatewayRefund): Promise<RefundState | null> {
    const ask = () => this.client.request('/query/v1/ipay/refundquery', { refund_seqno: refundNo });
    const found = await findOrNull(NO_RECORD, () => retryOnce(call, ask));
    if (found === null) return null;
    const { refund_status } = parseAnswer(refundFound, found);
    if (refund_status === 'SUCCESS') return { state: 'done' };
    const isOver = ['FAIL', 'FAILURE', 'CLOSE', 'CLOSED'].includes(refund_status);
    return isOver ? { state: 'refused', why: refund_status } : { state: 'pending' };
  }

  async #tradeState(call: Call, order: GatewayOrder): Promise<TradeState> {
    const ask = () => this.client.request('/query/v1/ipay/orderquery', naming(order));
    try {
      const found = parseAnswer(transaction, await retryOnce(call, ask));
      if (found.txn_seqno !== order.no) throw new NoGatewayAnswer('an answer about another order');
      if (isClosed(found)) return { state: 'closed' };
      if (!isPaid(found)) return { state: 'unpaid' };
      const payment = lianlianPayment(found);
      if (!payment) throw new NoGatewayAnswer('a payment without a number or an amount');
      return { state: 'paid', payment };
    } catch (error) {
      if (error instanceof GatewayRejection && NO_RECORD.includes(error.code)) return { state: 'absent' };
      throw error;
    }
  }

  #payee(): { payee_uid: string; payee_accttype: string; payee_type: string } {
    return { payee_uid: this.client.settings.mchId, payee_accttype: 'MCHOWN', payee_type: 'MCH' };
  }
}

const callOf = (call: Call['call'], order: GatewayOrder): Call => ({ gateway: 'lianlian', call, orderNo: order.no });
const naming = (order: GatewayOrder): { txn_seqno: string; txn_date: string } => ({
  txn_seqno: order.no,
  txn_date: compactTime(order.createdAt.getTime()).slice(0, 8),
});

export type LianlianSettings = {
  url: string;
  mchId: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Of one try. */
  timeoutMs: number;
  now: () => number;
};

const result = z.looseObject({ ret_code: z.string(), ret_msg: z.string().default('') });
/** System errors and "in processing": the result is not known yet. */
const BUSY = ['1003', '1007', '2005', '2008', '5005', '6601'];

/** LianLian's open platform: JSON in both directions, with the signature of the body in a header. */
export class LianlianClient {
  constructor(readonly settings: LianlianSettings) {}

  /** One try. Returns the answer with ret_code 0000. Throws NoGatewayAnswer, GatewayRejection. */
  async request(path: string, content: object): Promise<Record<string, unknown>> {
    const { url, mchId, privateKey, publicKey, timeoutMs, now } = this.settings;
    const body = JSON.stringify({ mch_id: mchId, ...content });
    const headers = {
      'Content-Type': 'application/json;charset=UTF-8',
      timestamp: compactTime(now()),
      mch_id: mchId,
      'Signature-Type': 'RSA',
      'Signature-Data': signatureData(body, privateKey),
    };
    const target = new URL(`${url.replace(/\/$/, '')}${path}`);
    const answer = await sendRequest({ method: 'POST', url: target, headers, body }, timeoutMs);
    const { data: reply } = result.safeParse(jsonOf(answer.body));
    const status = `HTTP ${answer.status} ${reply?.ret_code ?? ''}`;
    if (!isSignedByLianlian(answer.body, answer.header('signature-data'), publicKey))
      throw new NoGatewayAnswer(`${status}: not signed by LianLian`);
    if (answer.status !== 200 || !reply || BUSY.includes(reply.ret_code)) throw new NoGatewayAnswer(status);
    if (reply.ret_code !== '0000') throw new GatewayRejection(reply.ret_code, reply.ret_msg);
    return reply;
  }
}

const named = z.looseObject({
  mch_id: z.string().default(''),
  txn_seqno: z.string().nullish(),
  platform_txno: z.string().default(''),
  txn_status: z.string().default(''),
  /** Only in notifications of refunds. */
  refund_seqno: z.string().default(''),
  refund_status: z.string().default(''),
});

/** LianLian's notifications: JSON, with the signature of the body in a header. */
export class LianlianNotifications implements NotificationReader {
  readonly accepted = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'Success' };
  readonly refused = { status: 400, contentType: 'text/plain; charset=utf-8', body: 'Fail' };

  constructor(private readonly settings: Pick<LianlianSettings, 'mchId' | 'publicKey'>) {}

  read({ headers, body }: RawNotification): Promise<VerifiedNotification> {
    const isSigned = isSignedByLianlian(body, headers['signature-data'], this.settings.publicKey);
    return Promise.resolve(isSigned ? this.#interpret(body) : { kind: 'forged', why: 'the signature is wrong' });
  }

  #interpret(body: Buffer): VerifiedNotification {
    const content = jsonOf(body);
    const { data: of } = named.safeParse(content);
    if (!of) return { kind: 'forged', why: 'the message cannot be read' };
    const isRefund = of.refund_seqno !== '' || of.refund_status !== '';
    const parts = isRefund ? ['refund', of.refund_seqno, of.refund_status] : [of.platform_txno, of.txn_status];
    const about = { subject: parts.join(':'), orderNo: of.txn_seqno ?? null };
    // LianLian may use one key for all merchants.
    if (of.mch_id !== this.settings.mchId) return { kind: 'stranger', ...about };
    if (isRefund || of.txn_status !== 'SUCCESS') return { kind: 'other', ...about };
    const { data: order } = transaction.safeParse(content);
    const payment = order && isPaid(order) ? lianlianPayment(order) : null;
    return payment
      ? { kind: 'payment', subject: about.subject, payment }
      : { kind: 'forged', why: 'a payment without a number or an amount' };
  }
}
