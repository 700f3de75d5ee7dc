import { fenOf, yuanOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import type { Config } from '../../platform/config.js';
import { AlipayClient, type AlipayTrust } from './alipay-client.js';
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
import { timeOf, beijingTime } from './beijing-time.js';
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
} from './gateway-client.js';
import { isCanonicalBase64 } from './rsa-signature.js';

/** Null without keys. `now` in milliseconds. */
export function openAlipay(config: Config, now: () => number = Date.now): GatewayConnection | null {
  const { ALIPAY_APP_ID: appId, ALIPAY_SELLER_ID: sellerId, ALIPAY_PRIVATE_KEY: privateKey } = config.env;
  const trust = trustOf(config);
  if (!appId || !sellerId || !privateKey || !trust) return null;
  const { ALIPAY_GATEWAY_URL: gatewayUrl, PAY_GATEWAY_TIMEOUT_MS: timeoutMs } = config.env;
  const client = new AlipayClient({ gatewayUrl, appId, privateKey, trust, timeoutMs, now });
  return {
    channels: { ALI_NATIVE: new AlipayChannel(client, config) },
    notifications: new AlipayNotifications(client, { appId, sellerId }),
  };
}

function trustOf({ env }: Config): AlipayTrust | null {
  const { ALIPAY_APP_CERT: appCert, ALIPAY_ROOT_CERT: rootCert, ALIPAY_CERT: alipayCert } = env;
  if (appCert && rootCert && alipayCert) return { appCert, rootCert, alipayCert };
  return env.ALIPAY_PUBLIC_KEY ? { publicKey: env.ALIPAY_PUBLIC_KEY } : null;
}

/** The fields of a trade in answers and notifications. */
export const trade = z.object({
  trade_no: z.string().min(1),
  out_trade_no: z.string().min(1),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: z.string(),
  /** Only where it is not the yuan. */
  trans_currency: z.string().optional(),
});

/** TRADE_FINISHED: paid, and too long ago for a refund. */
export const isPaid = ({ trade_status }: z.output<typeof trade>): boolean =>
  trade_status === 'TRADE_SUCCESS' || trade_status === 'TRADE_FINISHED';

/** `paidAt` in Alipay's format. Null when the amount is invalid. */
export function alipayPayment(of: z.output<typeof trade>, paidAt: string | undefined): GatewayPayment | null {
  const amount = fenOf(of.total_amount);
  return amount === null
    ? null
    : {
        gateway: 'alipay',
        orderNo: of.out_trade_no,
        tradeNo: of.trade_no,
        amount,
        currency: of.trans_currency ?? 'CNY',
        paidAt: timeOf(paidAt),
      };
}

const queried = trade.extend({ send_pay_date: z.string().optional() });
const refunded = z.looseObject({ fund_change: z.string().optional() });
const refundFound = z.looseObject({ refund_status: z.string().optional() });

const NO_TRADE = 'ACQ.TRADE_NOT_EXIST';

/** ALI_NATIVE: Alipay's payment page in the browser (alipay.trade.page.pay). */
export class AlipayChannel implements PayChannel {
  constructor(
    private readonly client: AlipayClient,
    private readonly urls: { publicUrl: string; notifyUrl: string },
  ) {}

  /**
   * Signs a form without a request: the gateway learns of the order when the form is posted. All values are ASCII (decisions §5), so that
   * the signed bytes stay the same when the browser posts in GBK.
   */
  createPayment(order: GatewayOrder): Promise<string> {
    const payInfo = encodeURIComponent(JSON.stringify({ orderId: order.id, orderNo: order.no }));
    const urls = {
      notify: `${this.urls.notifyUrl}/pay/notify/alipay`,
      return: `${this.urls.publicUrl}/PaySuccess?payInfo=${payInfo}`,
    };
    const form = this.client.form('alipay.trade.page.pay', urls, {
      out_trade_no: order.no,
      total_amount: yuanOf(order.amount),
      subject: order.no,
      product_code: 'FAST_INSTANT_TRADE_PAY',
      time_expire: beijingTime(order.expiresAt.getTime()),
    });
    return Promise.resolve(form);
  }

