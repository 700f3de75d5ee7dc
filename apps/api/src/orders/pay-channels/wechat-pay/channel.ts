import { z } from 'zod';
import { zonedTime } from '../beijing-time.js';
import {
  again,
  answered,
  closeOrAsk,
  lookUp,
  NoAnswer,
  reasonOf,
  refusedRefund,
  SaidNo,
  understood,
  type Call,
} from '../calls.js';
import type { GatewayOrder, GatewayRefund, PayChannel, RefundState, Standing } from '../pay-channel.js';
import type { WechatPayClient } from './client.js';
import { isOurs, transaction, wechatPayment } from './transaction.js';

const prepaid = z.object({ code_url: z.string().min(1) });
const refunded = z.object({
  out_refund_no: z.string(),
  status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']),
});

/** WeChat Pay takes no order that ends within a minute. */
const LIFE_MS_MIN = 61_000;

/** WC_NATIVE: a QR code that the member scans with WeChat (API v3, native). */
export class WechatPayChannel implements PayChannel {
  constructor(
    private readonly client: WechatPayClient,
    private readonly notifyUrl: string,
  ) {}

  /** The same request at every try: under one number WeChat Pay takes no other. */
  offer(order: GatewayOrder): Promise<string> {
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
    const call = callOf('offer', order);
    return answered(call, async () => {
      try {
        const path = '/v3/pay/transactions/native';
        return understood(prepaid, await again(call, () => this.client.ask({ method: 'POST', path, body }))).code_url;
      } catch (error) {
        // It is paid: no refusal of the order, and a query will tell.
        if (error instanceof SaidNo && error.code === 'ORDERPAID') throw new NoAnswer(error.message);
        throw error;
      }
    });
  }

  query(order: GatewayOrder): Promise<Standing> {
    const call = callOf('query', order);
    return answered(call, () => this.#standing(call, order));
  }

  close(order: GatewayOrder): Promise<Standing> {
    const call = callOf('close', order);
    const close = {
      method: 'POST',
      path: `${pathOf(order)}/close`,
      body: { mchid: this.client.settings.mchId },
    } as const;
    return answered(call, () =>
      closeOrAsk(
        async () => void (await again(call, () => this.client.ask(close))),
        () => this.#standing(call, order),
      ),
    );
  }

  /** Asking for the same refund again is how one learns what became of it. */
  refund(refund: GatewayRefund): Promise<RefundState> {
    const body = {
      transaction_id: refund.tradeNo,
      out_refund_no: refund.refundNo,
      ...(refund.reason ? { reason: reasonOf(refund) } : {}),
      amount: { refund: refund.amount, total: refund.total, currency: 'CNY' },
    };
    const call = callOf('refund', refund.order);
    const give = { method: 'POST', path: '/v3/refund/domestic/refunds', body } as const;
    return answered(call, async () => {
      try {
        return stateOf(refund, await again(call, () => this.client.ask(give)));
      } catch (error) {
        if (!(error instanceof SaidNo)) throw error;
        return (await this.#earlierRefund(call, refund)) ?? refusedRefund(call, error);
      }
    });
  }

  async #standing(call: Call, order: GatewayOrder): Promise<Standing> {
    const { settings } = this.client;
    const path = `${pathOf(order)}?mchid=${encodeURIComponent(settings.mchId)}`;
    try {
      const found = understood(transaction, await again(call, () => this.client.ask({ method: 'GET', path })));
      if (!isOurs(found, settings) || found.out_trade_no !== order.no)
        throw new NoAnswer('an answer about another order');
      // What was paid and given back is not there to be credited.
      if (found.trade_state === 'REFUND') return { state: 'refunded' };
      if (['CLOSED', 'REVOKED'].includes(found.trade_state)) return { state: 'closed' };
      if (found.trade_state !== 'SUCCESS') return { state: 'unpaid' };
      const payment = wechatPayment(found);
      if (!payment) throw new NoAnswer('a payment without a number or an amount');
      return { state: 'paid', payment };
    } catch (error) {
      if (error instanceof SaidNo && ['ORDER_NOT_EXIST', 'ORDERNOTEXIST'].includes(error.code))
        return { state: 'absent' };
      throw error;
    }
  }

  async #earlierRefund(call: Call, refund: GatewayRefund): Promise<RefundState | null> {
    const path = `/v3/refund/domestic/refunds/${encodeURIComponent(refund.refundNo)}`;
    const ask = () => again(call, () => this.client.ask({ method: 'GET', path }));
    const found = await lookUp(['RESOURCE_NOT_EXISTS', 'RESOURCE_NOT_EXIST'], ask);
    return found === null ? null : stateOf(refund, found);
  }
}

const callOf = (call: Call['call'], order: GatewayOrder): Call => ({ gateway: 'wechat', call, orderNo: order.no });
const pathOf = (order: GatewayOrder): string => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(order.no)}`;

/** ABNORMAL: the member's bank did not take it; it is given by hand on the merchant's pages, and not refused. */
function stateOf(refund: GatewayRefund, answer: unknown): RefundState {
  const { out_refund_no, status } = understood(refunded, answer);
  if (out_refund_no !== refund.refundNo) throw new NoAnswer('an answer about another refund');
  if (status === 'CLOSED') return { state: 'refused', why: status };
  return { state: status === 'SUCCESS' ? 'done' : 'pending' };
}
