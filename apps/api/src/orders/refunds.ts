import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { lastTakenOf, refundAmount, takenForMoney, takenFrom, unusedOf, type Unused } from '@yiqiao/domain/refunds';
import { minutesLeft } from '@yiqiao/domain/conversion';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Ledger, type AccountView, type Posting } from '../ledger/ledger.js';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { ManagerAction } from '../platform/manager-actions.js';
import { OrderRepository, type RechargeOrder } from './order-repository.js';
import { numberAt } from './order-number.js';
import { EarlierRefund } from './payment.entity.js';
import { Payment, refundedOf } from './payments.js';
import {
  entryOf,
  extrasOf,
  oppositeOf,
  paidOrderOf,
  planLeft,
  poolEntriesOf,
  rechargeEntryOf,
} from './refund-entries.js';

/** fen refunded or being refunded. */
export const refundTotalOf = ({ refundState, refundAmount, refundedBefore }: Payment): number =>
  refundedBefore + (refundState === 'done' || refundState === 'started' ? (refundAmount ?? 0) : 0);

/** Who changes the quota, why, and under which command. */
export type RefundAction = { managerId: number; reason: string; cmdId: string };

/** What a refund would give back in fen, and the member's quota before and after it. */
export type RefundWorth = { amount: number; kind: 'characters' | 'minutes'; before: number; after: number };

/** Quota changes of refunds (docs/decisions/0014, 0043), in the caller's transaction, which holds the order's lock. */
@Injectable()
export class Refunds {
  constructor(
    private readonly orders: OrderRepository,
    private readonly members: Members,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** Locks the order, then reads its payment. Throws NOT_FOUND. */
  async lock(em: EntityManager, paymentId: number): Promise<{ payment: Payment; order: RechargeOrder }> {
    const found = await readPayment(em, paymentId);
    const order = found && (await this.orders.lock(em, { id: found.orderId }));
    const payment = order && (await readPayment(em, paymentId));
    if (!payment) throw new Refusal('NOT_FOUND');
    return { payment, order };
  }

  /** Reuses the number of a refused refund of the same amount, so that the gateway cannot pay it twice; otherwise a new number. */
  numberFor({ refundState, refundNo, refundAmount }: Payment, amount: number): string {
    if (refundState === 'refused' && refundNo !== null && refundAmount === amount) return refundNo;
    return numberAt(this.clock.toWire(this.clock.now()), 'RF');
  }

  /**
   * Takes the unused quota of the order and returns its worth in fen. Throws REFUND_NOT_POSSIBLE when it is worth less than one fen.
   */
  takeBack(em: EntityManager, order: RechargeOrder, payment: Payment, action: RefundAction): Promise<number> {
    return this.#take(em, order, action, (unused) => {
      const amount = refundAmount(unused, { amount: payment.amount, refunded: refundTotalOf(payment) });
      return { bought: unused.unused, units: unused.there, amount };
    });
  }

  /** What `takeBack` would take now, without a lock: `units` of the quota, worth `amount` fen. Throws like it. */
  async worthOf(em: EntityManager, order: RechargeOrder, payment: Payment): Promise<RefundWorth> {
    const entries = await poolEntriesOf(em, order, await rechargeEntryOf(em, order));
    const { accounts, now } = await this.ledger.view(em, { userIds: [order.userId] });
    const [main] = accounts;
    if (!main) throw new Refusal('REFUND_NOT_POSSIBLE');
    const unused = unusedOf(paidOrderOf(order), entries, { state: main.state, held: main.held.charNum, now });
    const amount = refundAmount(unused, { amount: payment.amount, refunded: refundTotalOf(payment) });
    if (amount < 1) throw new Refusal('REFUND_NOT_POSSIBLE');
    const kind = main.state.billingMode === 'time' ? 'minutes' : 'characters';
    const before = kind === 'minutes' ? minutesLeft(main.state.expireAt, now) : main.state.charNum;
    return { amount, kind, before, after: Math.max(0, before - unused.there) };
  }

  /**
   * Takes the order's share of quota for money that the gateway has refunded already, as far as it is unused. Returns what was due and
   * what was taken, in the units of the purchase.
   */
  async takeShareOf(
    em: EntityManager,
    order: RechargeOrder,
    { payment, amount }: { payment: Payment; amount: number },
    action: RefundAction,
  ): Promise<{ due: number; taken: number; kind: 'characters' | 'minutes' }> {
    const isWhole = refundTotalOf(payment) + amount === payment.amount;
    const isTime = billingModeOf(order.billingMode) === 'time';
    const answer = { due: 0, taken: 0, kind: isTime ? ('minutes' as const) : ('characters' as const) };
    const member = await this.members.lock(em, order.userId);
    // A closed account has no quota.
    if (!member) return answer;
    await this.#take(
      em,
      order,
      action,
      (unused) => {
        const { due, ...taken } = takenForMoney(unused, { amount, paid: payment.amount, isWhole });
        Object.assign(answer, { due, taken: taken.bought });
        return { ...taken, amount };
      },
      isWhole,
    );
    return answer;
  }

  async #take(
    em: EntityManager,
    order: RechargeOrder,
    action: RefundAction,
    decide: (unused: Unused) => { bought: number; units: number; amount: number },
    leavesPlan = true,
  ): Promise<number> {
    const member = await this.members.lock(em, order.userId);
    if (!member) throw new Refusal('REFUND_NOT_POSSIBLE');
    // Nothing may be consumed between reading and taking. Raw SQL: FOR NO KEY UPDATE, on a table of the ledger.
    await em.execute('SELECT 1 FROM member_account WHERE user_id = ? FOR NO KEY UPDATE', [order.userId]);
    const recharge = await rechargeEntryOf(em, order);
    const entries = await poolEntriesOf(em, order, recharge);
    await recordManagerAction(em, order, action);
    let amount = 0;
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      const unused = unusedOf(paidOrderOf(order), entries, { state: main.state, held: main.held.charNum, now });
      const taken = decide(unused);
      amount = taken.amount;
      if (amount < 1) throw new Refusal('REFUND_NOT_POSSIBLE');
      const refs = { orderId: order.id, managerId: action.managerId, memberGroupId: order.memberGroupId };
      const movement = {
        type: 'SYS_ADJUST',
        ...takenFrom(main, { extras: extrasOf(order, recharge), taken, of: unused.bought, now }),
        amount: -amount,
        refs,
      } as const;
      return [{ userId: order.userId, movement }];
    };
    await this.#move(em, order, { rule, cmdId: action.cmdId }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH') throw new Refusal('REFUND_NOT_POSSIBLE');
      throw error;
    });
    if (leavesPlan) await this.#join(em, member, await planLeft(em, order.userId, order.id));
    return amount;
  }

  /** Returns the quota taken by the command `taken`, because the gateway refused the refund. A closed account is left alone. */
  async giveBack(em: EntityManager, order: RechargeOrder, action: RefundAction, taken: string): Promise<void> {
    const member = await this.members.lock(em, order.userId);
    if (!member) return;
    const entry = await entryOf(em, order.userId, taken);
    const entries = await poolEntriesOf(em, order, await rechargeEntryOf(em, order));
    await recordManagerAction(em, order, action);
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      const refs = { orderId: order.id, managerId: action.managerId, memberGroupId: order.memberGroupId };
      const back = lastTakenOf(paidOrderOf(order), entries, { state: main.state, now });
      return [{ userId: order.userId, movement: { type: 'SYS_ADJUST', ...oppositeOf(entry, back, main, now), refs } }];
    };
    await this.#move(em, order, { rule, cmdId: action.cmdId });
    await this.#join(em, member, await planLeft(em, order.userId, null));
  }

  async #join(em: EntityManager, member: Member, plan: number | null): Promise<void> {
    if (plan === null || plan === member.memberGroupId) return;
    await this.members.changeGroup(em, member.id, { from: member.memberGroupId, to: plan });
  }

  async #move(
    em: EntityManager,
    { userId }: RechargeOrder,
    { rule, cmdId }: { rule: (accounts: readonly AccountView[], now: number) => Posting[]; cmdId: string },
  ): Promise<void> {
    await this.ledger.move(em, { userIds: [userId] }, { rule, command: { cmdId } });
  }
}

