import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import { lastTakenOf, refundAmount, takenForMoney, takenFrom, unusedOf, type Unused } from '@yiqiao/domain/refunds';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Ledger, type AccountView, type Posting } from '../ledger/ledger.js';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { OrderBook, type RechargeOrder } from './order-book.js';
import { numberAt } from './order-number.js';
import { entryOf, extrasOf, oppositeOf, paidOrderOf, planLeft, poolEntriesOf, rechargeEntryOf } from './refundable.js';

/** A payment as its refund sees it. Amounts in fen; what is said of a refund is said of the last one. */
export type Refundable = {
  id: number;
  orderId: number;
  gateway: string;
  tradeNo: string;
  amount: number;
  verdict: PaymentVerdict;
  state: 'started' | 'done' | 'refused' | null;
  refundNo: string | null;
  refundAmount: number | null;
  /** By refunds before the last one. */
  refundedBefore: number;
  cmdId: string | null;
  managerId: number | null;
  reason: string | null;
};

/** fen that went back, or are about to. */
export const refundedOf = ({ state, refundAmount, refundedBefore }: Refundable): number =>
  refundedBefore + (state === 'done' || state === 'started' ? (refundAmount ?? 0) : 0);

/** Who takes or gives back, under which command. */
export type Motive = { managerId: number; reason: string; cmdId: string };

/** What a refund does to quota (docs/decisions/0014, 0043). Everything in the caller's transaction, which holds the order's lock. */
@Injectable()
export class Refunds {
  constructor(
    private readonly book: OrderBook,
    private readonly members: Members,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** The payment with its order, that locked first. Throws NOT_FOUND. */
  async lock(em: EntityManager, paymentId: number): Promise<{ payment: Refundable; order: RechargeOrder }> {
    const [found] = await em.execute<{ order_id: number }[]>('SELECT order_id FROM payment WHERE id = ?', [paymentId]);
    const order = found && (await this.book.lock(em, { id: Number(found.order_id) }));
    const payment = order && (await readRefundable(em, paymentId));
    if (!payment) throw new Refusal('NOT_FOUND');
    return { payment, order };
  }

  /** The number of a refund of this amount: that of a refused one, for the gateway gives the money back once under it; else a new one. */
  numberFor({ state, refundNo, refundAmount }: Refundable, amount: number): string {
    if (state === 'refused' && refundNo !== null && refundAmount === amount) return refundNo;
    return numberAt(this.clock.toWire(this.clock.now()), 'RF');
  }

  /**
   * Takes back what is unused of the order, and answers what that is worth, in fen. Throws REFUND_NOT_POSSIBLE when nothing is, or too
   * little for a fen.
   */
  takeBack(em: EntityManager, order: RechargeOrder, payment: Refundable, motive: Motive): Promise<number> {
    return this.#take(em, order, motive, (unused) => {
      const amount = refundAmount(unused, { amount: payment.amount, refunded: refundedOf(payment) });
      return { bought: unused.unused, units: unused.there, amount };
    });
  }

  /**
   * Money that the gateway gave back already: its share of the order's quota goes, as far as it is unused. Answers what was due and what
   * could be taken, in the units in which it was bought.
   */
  async takeShareOf(
    em: EntityManager,
    order: RechargeOrder,
    { payment, amount }: { payment: Refundable; amount: number },
    motive: Motive,
  ): Promise<{ due: number; taken: number; kind: 'characters' | 'minutes' }> {
    const isWhole = refundedOf(payment) + amount === payment.amount;
    const isTime = billingModeOf(order.billingMode) === 'time';
    const answer = { due: 0, taken: 0, kind: isTime ? ('minutes' as const) : ('characters' as const) };
    const member = await this.members.lock(em, order.userId);
    // Whoever has logged off has nothing that could be taken.
    if (!member) return answer;
    await this.#take(
      em,
      order,
      motive,
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
    motive: Motive,
    decide: (unused: Unused) => { bought: number; units: number; amount: number },
    leavesPlan = true,
  ): Promise<number> {
    const member = await this.members.lock(em, order.userId);
    if (!member) throw new Refusal('REFUND_NOT_POSSIBLE');
    // Nothing is used between looking and taking.
    await em.execute('SELECT 1 FROM member_account WHERE user_id = ? FOR NO KEY UPDATE', [order.userId]);
    const recharge = await rechargeEntryOf(em, order);
    const entries = await poolEntriesOf(em, order, recharge);
    await recordMotive(em, order, motive);
    let amount = 0;
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      const unused = unusedOf(paidOrderOf(order), entries, { state: main.state, held: main.held.charNum, now });
      const taken = decide(unused);
      amount = taken.amount;
      if (amount < 1) throw new Refusal('REFUND_NOT_POSSIBLE');
      const refs = { orderId: order.id, managerId: motive.managerId, memberGroupId: order.memberGroupId };
      const movement = {
        type: 'SYS_ADJUST',
        ...takenFrom(main, { extras: extrasOf(order, recharge), taken, of: unused.bought, now }),
        amount: -amount,
        refs,
      } as const;
      return [{ userId: order.userId, movement }];
    };
    await this.#move(em, order, { rule, cmdId: motive.cmdId }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH') throw new Refusal('REFUND_NOT_POSSIBLE');
      throw error;
    });
    if (leavesPlan) await this.#join(em, member, await planLeft(em, order.userId, order.id));
    return amount;
  }

  /** The gateway kept the money: what was taken under `taken` comes back. Whoever has logged off meanwhile has no account for it. */
  async giveBack(em: EntityManager, order: RechargeOrder, motive: Motive, taken: string): Promise<void> {
    const member = await this.members.lock(em, order.userId);
    if (!member) return;
    const entry = await entryOf(em, order.userId, taken);
    const entries = await poolEntriesOf(em, order, await rechargeEntryOf(em, order));
    await recordMotive(em, order, motive);
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      const refs = { orderId: order.id, managerId: motive.managerId, memberGroupId: order.memberGroupId };
      const back = lastTakenOf(paidOrderOf(order), entries, { state: main.state, now });
      return [{ userId: order.userId, movement: { type: 'SYS_ADJUST', ...oppositeOf(entry, back, main, now), refs } }];
    };
    await this.#move(em, order, { rule, cmdId: motive.cmdId });
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

