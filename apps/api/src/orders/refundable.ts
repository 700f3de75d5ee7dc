import type { EntityManager } from '@mikro-orm/postgresql';
import { purchased } from '@yiqiao/domain/conversion';
import { billingModeCode, ENTRY_TYPES, type Movement } from '@yiqiao/domain/ledger';
import { Refusal } from '@yiqiao/domain/errors';
import type { AccountView } from '../ledger/ledger.js';
import { commandIdOf } from '../platform/command-id.js';
import { rechargeOf } from './order-recharge.js';
import type { RechargeOrder } from './recharge-order.entity.js';

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_MATRIX, MATRIX, TRANSLATION_CONSUME, VOICE_CONSUME, OTHER } = ENTRY_TYPES;

/** The quantities of an order with their sign, and by how many milliseconds they move the expiry. */
export type Taken = Required<Pick<Movement, 'charChange' | 'minChange' | 'voiceChange' | 'imageChange'>> & {
  amount: number;
  lifeMs: number;
};

/**
 * What crediting the order added (`sign` 1), or the opposite of it. Where it ended time mode the days belong to the characters that the
 * minutes became (decisions §4): they stay, or what was converted could not be used.
 */
export function effectOf(order: RechargeOrder, recharge: Recharged, sign: 1 | -1): Taken {
  // Bought at the beginning of time by an account that never lived, so that the expiry is the time bought.
  const {
    charChange = 0,
    minChange = 0,
    voiceChange = 0,
    imageChange = 0,
    expireAt,
  } = purchased(rechargeOf(order).purchase, null, 0);
  const signed = (n: number): number => (n === 0 ? 0 : sign * n);
  return {
    ...{ charChange: signed(charChange), minChange: signed(minChange) },
    ...{ voiceChange: signed(voiceChange), imageChange: signed(imageChange) },
    ...{ amount: signed(order.amount), lifeMs: recharge.ended_time ? 0 : signed(expireAt ?? 0) },
  };
}

/** The movement that changes a main account by it (docs/decisions/0014). */
export const adjustmentBy = (
  { lifeMs, ...quantities }: Taken,
  { state }: AccountView,
  at: { order: RechargeOrder; managerId: number; now: number },
): Movement => ({
  type: 'SYS_ADJUST',
  ...quantities,
  expireAt: Math.max(1, (state.expireAt ?? at.now) + lifeMs),
  refs: { orderId: at.order.id, managerId: at.managerId, memberGroupId: at.order.memberGroupId },
});

/** `expire_ms`: until when the account lived then. `ended_time`: the purchase took the account out of time mode. */
export type Recharged = { seq: number; created_at: Date; expire_ms: number | null; ended_time: boolean };

/** The recharge that a paid order brought about. */
export async function rechargeEntryOf(em: EntityManager, order: RechargeOrder): Promise<Recharged> {
  const [row] = await em.execute<Recharged[]>(
    `SELECT e.seq, e.created_at, (date_part('epoch', e.last_expire_at) * 1000)::bigint AS expire_ms, EXISTS (
       SELECT 1 FROM account_log m WHERE m.cmd_id = ?::uuid AND m.user_id = e.user_id
         AND m.before_billing_mode = ${billingModeCode('time')} AND m.last_billing_mode = ${billingModeCode('char')}) AS ended_time
     FROM account_log e WHERE e.order_id = ? AND e.log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code}`,
    [conversionOf(order), order.id],
  );
  if (!row) throw new Error(`order ${order.no} is paid and has no recharge`);
  return row;
}

// Of the family's other members by time, of the main account by number: what the purchase itself converted does not count.
const SPENT = `
SELECT 1 FROM member m JOIN account_log e ON e.user_id = m.id
WHERE m.family_id = ? AND e.created_at >= ? AND (e.user_id <> m.family_id OR e.seq > ?) AND e.cmd_id <> ?::uuid AND (
  e.log_type IN (${SYS_MATRIX.code}, ${MATRIX.code}, ${TRANSLATION_CONSUME.code}, ${VOICE_CONSUME.code})
  OR (e.log_type = ${OTHER.code} AND e.image_change < 0))
LIMIT 1`;

/** Throws REFUND_NOT_POSSIBLE once the time that the order bought is over, also where a later purchase has bought more. */
export function requireAlive({ state: { expireAt } }: AccountView, recharge: Recharged, now: number): void {
  if ((expireAt ?? 0) <= now || Number(recharge.expire_ms) <= now) throw new Refusal('REFUND_NOT_POSSIBLE');
}

/** Under which command the purchase converted the family, if it did. */
const conversionOf = (order: RechargeOrder): string => commandIdOf(`matrix:${rechargeOf(order).cmdId}`);

/** Throws REFUND_NOT_POSSIBLE when anything was used or converted in the family since. The caller's transaction holds the account's lock. */
export async function requireUnused(em: EntityManager, order: RechargeOrder, recharge: Recharged): Promise<void> {
  const also = [order.familyId, recharge.created_at, recharge.seq, conversionOf(order)];
  const spent = await em.execute<unknown[]>(SPENT, also);
  if (spent.length > 0) throw new Refusal('REFUND_NOT_POSSIBLE');
}

/**
 * The plan that a member is left with when the order `without` is refunded (null: when none is): that of the newest recharge whose money
 * did not go back; without one, the plan before the first order. Null: nothing was ever bought.
 */
export async function planLeft(em: EntityManager, userId: number, without: number | null): Promise<number | null> {
  const [left] = await em.execute<{ plan: number }[]>(
    `SELECT e.member_group_id AS plan FROM account_log e
     LEFT JOIN recharge_order o ON o.id = e.order_id LEFT JOIN payment p ON p.id = o.paid_by
     WHERE e.user_id = ? AND e.log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND e.order_id IS DISTINCT FROM ?::bigint
       AND coalesce(p.refund_state, 'refused') = 'refused'
     ORDER BY e.seq DESC LIMIT 1`,
    [userId, without],
  );
  if (left) return left.plan;
  const [first] = await em.execute<{ plan: number | null }[]>(
    'SELECT group_before AS plan FROM recharge_order WHERE user_id = ? AND group_before IS NOT NULL ORDER BY paid_by LIMIT 1',
    [userId],
  );
  return first?.plan ?? null;
}
