import { type EntityManager, raw } from '@mikro-orm/postgresql';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import type { Gateway } from '@yiqiao/domain/orders';
import { PayNotification } from '../../orders/pay-notification.entity.js';
import type { Clock } from '../../platform/clock.js';

type Message = Answer<typeof getPaymentOrder>['messages'][number];

/** Notifications about an order, forged ones included. */
export async function messagesAbout(em: EntityManager, no: string, clock: Clock): Promise<Message[]> {
  const messages = await em.find(
    PayNotification,
    // A forged message is stored without an order, so it is found by its content. There are never many of them.
    { $or: [{ orderNo: no }, { genuine: false, [raw("position(convert_to(?, 'UTF8') IN body)", [no])]: { $gt: 0 } }] },
    { orderBy: { id: 'asc' } },
  );
  return messages.map((message) => ({
    id: message.id,
    gateway: message.gateway,
    genuine: message.genuine,
    outcome: message.outcome,
    times: message.times,
    at: clock.toWire(message.lastAt),
    fields: shownOf(message),
  }));
}

/** The fields of messages to show; not signatures or personal data of the payer. */
const SHOWN_FIELDS: Record<Gateway, readonly string[]> = {
  alipay: [
    'trade_status',
    'trade_no',
    'out_trade_no',
    'total_amount',
    'refund_fee',
    'gmt_payment',
    'app_id',
    'seller_id',
  ],
  wechat: ['event_type', 'create_time', 'summary', 'id'],
  lianlian: ['txn_status', 'platform_txno', 'txn_seqno', 'order_amount', 'success_time', 'mch_id'],
};
const VALUE_MAX = 64;

/** Decrypted fields come from `payment`. */
function shownOf({ gateway, body, payment }: PayNotification): Message['fields'] {
  const fields = { ...fieldsOf(gateway, body), ...decrypted(gateway, payment) };
  return Object.entries(fields).map(([name, value]) => ({ name, value: visible(value) }));
}

function fieldsOf(gateway: Gateway, body: Buffer): Record<string, string> {
  const text = body.toString('utf8');
  const all = gateway === 'alipay' ? Object.fromEntries(new URLSearchParams(text)) : parsed(text);
  const names = SHOWN_FIELDS[gateway];
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(all, name) ? [[name, String(all[name])]] : [])));
}

/** A forged message may be anything. */
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const decrypted = (gateway: Gateway, payment: PayNotification['payment']): Record<string, string> =>
  gateway === 'wechat' && payment
    ? { tradeNo: payment.tradeNo, amount: `${payment.amount} fen ${payment.currency}` }
    : {};

/** Untrusted text, also for a terminal: truncated, without control characters. */
const visible = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  return plain.length > VALUE_MAX ? `${plain.slice(0, VALUE_MAX)}…` : plain;
};
