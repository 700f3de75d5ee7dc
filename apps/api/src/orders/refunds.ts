import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import { Ledger, type AccountView, type Posting } from '../ledger/ledger.js';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { OrderBook, type RechargeOrder } from './order-book.js';
import { numberAt } from './order-number.js';
import { adjustmentBy, effectOf, planLeft, rechargeEntryOf, requireAlive, requireUnused } from './refundable.js';

/** A payment as its refund sees it. `amount` in fen. */
export type Refundable = {
  id: number;
  orderId: number;
  gateway: string;
  tradeNo: string;
  amount: number;
  verdict: PaymentVerdict;
  state: 'started' | 'done' | 'refused' | null;
  refundNo: string | null;
  cmdId: string | null;
  managerId: number | null;
  reason: string | null;
};

/** Who takes or gives back, under which command. */
export type Motive = { managerId: number; reason: string; cmdId: string };

/** What a refund does to quota (docs/decisions/0014). Everything in the caller's transaction, which holds the order's lock. */
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

  /** The number of its refund, the same at every try, so that the gateway gives the money back once. */
  numberOf(payment: Refundable): string {
    return payment.refundNo ?? numberAt(this.clock.toWire(this.clock.now()), 'RF');
  }

  /** Takes back what the order added. Throws REFUND_NOT_POSSIBLE unless it is all there, unused. */
  async takeBack(em: EntityManager, order: RechargeOrder, motive: Motive): Promise<void> {
    const member = await this.members.lock(em, order.userId);
    if (!member) throw new Refusal('REFUND_NOT_POSSIBLE');
    const recharge = await rechargeEntryOf(em, order);
    await recordMotive(em, order, motive);
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      requireAlive(main, recharge, now);
      const { managerId } = motive;
      return [
        {
          userId: order.userId,
          movement: adjustmentBy(effectOf(order, recharge, -1), main, { order, managerId, now }),
        },
      ];
    };
    await this.#move(em, order, { rule, cmdId: motive.cmdId }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'QUOTA_NOT_ENOUGH') throw new Refusal('REFUND_NOT_POSSIBLE');
      throw error;
    });
    await requireUnused(em, order, recharge);
    await this.#join(em, member, await planLeft(em, order.userId, order.id));
  }

  /** The gateway kept the money: the quota comes back. Whoever has logged off meanwhile has no account for it. */
  async giveBack(em: EntityManager, order: RechargeOrder, motive: Motive): Promise<void> {
    const member = await this.members.lock(em, order.userId);
    if (!member) return;
    const recharge = await rechargeEntryOf(em, order);
    await recordMotive(em, order, motive);
    const rule = ([main]: readonly AccountView[], now: number): Posting[] => {
      if (!main) throw new Error(`member ${order.userId} has no account`);
      const { managerId } = motive;
      return [
        { userId: order.userId, movement: adjustmentBy(effectOf(order, recharge, 1), main, { order, managerId, now }) },
      ];
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
       refund_no AS "refundNo", refund_cmd AS "cmdId", refund_manager_id AS "managerId", refund_reason AS reason
     FROM payment WHERE id = ?`,
    [paymentId],
  );
  if (!row) return null;
  const { id, orderId, amount, managerId } = row;
  return {
    ...row,
    ...{ id: Number(id), orderId: Number(orderId), amount: Number(amount) },
    managerId: managerId === null ? null : Number(managerId),
  };
}

/** Why the entry of this command is written, for the member to read and the audit to find. */
async function recordMotive(em: EntityManager, order: RechargeOrder, motive: Motive): Promise<void> {
  await em.execute(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (cmd_id) DO NOTHING`,
    [motive.cmdId, motive.managerId, order.userId, order.familyId, motive.reason],
  );
}
