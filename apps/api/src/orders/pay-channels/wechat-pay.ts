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
import { WechatPayClient, decrypted, encryptedResource, rejectionReason } from './wechat-pay-client.js';
import { timeOf, zonedTime } from './beijing-time.js';
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

/** Null without keys. `now` in milliseconds. */
export function openWechatPay(config: Config, now: () => number = Date.now): GatewayConnection | null {
  const { env } = config;
  const { WECHAT_PAY_APP_ID: appId, WECHAT_PAY_MCH_ID: mchId, WECHAT_PAY_SERIAL: serial } = env;
  const { WECHAT_PAY_PRIVATE_KEY: privateKey, WECHAT_PAY_V3_KEY: v3Key } = env;
  if (!appId || !mchId || !serial || !privateKey || !v3Key) return null;
  const { WECHAT_PAY_PUBLIC_KEY_ID: id, WECHAT_PAY_PUBLIC_KEY: key } = env;
  const { WECHAT_PAY_URL: url, PAY_GATEWAY_TIMEOUT_MS: timeoutMs } = env;
  const publicKey = id && key ? { id, key } : null;
  const client = new WechatPayClient({ url, appId, mchId, serial, privateKey, v3Key, publicKey, timeoutMs, now });
  return {
    channels: { WC_NATIVE: new WechatPayChannel(client, config.notifyUrl) },
    notifications: new WechatPayNotifications(client),
  };
}

/** The fields of an order in answers and notifications; those of a payment are optional. */
export const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().optional(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR']),
  success_time: z.string().optional(),
  /** fen. `total` is the order's amount; the payer may have paid less with a coupon of WeChat's. */
  amount: z.object({ total: z.int().nonnegative(), currency: z.string() }).optional(),
});
export type Transaction = z.output<typeof transaction>;

export const isOurs = (of: Transaction, us: { appId: string; mchId: string }): boolean =>
  of.appid === us.appId && of.mchid === us.mchId;

/** Null when unpaid, or without a number or an amount. */
export function wechatPayment(of: Transaction): GatewayPayment | null {
  if (of.trade_state !== 'SUCCESS' || !of.transaction_id || !of.amount) return null;
  return {
    gateway: 'wechat',
    orderNo: of.out_trade_no,
    tradeNo: of.transaction_id,
    amount: of.amount.total,
    currency: of.amount.currency,
    paidAt: timeOf(of.success_time),
  };
}

const prepaid = z.object({ code_url: z.string().min(1) });
const refunded = z.object({
  out_refund_no: z.string(),
  status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']),
});

/** WeChat Pay rejects orders that expire within a minute. */
const LIFE_MS_MIN = 61_000;

/** WC_NATIVE: a QR code that the member scans with WeChat (API v3, native). */
export class WechatPayChannel implements PayChannel {
  constructor(
    private readonly client: WechatPayClient,
    private readonly notifyUrl: string,
  ) {}