/** The payment, its refund included; on the connection of `em`. */
export async function readRefundable(em: EntityManager, paymentId: number): Promise<Refundable | null> {
  const [row] = await em.execute<Refundable[]>(
    `SELECT id, order_id AS "orderId", gateway, trade_no AS "tradeNo", amount, verdict, refund_state AS state,
       refund_no AS "refundNo", refund_amount AS "refundAmount", refunded_before AS "refundedBefore", refund_cmd AS "cmdId",
       refund_manager_id AS "managerId", refund_reason AS reason
     FROM payment WHERE id = ?`,
    [paymentId],
  );
  if (!row) return null;
  const { id, orderId, amount, managerId, refundAmount: last, refundedBefore } = row;
  return {
    ...row,
    ...{ id: Number(id), orderId: Number(orderId), amount: Number(amount), refundedBefore: Number(refundedBefore) },
    refundAmount: last === null ? null : Number(last),
    managerId: managerId === null ? null : Number(managerId),
  };
}

/** What a refund is written down with. `source`: whether we ask the gateway for it, or it was made there. Amount in fen. */
export type NewRefund = Motive & { refundNo: string; amount: number; source: 'operator' | 'gateway' };

/** Makes `refund` the last one of its payment; one that was done before it is kept beside. */
export async function writeRefund(em: EntityManager, { id }: Refundable, refund: NewRefund): Promise<void> {
  await em.execute(
    `INSERT INTO earlier_refund (no, payment_id, amount, cmd_id, manager_id, reason, source, refunded_at)
     SELECT refund_no, id, refund_amount, refund_cmd, refund_manager_id, refund_reason, refund_source, refunded_at
     FROM payment WHERE id = ? AND refund_state = 'done'`,
    [id],
  );
  const isDone = refund.source === 'gateway';
  await em.execute(
    `UPDATE payment SET refunded_before = refunded_before + CASE WHEN refund_state = 'done' THEN refund_amount ELSE 0 END,
       refund_state = ?, refund_no = ?, refund_amount = ?, refund_cmd = ?, refund_manager_id = ?, refund_reason = ?, refund_source = ?,
       refunded_at = CASE WHEN ? THEN clock_timestamp() END, refund_answer = NULL
     WHERE id = ?`,
    [
      ...[isDone ? 'done' : 'started', refund.refundNo, refund.amount, refund.cmdId, refund.managerId, refund.reason],
      ...[refund.source, isDone, id],
    ],
  );
}

/** Why the entry of this command is written, for the member to read and the audit to find. */
async function recordMotive(em: EntityManager, order: RechargeOrder, motive: Motive): Promise<void> {
  await em.execute(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (cmd_id) DO NOTHING`,
    [motive.cmdId, motive.managerId, order.userId, order.familyId, motive.reason],
  );
}
