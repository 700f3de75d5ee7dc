import { yuanOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { beijingTime } from '../beijing-time.js';
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
import type { AlipayClient } from './client.js';
import { alipayPayment, isPaid, trade } from './trade.js';

const queried = trade.extend({ send_pay_date: z.string().optional() });
const refunded = z.looseObject({ fund_change: z.string().optional() });
const refundFound = z.looseObject({ refund_status: z.string().optional() });

const NO_TRADE = 'ACQ.TRADE_NOT_EXIST';

/** ALI_NATIVE: the page that Alipay shows a browser (alipay.trade.page.pay). */
export class AlipayChannel implements PayChannel {
  constructor(
    private readonly client: AlipayClient,
    private readonly urls: { publicUrl: string; notifyUrl: string },
  ) {}

  /**
   * Signs a form; nobody is asked, and the gateway hears of the order when the form is posted. Every value is pure ASCII (decisions §5):
   * the browser may post it in GBK, and the bytes are still those that were signed.
   */
  offer(order: GatewayOrder): Promise<string> {
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

  query(order: GatewayOrder): Promise<Standing> {
    const call = callOf('query', order);
    return answered(call, () => this.#standing(call, order));
  }

  /** A form that nobody posted has made no trade: there is nothing to close, and its time to pay ends by itself. */
  async close(order: GatewayOrder): Promise<Standing> {
    const call = callOf('close', order);
    const close = () => again(call, () => this.client.ask('alipay.trade.close', { out_trade_no: order.no }));
    return answered(call, () =>
      closeOrAsk(
        async () => void (await close()),
        () => this.#standing(call, order),
      ),
    );
  }

  async refund(refund: GatewayRefund): Promise<RefundState> {
    const call = callOf('refund', refund.order);
    const give = () =>
      this.client.ask('alipay.trade.refund', {
        out_trade_no: refund.order.no,
        trade_no: refund.tradeNo,
        refund_amount: yuanOf(refund.amount),
        out_request_no: refund.refundNo,
        refund_reason: reasonOf(refund),
      });
    return answered(call, async () => {
      try {
        const { fund_change } = understood(refunded, await again(call, give));
        if (fund_change === 'Y') return { state: 'done' };
      } catch (error) {
        if (!(error instanceof SaidNo)) throw error;
        return (await this.#isRefunded(call, refund)) ? { state: 'done' } : refusedRefund(call, error);
      }
      // No money moved with this call: it did with an earlier one of the same number, or has not yet.
      return { state: (await this.#isRefunded(call, refund)) ? 'done' : 'pending' };
    });
  }

  async #standing(call: Call, order: GatewayOrder): Promise<Standing> {
    try {
      const node = await again(call, () => this.client.ask('alipay.trade.query', { out_trade_no: order.no }));
      return standingOf(order, understood(queried, node));
    } catch (error) {
      if (error instanceof SaidNo && error.code === NO_TRADE) return { state: 'absent' };
      throw error;
    }
  }

  async #isRefunded(call: Call, { order, refundNo }: GatewayRefund): Promise<boolean> {
    const asked = { out_trade_no: order.no, out_request_no: refundNo };
    const ask = () => again(call, () => this.client.ask('alipay.trade.fastpay.refund.query', asked));
    const found = await lookUp([NO_TRADE], ask);
    return found !== null && understood(refundFound, found).refund_status === 'REFUND_SUCCESS';
  }
}

const callOf = (call: Call['call'], order: GatewayOrder): Call => ({ gateway: 'alipay', call, orderNo: order.no });

function standingOf(order: GatewayOrder, found: z.output<typeof queried>): Standing {
  if (found.out_trade_no !== order.no) throw new NoAnswer('an answer about another order');
  // Closed unpaid, or paid and wholly refunded: then it says when it was paid.
  if (found.trade_status === 'TRADE_CLOSED') return { state: found.send_pay_date ? 'refunded' : 'closed' };
  if (!isPaid(found)) return { state: 'unpaid' };
  const payment = alipayPayment(found, found.send_pay_date);
  if (!payment) throw new NoAnswer('an answer without an amount');
  return { state: 'paid', payment };
}