  /** Sends the same request at every try: WeChat Pay accepts only one per number. */
  createPayment(order: GatewayOrder): Promise<string> {
    const { appId, mchId } = this.client.settings;
    const body = {
      appid: appId,
      mchid: mchId,
      description: `会员套餐 ${order.no}`,
      out_trade_no: order.no,
      time_expire: zonedTime(Math.max(order.expiresAt.getTime(), order.createdAt.getTime() + LIFE_MS_MIN)),
      notify_url: `${this.notifyUrl}/pay/notify/wechat`,
      amount: { total: order.amount, currency: 'CNY' },
    };
    const call = callOf('pay', order);
    return mapGatewayErrors(call, async () => {
      try {
        const path = '/v3/pay/transactions/native';
        return parseAnswer(prepaid, await retryOnce(call, () => this.client.request({ method: 'POST', path, body })))
          .code_url;
      } catch (error) {
        // Paid already: not a rejection; a query finds the payment.
        if (error instanceof GatewayRejection && error.code === 'ORDERPAID') throw new NoGatewayAnswer(error.message);
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
    const close = {
      method: 'POST',
      path: `${pathOf(order)}/close`,
      body: { mchid: this.client.settings.mchId },
    } as const;
    return mapGatewayErrors(call, () =>
      closeOrQuery(
        async () => void (await retryOnce(call, () => this.client.request(close))),
        () => this.#tradeState(call, order),
      ),
    );
  }

  /** Repeating the request returns the state of the refund. */
  refund(refund: GatewayRefund): Promise<RefundState> {
    const body = {
      transaction_id: refund.tradeNo,
      out_refund_no: refund.refundNo,
      ...(refund.reason ? { reason: reasonOf(refund) } : {}),
      amount: { refund: refund.amount, total: refund.total, currency: 'CNY' },
    };
    const call = callOf('refund', refund.order);
    const give = { method: 'POST', path: '/v3/refund/domestic/refunds', body } as const;
    return mapGatewayErrors(call, async () => {
      try {
        return stateOf(refund, await retryOnce(call, () => this.client.request(give)));
      } catch (error) {
        if (!(error instanceof GatewayRejection)) throw error;
        return (await this.#earlierRefund(call, refund)) ?? refundRejection(call, error);
      }
    });
  }

  async #tradeState(call: Call, order: GatewayOrder): Promise<TradeState> {
    const { settings } = this.client;
    const path = `${pathOf(order)}?mchid=${encodeURIComponent(settings.mchId)}`;
    try {
      const found = parseAnswer(transaction, await retryOnce(call, () => this.client.request({ method: 'GET', path })));
      if (!isOurs(found, settings) || found.out_trade_no !== order.no)
        throw new NoGatewayAnswer('an answer about another order');
      // A refunded payment must not be credited.
      if (found.trade_state === 'REFUND') return { state: 'refunded' };
      if (['CLOSED', 'REVOKED'].includes(found.trade_state)) return { state: 'closed' };
      if (found.trade_state !== 'SUCCESS') return { state: 'unpaid' };
      const payment = wechatPayment(found);
      if (!payment) throw new NoGatewayAnswer('a payment without a number or an amount');
      return { state: 'paid', payment };
    } catch (error) {
      if (error instanceof GatewayRejection && ['ORDER_NOT_EXIST', 'ORDERNOTEXIST'].includes(error.code))
        return { state: 'absent' };
      throw error;
    }
  }

  async #earlierRefund(call: Call, refund: GatewayRefund): Promise<RefundState | null> {
    const path = `/v3/refund/domestic/refunds/${encodeURIComponent(refund.refundNo)}`;
    const ask = () => retryOnce(call, () => this.client.request({ method: 'GET', path }));
    const found = await findOrNull(['RESOURCE_NOT_EXISTS', 'RESOURCE_NOT_EXIST'], ask);
    return found === null ? null : stateOf(refund, found);
  }
}

const callOf = (call: Call['call'], order: GatewayOrder): Call => ({ gateway: 'wechat', call, orderNo: order.no });
const pathOf = (order: GatewayOrder): string => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(order.no)}`;

/** ABNORMAL: the member's bank rejected the money; it is refunded by hand on the merchant's pages, so it is not refused. */
function stateOf(refund: GatewayRefund, answer: unknown): RefundState {
  const { out_refund_no, status } = parseAnswer(refunded, answer);
  if (out_refund_no !== refund.refundNo) throw new NoGatewayAnswer('an answer about another refund');
  if (status === 'CLOSED') return { state: 'refused', why: status };
  return { state: status === 'SUCCESS' ? 'done' : 'pending' };
}

const json = z.string().transform((text, ctx): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    ctx.addIssue('no JSON');
    return z.NEVER;
  }
});
const event = json.pipe(z.object({ event_type: z.string(), resource: encryptedResource }));
/** A refund, or an event type that we do not know. */
const other = z.object({
  mchid: z.string(),
  out_trade_no: z.string().nullish(),
  transaction_id: z.string().default(''),
  out_refund_no: z.string().default(''),
});

/** The certificate could not be fetched: the message is sent again and may be verified then. */
const noKey = (error: unknown): string => {
  if (error instanceof NoGatewayAnswer) return error.message;
  throw error;
};

/** WeChat Pay's notifications: signed like answers, with content encrypted by the APIv3 key. */
export class WechatPayNotifications implements NotificationReader {
  readonly accepted = { status: 204, contentType: 'application/json', body: '' };
  readonly refused = {
    status: 401,
    contentType: 'application/json',
    body: '{"code":"FAIL","message":"not accepted"}',
  };

  constructor(private readonly client: Pick<WechatPayClient, 'keys' | 'settings'>) {}

  async read({ headers, body }: RawNotification): Promise<VerifiedNotification> {
    const { settings, keys } = this.client;
    const why = await rejectionReason({ header: (name) => headers[name], body }, keys, settings.now()).catch(noKey);
    if (why !== null) return { kind: 'forged', why };
    const { data: message } = event.safeParse(body.toString('utf8'));
    if (!message) return { kind: 'forged', why: 'the message cannot be read' };
    const { data: content } = json.safeParse(decrypted(message.resource, settings.v3Key));
    if (content === undefined) return { kind: 'forged', why: 'the content cannot be decrypted' };
    const { event_type: type } = message;
    return type === 'TRANSACTION.SUCCESS' ? this.#payment(content) : this.#other(type, content);
  }

  #payment(content: unknown): VerifiedNotification {
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

  #other(type: string, content: unknown): VerifiedNotification {
    const { data: of } = other.safeParse(content);
    if (!of) return { kind: 'forged', why: 'the content cannot be read' };
    const subject = [of.transaction_id, type, of.out_refund_no].filter(Boolean).join(':');
    const kind = of.mchid === this.client.settings.mchId ? 'other' : 'stranger';
    return { kind, subject, orderNo: of.out_trade_no ?? null };
  }
}
