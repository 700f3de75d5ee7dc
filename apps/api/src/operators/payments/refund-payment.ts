import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, yuanOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { Refunds, StartRefund } from '../../orders/orders.js';
import { Payment, refundedOf } from '../../orders/payments.js';
import { GATEWAYS, VERDICTS } from '../../orders/payments-texts.js';
import { RechargeOrder } from '../../orders/recharge-order.entity.js';
import { ActionLog } from '../action-log.js';
import type { Approved, Asked, RequestCheck, RequestKind, RequestPreview } from '../requests/request-kind.js';

type Refundable = {
  amount: number;
  quota: { kind: 'characters' | 'minutes'; before: number; after: number } | null;
};
type Of = { order: RechargeOrder; payment: Payment };

/** What a request could refund now. Throws the refusal that StartRefund would meet. */
export async function refundableOf(em: EntityManager, refunds: Refunds, { order, payment }: Of): Promise<Refundable> {
  const rest = payment.amount - refundedOf(payment);
  const isOther = payment.gateway !== PAY_CHANNELS[order.payChannel].gateway;
  if (payment.refundState === 'started' || isOther || rest < 1) throw new Refusal('REFUND_NOT_POSSIBLE');
  if (payment.verdict !== 'credit') return { amount: rest, quota: null };
  const { amount, ...quota } = await refunds.worthOf(em, order, payment);
  return { amount, quota };
}

const payload = z.strictObject({ amount: z.int({ error: 'WRONG_TYPE' }).positive({ error: 'WRONG_VALUE' }) });
type Payload = z.output<typeof payload>;

const QUOTA = {
  characters: { zh: '字符', en: 'Characters' },
  minutes: { zh: '分钟', en: 'Minutes' },
};

/** A refund of one payment: of a second one whole, of a credited one what is unused (docs/decisions/0043). */
@Injectable()
export class RefundPayment implements RequestKind<Payload> {
  readonly kind = 'payment.refund';
  readonly targetKind = 'payment';
  readonly payload = payload;

  constructor(
    private readonly commands: CommandBus,
    private readonly refunds: Refunds,
    private readonly actions: ActionLog,
  ) {}

  /** By the id of the payment. */
  async target(em: EntityManager, given: string): Promise<string> {
    await this.#read(em, given);
    return given;
  }

  async preview(em: EntityManager, { target, payload: asked }: Asked<Payload>): Promise<RequestPreview> {
    const { order, payment } = await this.#read(em, target);
    const { amount, quota } = await refundableOf(em, this.refunds, { order, payment });
    if (amount !== asked.amount) throw new Refusal('REFUND_AMOUNT_CHANGED');
    const refunded = refundedOf(payment);
    const verdict = VERDICTS[payment.verdict];
    const name = { zh: `${order.groupName} × ${order.salesNum}`, en: `${order.groupEnName} × ${order.salesNum}` };
    return {
      title: { zh: `退款 ¥${yuanOf(amount)}：${verdict.zh}`, en: `Refund ¥${yuanOf(amount)}: ${verdict.en}` },
      subject: { zh: `${order.no}，${name.zh}`, en: `${order.no}, ${name.en}` },
      amount,
      facts: [
        { label: { zh: '订单', en: 'Order' }, value: order.no },
        { label: { zh: '会员', en: 'Member' }, value: `#${order.userId}` },
        { label: { zh: '交易号', en: 'Transaction' }, value: payment.tradeNo },
        { label: { zh: '网关', en: 'Gateway' }, value: GATEWAYS[payment.gateway] },
        { label: { zh: '判定', en: 'Verdict' }, value: verdict },
        { label: { zh: '付款', en: 'Paid' }, value: `¥${yuanOf(payment.amount)}` },
      ],
      changes: [
        {
          label: { zh: '已退（元）', en: 'Refunded (yuan)' },
          before: yuanOf(refunded),
          after: yuanOf(refunded + amount),
        },
        ...(quota ? [{ label: QUOTA[quota.kind], before: quota.before, after: quota.after }] : []),
      ],
      checks: checksOf(payment, quota),
    };
  }

  async carryOut(em: EntityManager, { target, payload: asked }: Asked<Payload>, approved: Approved): Promise<void> {
    const { maker, reason, cmdId, actor, approvalId } = approved;
    const log = (inner: EntityManager, change: Parameters<ActionLog['record']>[2]): Promise<number> =>
      this.actions.record(inner, actor, { ...change, approvalId, cmdId });
    const by = { managerId: maker.managerId, reason, log };
    await this.commands.execute(new StartRefund(Number(target), by, { em, cmdId, amount: asked.amount }));
  }

  async #read(em: EntityManager, given: string): Promise<Of> {
    const id = /^[1-9]\d{0,14}$/.test(given) ? Number(given) : 0;
    const payment = await em.findOne(Payment, { id }, { disableIdentityMap: true });
    const order = payment && (await em.findOne(RechargeOrder, { id: payment.orderId }, { disableIdentityMap: true }));
    if (!order) throw new Refusal('NOT_FOUND');
    return { order, payment };
  }
}

function checksOf({ verdict }: Payment, quota: Refundable['quota']): RequestCheck[] {
  const effect: RequestCheck = quota
    ? { state: 'note', text: { zh: '收回这笔订单尚未使用的额度', en: 'Takes back the unused quota of this order' } }
    : { state: 'met', text: { zh: '从未入账，退它不动额度', en: 'It was never credited: no quota changes' } };
  const confirmed: RequestCheck = {
    state: 'note',
    text: { zh: '网关确认款项属实后才会退', en: 'It is refunded only if the gateway confirms the payment' },
  };
  return verdict === 'wrongAmount' ? [effect, confirmed] : [effect];
}
