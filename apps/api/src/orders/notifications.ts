import { type EntityManager, raw } from '@mikro-orm/postgresql';
import type { Gateway } from '@yiqiao/domain/orders';
import { type NotificationOutcome, PayNotification, type StoredPayment } from './pay-notification.entity.js';
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
  const row = await em
    .createQueryBuilder(PayNotification)
    .insert({
      gateway,
      genuine,
      subject: storable(subject).slice(0, SUBJECT_MAX),
      orderNo: orderNo && storable(orderNo).slice(0, ORDER_NO_MAX),
      headers: storableJson(received.headers),
      body: received.body,
      payment: payment && (storableJson(payment) as StoredPayment),
      outcome,
    })
    .onConflict(['gateway', 'genuine', 'subject'])
    .merge({ times: raw('pay_notification.times + 1'), lastAt: raw('now()') })
    .returning('id')
    .execute<{ id: number }>('get');
  return Number(row.id);
}

/** PostgreSQL stores no NUL in a text; `body` keeps the exact bytes. */
const storable = (text: string): string => text.replaceAll('\0', '');
const storableJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''));

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