/** The payment as it is now; on the connection of `em`. */
export const readPayment = (em: EntityManager, id: number): Promise<Payment | null> =>
  em.findOne(Payment, { id }, { disableIdentityMap: true });

/** `source`: whether we request the refund from the gateway, or it was made there. Amount in fen. */
export type NewRefund = RefundAction & { refundNo: string; amount: number; source: 'operator' | 'gateway' };

/** Makes `refund` the last one of its payment, which the caller has locked, and archives the one before it. */
export async function writeRefund(em: EntityManager, payment: Payment, refund: NewRefund): Promise<void> {
  const last = em
    .createQueryBuilder(Payment)
    .select([
      'refundNo',
      'id',
      'refundAmount',
      'refundCmd',
      'refundManagerId',
      'refundReason',
      'refundSource',
      'refundedAt',
    ])
    .where({ id: payment.id, refundState: 'done' });
  await em
    .createQueryBuilder(EarlierRefund)
    .insertFrom(last, {
      columns: ['no', 'paymentId', 'amount', 'cmdId', 'managerId', 'reason', 'source', 'refundedAt'],
    })
    .execute();
  const isDone = refund.source === 'gateway';
  await em.nativeUpdate(
    Payment,
    { id: payment.id },
    {
      refundedBefore: refundedOf(payment),
      refundState: isDone ? 'done' : 'started',
      refundNo: refund.refundNo,
      refundAmount: refund.amount,
      refundCmd: refund.cmdId,
      refundManagerId: refund.managerId,
      refundReason: refund.reason,
      refundSource: refund.source,
      refundedAt: isDone ? raw('clock_timestamp()') : null,
      refundAnswer: null,
    },
  );
}

/** Records who changed the account and why, for the member and for the audit. */
async function recordManagerAction(em: EntityManager, order: RechargeOrder, action: RefundAction): Promise<void> {
  const { userId, familyId } = order;
  await em.upsert(
    ManagerAction,
    { ...action, userId, familyId },
    { onConflictFields: ['cmdId'], onConflictAction: 'ignore' },
  );
}
