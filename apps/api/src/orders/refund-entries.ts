import type { EntityManager } from '@mikro-orm/postgresql';
import { billingModeCode, billingModeOf, ENTRY_TYPES, entryTypeOf, type Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import type { Extras, PaidOrder, PoolEntry, PoolState, Returned } from '@yiqiao/domain/refunds';
import { type AccountView, priceAtSql } from '../ledger/ledger.js';
import { commandIdOf } from '../platform/command-id.js';
import { rechargeOf } from './order-recharge.js';
import { RechargeOrder } from './recharge-order.entity.js';

const { RECHARGE_ORDER_BY_MEMBER_GROUP, SYS_MATRIX, MATRIX, TRANSLATION_CONSUME, VOICE_CONSUME, OTHER } = ENTRY_TYPES;
const CONSUMPTION: readonly { code: number }[] = [TRANSLATION_CONSUME, VOICE_CONSUME, OTHER];
const POOL_TYPES = Object.values(ENTRY_TYPES)
  .filter((type) => !CONSUMPTION.includes(type))
  .map(({ code }) => code);

/** The recharge of an order. `endedTime`: the purchase took the account out of time mode. */
export type Recharged = { seq: number; voiceNum: number; imageNum: number; endedTime: boolean };

/** The recharge of a paid order. Raw SQL, here and below: `account_log` belongs to the ledger and has no entity. */
export async function rechargeEntryOf(em: EntityManager, order: RechargeOrder): Promise<Recharged> {
  const [row] = await em.execute<Record<string, string | boolean | null>[]>(
    `SELECT e.seq, e.voice_change AS voice, e.image_change AS image, EXISTS (
       SELECT 1 FROM account_log m WHERE m.cmd_id = ?::uuid AND m.user_id = e.user_id
         AND m.before_billing_mode = ${billingModeCode('time')} AND m.last_billing_mode = ${billingModeCode('char')}) AS ended_time
     FROM account_log e WHERE e.order_id = ? AND e.log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code}`,
    [commandIdOf(`matrix:${rechargeOf(order).cmdId}`), order.id],
  );
  if (!row) throw new Error(`order ${order.no} is paid and has no recharge`);
  return {
    seq: Number(row['seq']),
    voiceNum: Number(row['voice']),
    imageNum: Number(row['image']),
    endedTime: row['ended_time'] === true,
  };
}

type EntryRow = {
  log_type: number;
  order_id: string | null;
  at: string;
  before_char: string;
  last_char: string;
  before_ms: string | null;
  last_ms: string | null;
  before_mode: number;
  last_mode: number;
  price_before: number | null;
  price_last: number | null;
};

const CONVERSIONS = `${SYS_MATRIX.code}, ${MATRIX.code}`;

const priceThen = (channel: string): string => `
  CASE WHEN e.log_type IN (${CONVERSIONS}) THEN ${priceAtSql(channel, 'e.created_at')} END`;

// Without consumption, which is the difference between two of these: an account has few of them, however much it translates. OTHER opens the
// account or is an image's.
const POOL_ENTRIES = `
SELECT e.log_type, e.order_id, (date_part('epoch', e.created_at) * 1000)::bigint AS at, e.before_char, e.last_char,
  (date_part('epoch', e.before_expire_at) * 1000)::bigint AS before_ms, (date_part('epoch', e.last_expire_at) * 1000)::bigint AS last_ms,
  e.before_billing_mode AS before_mode, e.last_billing_mode AS last_mode,
  ${priceThen('coalesce(e.before_tran_channel_id, e.last_tran_channel_id)')} AS price_before, ${priceThen('e.last_tran_channel_id')} AS price_last
FROM account_log e WHERE e.user_id = ? AND e.seq >= ? AND e.log_type IN (${POOL_TYPES.join(', ')})
ORDER BY e.seq`;

/** The entries of the account since the order was credited, its recharge first. */
export async function poolEntriesOf(em: EntityManager, order: RechargeOrder, { seq }: Recharged): Promise<PoolEntry[]> {
  const rows = await em.execute<EntryRow[]>(POOL_ENTRIES, [order.userId, seq]);
  const state = (chars: string, expires: string | null, mode: number): PoolState => ({
    charNum: Number(chars),
    expireAt: expires === null ? null : Number(expires),
    billingMode: billingModeOf(mode) ?? 'char',
  });
  return rows.map((row) => {
    const type = entryTypeOf(row.log_type);
    if (!type) throw new Error(`an entry of type ${row.log_type}`);
    return {
      type,
      orderId: row.order_id === null ? null : Number(row.order_id),
      createdAt: Number(row.at),
      prices: row.price_before === null || row.price_last === null ? null : [row.price_before, row.price_last],
      before: state(row.before_char, row.before_ms, row.before_mode),
      last: state(row.last_char, row.last_ms, row.last_mode),
    };
  });
}

export const paidOrderOf = ({ id, num, salesNum, minutePrice }: RechargeOrder): PaidOrder => ({
  id,
  worth: num * salesNum * minutePrice,
});

/** Days are kept where the purchase ended time mode: they belong to the characters converted from minutes (decisions §4). */
export function extrasOf(order: RechargeOrder, { voiceNum, imageNum, endedTime }: Recharged): Extras {
  const isPerCharacter = billingModeOf(order.billingMode) === 'char' && !endedTime;
  return { voiceNum, imageNum, life: isPerCharacter ? PACKAGE_DAYS * DAY_MS * order.salesNum : 0 };
}

/** Quota taken by a refund. `life`: ms taken off the account's expiry. */
export type TakenEntry = {
  chars: number;
  minutes: number;
  voice: number;
  images: number;
  amount: number;
  life: number;
};

export async function entryOf(em: EntityManager, userId: number, cmdId: string): Promise<TakenEntry> {
  const [row] = await em.execute<TakenEntry[]>(
    `SELECT char_change AS chars, min_change AS minutes, voice_change AS voice, image_change AS images, amount,
       (date_part('epoch', before_expire_at - last_expire_at) * 1000)::bigint AS life
     FROM account_log WHERE user_id = ? AND cmd_id = ?::uuid`,
    [userId, cmdId],
  );
  if (!row) throw new Error(`a refund of member ${userId} took nothing back`);
  const { chars, minutes, voice, images, amount, life } = row;
  return {
    chars: Number(chars),
    minutes: Number(minutes),
    voice: Number(voice),
    images: Number(images),
    amount: Number(amount),
    life: Number(life),
  };
}

/** The reverse movement, for the `units` that the quota has become by conversions since. */
export function oppositeOf(
  entry: TakenEntry,
  { kind, units }: Returned,
  { state }: AccountView,
  now: number,
): Omit<Movement, 'type'> {
  const expireAt = state.expireAt ?? now;
  const gifts = { voiceChange: 0 - entry.voice, imageChange: 0 - entry.images, amount: 0 - entry.amount };
  if (kind === 'minutes') return { ...gifts, minChange: units, expireAt: expireAt + units * MINUTE_MS };
  // Days taken from a character account do not apply once it is billed by time.
  const life = entry.minutes === 0 && state.billingMode === 'char' ? entry.life : 0;
  return { ...gifts, charChange: units, expireAt: Math.max(1, expireAt + life) };
}

/**
 * The member's plan after the refund of the order `without` (null: of none): that of the newest recharge that was not refunded (a partial refund
 * made at the gateway does not end a plan), else the plan before the first order. Null: nothing was ever bought.
 */
export async function planLeft(em: EntityManager, userId: number, without: number | null): Promise<number | null> {
  const [left] = await em.execute<{ plan: number }[]>(
    `SELECT e.member_group_id AS plan FROM account_log e
     LEFT JOIN recharge_order o ON o.id = e.order_id LEFT JOIN payment p ON p.id = o.paid_by
     WHERE e.user_id = ? AND e.log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND e.order_id IS DISTINCT FROM ?::bigint
       AND (coalesce(p.refund_state, 'refused') = 'refused'
         OR (p.refund_source = 'gateway' AND p.refunded_before + p.refund_amount < p.amount))
       AND NOT EXISTS (SELECT 1 FROM earlier_refund f WHERE f.payment_id = p.id AND f.source = 'operator')
     ORDER BY e.seq DESC LIMIT 1`,
    [userId, without],
  );
  if (left) return left.plan;
  const first = await em.findOne(
    RechargeOrder,
    { userId, groupBefore: { $ne: null } },
    { orderBy: { paidBy: 'asc' }, disableIdentityMap: true },
  );
  return first?.groupBefore ?? null;
}
