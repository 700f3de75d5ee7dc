import { defineEntity, p } from '@mikro-orm/core';
import type { Gateway } from '@yiqiao/domain/orders';
import type { GatewayPayment } from './pay-channels/pay-channel.js';
import type { SettlementOutcome } from './settle-payment.js';

/** `other`: nothing to do · `stranger`: about another merchant · `forged`: not signed by the gateway. */
export type NotificationOutcome = SettlementOutcome | 'other' | 'stranger' | 'forged';

/** JSON has no dates. */
export type StoredPayment = Omit<GatewayPayment, 'paidAt'> & { paidAt: string | null };

const schema = defineEntity({
  name: 'PayNotification',
  properties: {
    id: p.bigint('number').primary(),
    gateway: p.string().$type<Gateway>(),
    genuine: p.boolean(),
    /** Identifies repetitions: the transaction and what happened to it, or the digest of a forged body. */
    subject: p.string(),
    orderNo: p.string().strictNullable(),
    headers: p.json(),
    body: p.blob().$type<Buffer>(),
    payment: p.json().$type<StoredPayment>().strictNullable(),
    /** Null until it is settled. */
    outcome: p.string().$type<NotificationOutcome>().strictNullable(),
    times: p.integer().defaultRaw('1'),
    receivedAt: p.datetime().defaultRaw('now()'),
    lastAt: p.datetime().defaultRaw('now()'),
  },
});

/** A message to our notification address, as it came. */
export class PayNotification extends schema.class {}
schema.setClass(PayNotification);
