import { EntityManager } from '@mikro-orm/postgresql';
import { ORDER_EVENTS, PAY_CHANNELS, PAY_STATUSES, yuanOf } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { readArguments, requireWords } from './command-line.js';
import { OrderEventRecord, type RechargeOrder } from '../orders/recharge-order.entity.js';
import { type Payment, refundedOf } from '../orders/payments.js';
import { messagesAbout } from '../operators/payments/order-messages.js';
import { findOrder, paymentsOf } from './payments-rows.js';
import { GATEWAYS, REFUNDS, VERDICTS } from '../orders/payments-texts.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { table } from './table.js';

/** `payments show <orderNo>`: an order with its events, payments, entries and notifications. */
export function paymentsShow(args: string[]): OperatorTask {
  const [no = ''] = requireWords(readArguments(args, {}), ['orderNo']);
  return async (operator) => {
    const em = operator.app.get(EntityManager).fork();
    const order = await findOrder(em, no);
    for (const section of [orderLines, eventLines, paymentLines, entryLines, messageLines])
      for (const line of await section(operator, em, order)) operator.print(line);
  };
}

function orderLines({ app, language }: Operator, _: EntityManager, order: RechargeOrder): string[] {
  const wire = (at: Date | null): string => (at ? app.get(Clock).toWire(at) : '–');
  const channel = PAY_CHANNELS[order.payChannel][language];
  const status = PAY_STATUSES[order.payStatus][language];
  const bought = { zh: `${order.groupName} × ${order.salesNum}`, en: `${order.groupEnName} × ${order.salesNum}` }[
    language
  ];
  const words = WORDS[language];
  return [
    `${words.order} ${order.no} · ${status} · ${yuanOf(order.amount)} ${words.yuan} · ${channel} · ${bought}`,
    `  ${words.member} ${order.userId} · ${words.created} ${wire(order.createdAt)} · ${words.expires} ${wire(order.expiresAt)} · ${words.paid} ${wire(order.paidAt)}`,
  ];
}

const WORDS = {
  zh: { order: '订单', yuan: '元', member: '会员', created: '创建', expires: '到期', paid: '支付', inAll: '累计' },
  en: {
    order: 'Order',
    yuan: 'yuan',
    member: 'member',
    created: 'placed',
    expires: 'expires',
    paid: 'paid',
    inAll: 'in all',
  },
} as const;

const HEADS = {
  zh: {
    events: ['经过', '时间'],
    payments: ['付款', '交易', '金额(元)', '支付时间', '得知', '结果', '退款'],
    entries: ['流水', '类型', '金额(元)', '字符', '分钟', '语音', '图片', '时间'],
  },
  en: {
    events: ['event', 'time'],
    payments: ['payment', 'trade', 'amount (yuan)', 'paid', 'seen by', 'verdict', 'refund'],
    entries: ['entry', 'type', 'amount (yuan)', 'characters', 'minutes', 'voice', 'images', 'time'],
  },
} as const;

async function eventLines({ app, language }: Operator, em: EntityManager, { id }: RechargeOrder): Promise<string[]> {
  const events = await em.find(OrderEventRecord, { orderId: id }, { orderBy: { id: 'asc' } });
  const cells = events.map(({ event, happenedAt }) => [
    ORDER_EVENTS[event][language],
    app.get(Clock).toWire(happenedAt),
  ]);
  return section(HEADS[language].events, cells);
}

async function paymentLines({ app, language }: Operator, em: EntityManager, { id }: RechargeOrder): Promise<string[]> {
  const seen = { notification: { zh: '通知', en: 'notification' }, query: { zh: '查询', en: 'query' } };
  const rows = (await paymentsOf(em, id)).map((payment) => [
    GATEWAYS[payment.gateway][language],
    payment.tradeNo,
    amountIn(payment),
    payment.paidAt ? app.get(Clock).toWire(payment.paidAt) : '–',
    seen[payment.seenBy][language],
    VERDICTS[payment.verdict][language],
    refundOf(payment, language),
  ]);
  return section(HEADS[language].payments, rows);
}

const amountIn = ({ amount, currency }: { amount: number; currency: string }): string =>
  currency === 'CNY' ? yuanOf(amount) : `${yuanOf(amount)} ${currency}`;

const refundOf = (payment: Payment, language: Operator['language']): string => {
  const { refundState, refundNo, refundReason, refundAmount } = payment;
  const refunded = refundedOf(payment);
  if (refundState === null) return '–';
  const all = refunded > 0 && refunded !== refundAmount ? ` (${WORDS[language].inAll} ${yuanOf(refunded)})` : '';
  const amount = refundAmount === null ? '' : yuanOf(refundAmount);
  return [REFUNDS[refundState][language], `${amount}${all}`, refundNo, refundReason].join(' ').trim();
};

type EntryRow = {
  seq: number;
  log_type: number;
  amount: number;
  char_change: number;
  min_change: number;
  voice_change: number;
  image_change: number;
  created_at: Date;
};

async function entryLines({ app, language }: Operator, em: EntityManager, { id }: RechargeOrder): Promise<string[]> {
  // Raw SQL: `account_log` belongs to the ledger and has no entity.
  const rows = await em.execute<EntryRow[]>(
    `SELECT seq, log_type, amount, char_change, min_change, voice_change, image_change, created_at
     FROM account_log WHERE order_id = ? ORDER BY user_id, seq`,
    [id],
  );
  const type = { zh: { 1: '充值', 3: '退款调整' }, en: { 1: 'recharge', 3: 'refund' } }[language] as Record<
    number,
    string
  >;
  const cells = rows.map((row) => [
    String(row.seq),
    type[row.log_type] ?? String(row.log_type),
    signedYuan(Number(row.amount)),
    ...[row.char_change, row.min_change, row.voice_change, row.image_change].map((n) =>
      Number(n).toLocaleString('en-US'),
    ),
    app.get(Clock).toWire(row.created_at),
  ]);
  return section(HEADS[language].entries, cells);
}

const signedYuan = (fen: number): string => (fen < 0 ? `-${yuanOf(-fen)}` : yuanOf(fen));

/** Empty without rows. */
export const section = (head: readonly string[], rows: readonly string[][]): string[] =>
  rows.length > 0 ? ['', table(head, rows)] : [];

const HEAD = {
  zh: ['通知', '时间', '真伪', '结果', '次数', '内容'],
  en: ['notification', 'time', 'genuine', 'outcome', 'times', 'content'],
} as const;

/** Notifications about an order, forged ones included. */
async function messageLines({ app, language }: Operator, em: EntityManager, { no }: RechargeOrder): Promise<string[]> {
  const messages = await messagesAbout(em, no, app.get(Clock));
  if (messages.length === 0) return [];
  const yes = { zh: ['伪造', '真'], en: ['forged', 'yes'] }[language];
  const rows = messages.map((message) => [
    GATEWAYS[message.gateway][language],
    message.at,
    yes[message.genuine ? 1 : 0] ?? '',
    message.outcome ?? { zh: '未处理', en: 'waiting' }[language],
    String(message.times),
    message.fields.map(({ name, value }) => `${name}=${value}`).join(' '),
  ]);
  return ['', table(HEAD[language], rows)];
}
