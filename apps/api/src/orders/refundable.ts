import type { EntityManager } from '@mikro-orm/postgresql';
import { purchased } from '@yiqiao/domain/conversion';
import { ENTRY_TYPES, type Movement } from '@yiqiao/domain/ledger';
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

/** What crediting the order added (`sign` 1), or the opposite of it. */
export function effectOf(order: RechargeOrder, sign: 1 | -1): Taken {
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
    ...{ amount: signed(order.amount), lifeMs: signed(expireAt ?? 0) },
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

/** `expire_ms`: until when the account lived then. */
export type Recharged = { seq: number; created_at: Date; expire_ms: number | null };

/** The recharge that a paid order brought about. */
export async function rechargeEntryOf(em: EntityManager, order: RechargeOrder): Promise<Recharged> {
  const [row] = await em.execute<Recharged[]>(
    `SELECT seq, created_at, (date_part('epoch', last_expire_at) * 1000)::bigint AS expire_ms FROM account_log
     WHERE order_id = ? AND log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code}`,
    [order.id],
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

/** Throws REFUND_NOT_POSSIBLE unless the time that the order bought is still to come. */
export function requireAlive({ state: { expireAt } }: AccountView, recharge: Recharged, now: number): void {
  const alive = expireAt !== null && expireAt > now && expireAt >= Number(recharge.expire_ms);
  if (!alive) throw new Refusal('REFUND_NOT_POSSIBLE');
}

/** Throws REFUND_NOT_POSSIBLE when anything was used or converted in the family since. The caller's transaction holds the account's lock. */
export async function requireUnused(em: EntityManager, order: RechargeOrder, recharge: Recharged): Promise<void> {
  const matrixId = commandIdOf(`matrix:${rechargeOf(order).cmdId}`);
  const spent = await em.execute<unknown[]>(SPENT, [order.familyId, recharge.created_at, recharge.seq, matrixId]);
  if (spent.length > 0) throw new Refusal('REFUND_NOT_POSSIBLE');
}

/** Whether the member has bought, or was given, the same plan again since: then it stays in it. */
export async function joinedAgain(em: EntityManager, order: RechargeOrder, recharge: Recharged): Promise<boolean> {
  const later = await em.execute<unknown[]>(
    `SELECT 1 FROM account_log WHERE user_id = ? AND seq > ? AND log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code}
       AND member_group_id = ? LIMIT 1`,
    [order.userId, recharge.seq, order.memberGroupId],
  );
  return later.length > 0;
}
