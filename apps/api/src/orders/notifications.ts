import { type EntityManager, raw } from '@mikro-orm/postgresql';
import type { Gateway } from '@yiqiao/domain/orders';
import { type NotificationOutcome, PayNotification } from './pay-notification.entity.js';
import type { GatewayPayment, RawNotification } from './pay-channels/pay-channel.js';

export type { NotificationOutcome } from './pay-notification.entity.js';

/** `subject` identifies repetitions. `outcome` is null as long as the payment is not settled. */
export type StoredMessage = {
  gateway: Gateway;
  raw: RawNotification;
  genuine: boolean;
  subject: string;
  orderNo: string | null;
  payment: GatewayPayment | null;
  outcome: NotificationOutcome | null;
};

const SUBJECT_MAX = 500;
const ORDER_NO_MAX = 64;

/** Stores a message as it came, or counts its repetition. Returns the row's id. */
export async function storeNotification(em: EntityManager, message: StoredMessage): Promise<number> {
  const { gateway, raw: received, genuine, subject, orderNo, payment, outcome } = message;
  // Raw SQL: the ORM's upsert cannot increment a counter.
  const [row] = await em.execute<{ id: number }[]>(
    `INSERT INTO pay_notification AS n (gateway, genuine, subject, order_no, headers, body, payment, outcome)
     VALUES (?, ?, ?, ?, ?::jsonb, decode(?, 'hex'), ?::jsonb, ?)
     ON CONFLICT (gateway, genuine, subject) DO UPDATE SET times = n.times + 1, last_at = now()
     RETURNING id`,
    [
      gateway,
      genuine,
      asText(subject, SUBJECT_MAX),
      orderNo === null ? null : asText(orderNo, ORDER_NO_MAX),
      asJson(received.headers),
      received.body.toString('hex'),
      payment && asJson(payment),
      outcome,
    ],
  );
  return Number(row?.id);
}

/** PostgreSQL stores no NUL in a text; `body` keeps the exact bytes. */
const asJson = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0000', '');
const asText = (text: string, max: number): string => text.replaceAll('\0', '').slice(0, max);

export async function markNotification(em: EntityManager, id: number, outcome: NotificationOutcome): Promise<void> {
  await em.nativeUpdate(PayNotification, { id }, { outcome });
}

/** Payments that were stored but not settled, because the process stopped in between. Oldest first. */
export async function pendingNotifications(
  em: EntityManager,
  limit: number,
): Promise<{ id: number; payment: GatewayPayment }[]> {
  const rows = await em.find(
    PayNotification,
    { outcome: null, lastAt: { $lt: raw("now() - interval '30 seconds'") } },
    { fields: ['payment'], orderBy: { id: 'asc' }, limit },
  );
  return rows.flatMap(({ id, payment }) =>
    payment ? [{ id, payment: { ...payment, paidAt: payment.paidAt === null ? null : new Date(payment.paidAt) } }] : [],
  );
}
