import { yuanOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { compactTime } from '../beijing-time.js';
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
import type { LianlianClient } from './client.js';
import { isClosed, isPaid, lianlianPayment, transaction } from './transaction.js';

const created = z.looseObject({ payload: z.string().min(1) });
const refundFound = z.looseObject({ refund_status: z.string().default('') });

const NO_RECORD = ['9901', '8901'];
const PAID_ALREADY = '2007';
const GOODS = '会员套餐';
const MINUTE_MS = 60_000;

/** A QR code of Alipay's or WeChat's that LianLian makes (open platform, ipay). */
export class LianlianChannel implements PayChannel {
  constructor(
    private readonly client: LianlianClient,
    private readonly payType: 'ALIPAY_NATIVE' | 'WECHAT_NATIVE',
    private readonly notifyUrl: string,
  ) {}

  /** The same request at every try. Until it has answered, nobody has seen a code that could be paid. */
  offer(order: GatewayOrder): Promise<string> {
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
    const call = callOf('offer', order);
    return answered(call, async () => {
      try {
        return understood(created, await again(call, () => this.client.ask('/mch/v1/ipay/createpay', content))).payload;
      } catch (error) {
        // It is paid: no refusal of the order, and a query will tell.
        if (error instanceof SaidNo && error.code === PAID_ALREADY) throw new NoAnswer(error.message);
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
    return answered(call, () =>
      closeOrAsk(
        async () => void (await again(call, () => this.client.ask('/mch/v1/ipay/close', naming(order)))),
        () => this.#standing(call, order),
      ),
    );
  }

  /** Nothing says that a refund may be asked for twice under one number: it is looked up first, and asked for once. */
  refund(refund: GatewayRefund): Promise<RefundState> {
    const call = callOf('refund', refund.order);
    return answered(call, async () => {
      const earlier = await this.#found(call, refund);
      if (earlier) return earlier;
      try {
        await this.#give(refund);
      } catch (error) {
        const found = await this.#found(call, refund);
        if (found) return found;
        if (error instanceof SaidNo) return refusedRefund(call, error);
        throw error;
      }
      return (await this.#found(call, refund)) ?? { state: 'pending' };
    });
  }

  async #give(refund: GatewayRefund): Promise<void> {
    const { order, refundNo } = refund;
    const amount = yuanOf(refund.amount);
    await this.client.ask('/mch/v1/ipay/refund', {
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
    const ask = () => this.client.ask('/query/v1/ipay/refundquery', { refund_seqno: refundNo });
    const found = await lookUp(NO_RECORD, () => again(call, ask));
    if (found === null) return null;
    const { refund_status } = understood(refundFound, found);
    if (refund_status === 'SUCCESS') return { state: 'done' };
    const isOver = ['FAIL', 'FAILURE', 'CLOSE', 'CLOSED'].includes(refund_status);
    return isOver ? { state: 'refused', why: refund_status } : { state: 'pending' };
  }

  async #standing(call: Call, order: GatewayOrder): Promise<Standing> {
    const ask = () => this.client.ask('/query/v1/ipay/orderquery', naming(order));
    try {
      const found = understood(transaction, await again(call, ask));
      if (found.txn_seqno !== order.no) throw new NoAnswer('an answer about another order');
      if (isClosed(found)) return { state: 'closed' };
      if (!isPaid(found)) return { state: 'unpaid' };
      const payment = lianlianPayment(found);
      if (!payment) throw new NoAnswer('a payment without a number or an amount');
      return { state: 'paid', payment };
    } catch (error) {
      if (error instanceof SaidNo && NO_RECORD.includes(error.code)) return { state: 'absent' };
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
