import type { EntityManager } from '@mikro-orm/postgresql';
import type { Gateway } from '@yiqiao/domain/orders';
import type { GatewayPayment, RawNotification } from './pay-channels/pay-channel.js';
import type { Outcome } from './settle-payment.js';

/**
 * What became of a message: of the payment that it reports, or `other`: there was nothing to do · `stranger`: about another merchant ·
 * `forged`: not signed by the gateway.
 */
export type NotificationOutcome = Outcome | 'other' | 'stranger' | 'forged';

/** `subject`: what a repetition is known by. */
export type StoredMessage = {
  gateway: Gateway;
  raw: RawNotification;
  genuine: boolean;
  subject: string;
  orderNo: string | null;
  payment: GatewayPayment | null;
  /** Null as long as the payment is not settled. */
  outcome: NotificationOutcome | null;
};

const SUBJECT_MOST = 500;
const ORDER_NO_MOST = 64;

/** Stores a message as it came, or counts its repetition. Answers the row's id. */
export async function storeNotification(em: EntityManager, message: StoredMessage): Promise<number> {
  const { gateway, raw, genuine, subject, orderNo, payment, outcome } = message;
  const [row] = await em.execute<{ id: number }[]>(
    `INSERT INTO pay_notification AS n (gateway, genuine, subject, order_no, headers, body, payment, outcome)
     VALUES (?, ?, ?, ?, ?::jsonb, decode(?, 'hex'), ?::jsonb, ?)
     ON CONFLICT (gateway, genuine, subject) DO UPDATE SET times = n.times + 1, last_at = now()
     RETURNING id`,
    [
      ...[gateway, genuine, asText(subject, SUBJECT_MOST), orderNo === null ? null : asText(orderNo, ORDER_NO_MOST)],
      ...[asJson(raw.headers), raw.body.toString('hex'), payment && asJson(payment), outcome],
    ],
  );
  return Number(row?.id);
}

/** PostgreSQL keeps no NUL in a text; the bytes as they came are kept beside it. */
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0000', '');
const asText = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most);

export async function markNotification(em: EntityManager, id: number, outcome: NotificationOutcome): Promise<void> {
  await em.execute('UPDATE pay_notification SET outcome = ? WHERE id = ?', [outcome, id]);
}

type Waiting = { id: number; payment: GatewayPayment };

/** Messages that were stored and not worked on, because the process ended in between. Oldest first. */
export async function waitingNotifications(em: EntityManager, limit: number): Promise<Waiting[]> {
  const rows = await em.execute<Waiting[]>(
    `SELECT id, payment FROM pay_notification
     WHERE outcome IS NULL AND payment IS NOT NULL AND last_at < now() - interval '30 seconds' ORDER BY id LIMIT ?`,
    [limit],
  );
  return rows.map(({ id, payment }) => ({ id: Number(id), payment: revived(payment) }));
}

/** JSON has no dates. */
const revived = (payment: GatewayPayment): GatewayPayment => ({
  ...payment,
  paidAt: payment.paidAt === null ? null : new Date(payment.paidAt),
});