  query(order: GatewayOrder): Promise<TradeState> {
    const call = callOf('query', order);
    return mapGatewayErrors(call, () => this.#tradeState(call, order));
  }

  /** A form that was never posted has no trade to close; its time to pay ends by itself. */
  async close(order: GatewayOrder): Promise<TradeState> {
    const call = callOf('close', order);
    const close = () => retryOnce(call, () => this.client.request('alipay.trade.close', { out_trade_no: order.no }));
    return mapGatewayErrors(call, () =>
      closeOrQuery(
        async () => void (await close()),
        () => this.#tradeState(call, order),
      ),
    );
  }

  async refund(refund: GatewayRefund): Promise<RefundState> {
    const call = callOf('refund', refund.order);
    const give = () =>
      this.client.request('alipay.trade.refund', {
        out_trade_no: refund.order.no,
        trade_no: refund.tradeNo,
        refund_amount: yuanOf(refund.amount),
        out_request_no: refund.refundNo,
        refund_reason: reasonOf(refund),
      });
    return mapGatewayErrors(call, async () => {
      try {
        const { fund_change } = parseAnswer(refunded, await retryOnce(call, give));
        if (fund_change === 'Y') return { state: 'done' };
      } catch (error) {
        if (!(error instanceof GatewayRejection)) throw error;
        return (await this.#isRefunded(call, refund)) ? { state: 'done' } : refundRejection(call, error);
      }
      // This call moved no money: an earlier one with the same number did, or it is still pending.
      return { state: (await this.#isRefunded(call, refund)) ? 'done' : 'pending' };
    });
  }

  async #tradeState(call: Call, order: GatewayOrder): Promise<TradeState> {
    try {
      const node = await retryOnce(call, () => this.client.request('alipay.trade.query', { out_trade_no: order.no }));
      return statusOf(order, parseAnswer(queried, node));
    } catch (error) {
      if (error instanceof GatewayRejection && error.code === NO_TRADE) return { state: 'absent' };
      throw error;
    }
  }

  async #isRefunded(call: Call, { order, refundNo }: GatewayRefund): Promise<boolean> {
    const bizContent = { out_trade_no: order.no, out_request_no: refundNo };
    const ask = () => retryOnce(call, () => this.client.request('alipay.trade.fastpay.refund.query', bizContent));
    const found = await findOrNull([NO_TRADE], ask);
    return found !== null && parseAnswer(refundFound, found).refund_status === 'REFUND_SUCCESS';
  }
}

const callOf = (call: Call['call'], order: GatewayOrder): Call => ({ gateway: 'alipay', call, orderNo: order.no });

function statusOf(order: GatewayOrder, found: z.output<typeof queried>): TradeState {
  if (found.out_trade_no !== order.no) throw new NoGatewayAnswer('an answer about another order');
  // Closed without payment, or paid and wholly refunded, and then with the time of payment.
  if (found.trade_status === 'TRADE_CLOSED') return { state: found.send_pay_date ? 'refunded' : 'closed' };
  if (!isPaid(found)) return { state: 'unpaid' };
  const payment = alipayPayment(found, found.send_pay_date);
  if (!payment) throw new NoGatewayAnswer('an answer without an amount');
  return { state: 'paid', payment };
}

const message = trade.extend({
  app_id: z.string(),
  seller_id: z.string(),
  gmt_payment: z.string().optional(),
  /** Only in notifications of refunds; the amount is cumulative. */
  gmt_refund: z.string().default(''),
  out_biz_no: z.string().default(''),
  refund_fee: z.string().default(''),
});

/** Alipay's notifications: forms, signed over their decoded values. */
export class AlipayNotifications implements NotificationReader {
  readonly accepted = { status: 200, contentType: 'text/plain; charset=utf-8', body: 'success' };
  readonly refused = { status: 400, contentType: 'text/plain; charset=utf-8', body: 'failure' };

  constructor(
    private readonly client: Pick<AlipayClient, 'isSigned'>,
    private readonly us: { appId: string; sellerId: string },
  ) {}

  read({ body }: RawNotification): Promise<VerifiedNotification> {
    return Promise.resolve(this.#verify(body));
  }

  #verify(body: Buffer): VerifiedNotification {
    const params = onceEach(new URLSearchParams(body.toString('utf8')));
    if (!params) return { kind: 'forged', why: 'a parameter comes twice' };
    // The SDK would accept the message's own choice, and SHA-1 is not safe any more.
    if (params['sign_type'] !== 'RSA2' || !isCanonicalBase64(params['sign'] ?? ''))
      return { kind: 'forged', why: 'not signed by RSA2' };
    if (!this.client.isSigned(params)) return { kind: 'forged', why: 'the signature is wrong' };
    const read = message.safeParse(params);
    if (!read.success) return { kind: 'forged', why: 'the message cannot be read' };
    return this.#interpret(read.data);
  }

  #interpret(of: z.output<typeof message>): VerifiedNotification {
    const isRefund = of.gmt_refund !== '' || of.out_biz_no !== '' || !/^[0.]*$/.test(of.refund_fee);
    const parts = [
      of.trade_no,
      of.trade_status,
      ...(isRefund ? [of.out_biz_no || of.gmt_refund || of.refund_fee] : []),
    ];
    const named = { subject: parts.join(':'), orderNo: of.out_trade_no };
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
