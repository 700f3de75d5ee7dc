import type { EntityManager } from '@mikro-orm/postgresql';
import type { DomainEvent, EventOf } from '@yiqiao/domain/events';
import type { MessageData } from '@yiqiao/domain/webhook-messages';
import type { NewMessage } from './new-message.js';

/** The events that become messages. */
export const WEBHOOK_SOURCES = [
  'OrderChanged',
  'QuotaLow',
  'QuotaExhausted',
  'PackageExpiring',
  'ApiKeyCapped',
  'GlossaryImported',
] as const satisfies readonly DomainEvent['type'][];
export type WebhookSource = EventOf<(typeof WEBHOOK_SOURCES)[number]>;

/** What an event is told as; the messages of one subject in their order. Always the same for the same event. */
export async function messagesOf(em: EntityManager, event: WebhookSource): Promise<NewMessage[]> {
  switch (event.type) {
    case 'OrderChanged':
      return messagesOfOrder(em, event.orderId);
    case 'QuotaLow': {
      const { userId, seq, charNum, least, at } = event;
      const data = { userId, charNum, threshold: least };
      return [{ type: 'quota.low', key: `${userId}:${seq}`, subject: account(userId), data, happenedAt: new Date(at) }];
    }
    case 'QuotaExhausted': {
      const { userId, seq, at } = event;
      const happenedAt = new Date(at);
      return [
        { type: 'quota.exhausted', key: `${userId}:${seq}`, subject: account(userId), data: { userId }, happenedAt },
      ];
    }
    case 'PackageExpiring': {
      const { userId, expireAt, at } = event;
      const data = { userId, expireAt: new Date(expireAt).toISOString() };
      const key = `${userId}:${expireAt}`;
      return [{ type: 'package.expiring', key, subject: account(userId), data, happenedAt: new Date(at) }];
    }
    case 'ApiKeyCapped': {
      const { apiKeyId, apiKeyName, apiKeyPrefix, userId, period, cap, renewsAt, at } = event;
      const about = { apiKeyId, apiKeyName, apiKeyPrefix, userId };
      const data = { ...about, period, cap, renewsAt: new Date(renewsAt).toISOString() };
      const key = `${apiKeyId}:${period}:${renewsAt}`;
      return [{ type: 'key.capped', key, subject: `key ${apiKeyId}`, data, happenedAt: new Date(at) }];
    }
    case 'GlossaryImported': {
      const { familyId, importId, added, changed, unchanged, removed, at } = event;
      const data = { added, changed, unchanged, removed };
      const subject = `glossary ${familyId}`;
      return [{ type: 'glossary.imported', key: importId, subject, data, happenedAt: new Date(at) }];
    }
  }
}

const account = (userId: number): string => `account ${userId}`;

type OrderRow = {
  id: number;
  no: string;
  user_id: number;
  group_name: string;
  group_en_name: string;
  sales_num: number;
  amount: number;
  paid_at: Date | null;
};
type EventRow = { id: number; event: 'credited' | 'refunded'; happened_at: Date };
type RefundRow = { no: string | null; amount: number };

// Raw, like the next two: the tables belong to orders.
const ORDER =
  'SELECT id, no, user_id, group_name, group_en_name, sales_num, amount, paid_at FROM recharge_order WHERE id = ?';
const EVENTS = `
SELECT id, event, happened_at FROM order_event WHERE order_id = ? AND event IN ('credited', 'refunded') ORDER BY id`;
/** In the order in which they were done: the n-th of the timeline is the n-th of these. */
const REFUNDS = `
SELECT no, amount FROM (
  SELECT f.no, f.amount, f.refunded_at FROM earlier_refund f JOIN payment p ON p.id = f.payment_id WHERE p.order_id = ?
  UNION ALL
  SELECT refund_no, refund_amount, refunded_at FROM payment WHERE order_id = ? AND refund_state = 'done'
) AS refund ORDER BY refunded_at, no`;

/** Of everything that has happened to the order: one that is refunded was paid before, whichever event is worked on first. */
async function messagesOfOrder(em: EntityManager, orderId: number): Promise<NewMessage[]> {
  const [order] = await em.execute<OrderRow[]>(ORDER, [orderId]);
  const events = await em.execute<EventRow[]>(EVENTS, [orderId]);
  if (!order || events.length === 0) return [];
  const refunds = await em.execute<RefundRow[]>(REFUNDS, [orderId, orderId]);
  const about = { orderId, orderNo: order.no, userId: Number(order.user_id) };
  const money = { amount: Number(order.amount), currency: 'CNY' as const };
  const subject = `order ${orderId}`;
  let nth = 0;
  let refundedTotal = 0;
  return events.map(({ id, event, happened_at: at }): NewMessage => {
    const happenedAt = new Date(at);
    const moment = happenedAt.toISOString();
    if (event === 'credited') {
      const data: MessageData['order.paid'] = {
        ...about,
        packageName: { zh: order.group_name, en: order.group_en_name },
        quantity: order.sales_num,
        ...money,
        paidAt: order.paid_at === null ? moment : new Date(order.paid_at).toISOString(),
      };
      return { type: 'order.paid', key: String(id), subject, data, happenedAt };
    }
    const refund = refunds[nth++];
    const refundAmount = Number(refund?.amount ?? 0);
    refundedTotal += refundAmount;
    const refunded = { refundNo: refund?.no ?? null, refundAmount, refundedTotal };
    const data: MessageData['order.refunded'] = { ...about, ...refunded, ...money, refundedAt: moment };
    return { type: 'order.refunded', key: String(id), subject, data, happenedAt };
  });
}
