import type { EntityManager } from '@mikro-orm/postgresql';
import type { Gateway } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import type { Order } from './payments-rows.js';
import { GATEWAYS } from './payments-texts.js';
import type { Operator } from './product.js';
import { table } from './table.js';

type Message = {
  gateway: Gateway;
  genuine: boolean;
  body: Buffer;
  payment: Record<string, unknown> | null;
  outcome: string | null;
  times: number;
  received_at: Date;
  last_at: Date;
};

// A forged message is stored under no order: it is found by what it claims. There are never many of them.
const MESSAGES = `
SELECT gateway, genuine, body, payment, outcome, times, received_at, last_at FROM pay_notification
WHERE order_no = ? OR (NOT genuine AND position(convert_to(?, 'UTF8') IN body) > 0)
ORDER BY id`;

const HEAD = {
  zh: ['通知', '时间', '真伪', '结果', '次数', '内容'],
  en: ['notification', 'time', 'genuine', 'outcome', 'times', 'content'],
} as const;

/** The fields of each gateway's messages that tell of the payment; signatures and what is known of the payer stay out. */
const TELLING: Record<Gateway, readonly string[]> = {
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
const VALUE_MOST = 64;

/** What gateways, and those who pose as one, have sent about an order. */
export async function messageLines({ app, language }: Operator, em: EntityManager, { no }: Order): Promise<string[]> {
  const messages = await em.execute<Message[]>(MESSAGES, [no, no]);
  if (messages.length === 0) return [];
  const yes = { zh: ['伪造', '真'], en: ['forged', 'yes'] }[language];
  const rows = messages.map((message) => [
    ...[GATEWAYS[message.gateway][language], app.get(Clock).toWire(message.last_at)],
    ...[yes[message.genuine ? 1 : 0] ?? '', message.outcome ?? { zh: '未处理', en: 'waiting' }[language]],
    ...[String(message.times), tell(message)],
  ]);
  return ['', table(HEAD[language], rows)];
}

/** What was decrypted stands in `payment`. */
function tell({ gateway, body, payment }: Message): string {
  const fields = { ...fieldsOf(gateway, body), ...decrypted(gateway, payment) };
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${visible(value)}`)
    .join(' ');
}

function fieldsOf(gateway: Gateway, body: Buffer): Record<string, string> {
  const text = body.toString('utf8');
  const all = gateway === 'alipay' ? Object.fromEntries(new URLSearchParams(text)) : parsed(text);
  const names = TELLING[gateway];
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

const decrypted = (gateway: Gateway, payment: Message['payment']): Record<string, string> =>
  gateway === 'wechat' && payment
    ? { tradeNo: String(payment['tradeNo']), amount: `${String(payment['amount'])} fen ${String(payment['currency'])}` }
    : {};

/** A stranger's text goes to a terminal: no control characters, and not much of it. */
const visible = (text: string): string => {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?');
  return plain.length > VALUE_MOST ? `${plain.slice(0, VALUE_MOST)}…` : plain;
};
