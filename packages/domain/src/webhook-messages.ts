/**
 * The `data` of every webhook message: part of the product's interface. The types of the server, the developers' page and its examples are
 * made from this table. Money is integer fen, times are ISO 8601 in UTC.
 */
import type { WebhookMessageType } from './webhooks.js';

type Text = { readonly zh: string; readonly en: string };

/** How a field is written in JSON. */
export const WEBHOOK_FIELD_KINDS = {
  integer: { zh: '整数', en: 'integer' },
  string: { zh: '字符串', en: 'string' },
  stringOrNull: { zh: '字符串或 null', en: 'string or null' },
  time: { zh: '时间', en: 'time' },
  texts: { zh: '对象', en: 'object' },
} as const satisfies Record<string, Text>;
type Kind = keyof typeof WEBHOOK_FIELD_KINDS;

export type WebhookField<T = unknown> = Text & { readonly kind: Kind; readonly example: T };
type Make<T> = (zh: string, en: string, example: T) => WebhookField<T>;

const make =
  <T>(kind: Kind): Make<T> =>
  (zh, en, example) => ({ kind, zh, en, example });
const integer = make<number>('integer');
const string = make<string>('string');
const time = make<string>('time');

const order = {
  orderId: integer('订单的 ID', 'ID of the order', 1024),
  orderNo: string('订单号', 'Number of the order', 'YQ2026112820143248120937'),
  userId: integer('下单的账号', 'The account that placed it', 10086),
};
const amount = integer('订单金额，单位为分', 'Amount of the order, in fen', 8_800);
const currency = make<'CNY'>('string')('币种，总是 `CNY`', 'Currency, always `CNY`', 'CNY');
const account = integer('主账号', 'The main account', 10086);
const terms = (zh: string, en: string, example: number): WebhookField<number> =>
  integer(`${zh}的条数`, `Terms ${en}`, example);

export const WEBHOOK_DATA = {
  'order.paid': {
    ...order,
    packageName: make<{ zh: string; en: string }>('texts')(
      '套餐的中英文名称',
      'Name of the package in Chinese and English',
      {
        zh: '标准版',
        en: 'Standard',
      },
    ),
    quantity: integer('份数', 'How many', 1),
    amount,
    currency,
    paidAt: time('支付的时间', 'When it was paid', '2026-11-28T12:14:32.000Z'),
  },
  'order.refunded': {
    ...order,
    refundNo: make<string | null>('stringOrNull')('退款单号', 'Number of the refund', 'RF2026112820300007315528'),
    refundAmount: integer('这次退款的金额，单位为分', 'Amount of this refund, in fen', 8_800),
    refundedTotal: integer('至今退款的总额，单位为分', 'All refunds of the order so far, in fen', 8_800),
    amount,
    currency,
    refundedAt: time('退款的时间', 'When it was refunded', '2026-11-28T12:30:00.000Z'),
  },
  'quota.low': {
    userId: account,
    charNum: integer('剩余的字符', 'Characters left', 900),
    threshold: integer('设定的提醒字符数', 'The number below which you want to be told', 1_000),
  },
  'quota.exhausted': { userId: account },
  'package.expiring': {
    userId: account,
    expireAt: time('套餐到期的时间', 'When the package ends', '2026-12-01T12:14:32.000Z'),
  },
  'key.capped': {
    apiKeyId: integer('密钥的 ID', 'ID of the key', 12),
    apiKeyName: string('当时的密钥名称', 'Name of the key at that time', 'Shop'),
    apiKeyPrefix: string('当时的密钥开头', 'Readable beginning of the key at that time', 'yq_ab12cd34'),
    userId: integer('密钥所属的账号', 'The account of the key', 10086),
    period: make<'day' | 'month'>('string')(
      '哪一个上限：`day` 每日，`month` 每月',
      'Which cap: of the `day` or the `month`',
      'day',
    ),
    cap: integer('上限的字符数', 'The cap, in characters', 10_000),
    renewsAt: time('恢复的时间', 'When it resets', '2026-11-28T16:00:00.000Z'),
  },
  'glossary.imported': {
    added: terms('新增', 'added', 120),
    changed: terms('修改', 'changed', 8),
    unchanged: terms('未变', 'unchanged', 40),
    removed: terms('删除', 'deleted', 0),
  },
  test: { webhookId: integer('接收端的 ID', 'ID of the endpoint', 5) },
} as const satisfies Record<WebhookMessageType, Record<string, WebhookField>>;

type Data<Fields extends Record<string, WebhookField>> = { -readonly [F in keyof Fields]: Fields[F]['example'] };

export type MessageData = { readonly [T in WebhookMessageType]: Data<(typeof WEBHOOK_DATA)[T]> };

/** An example of a message's `data`. */
export const exampleData = <T extends WebhookMessageType>(type: T): MessageData[T] =>
  Object.fromEntries(
    Object.entries<WebhookField>(WEBHOOK_DATA[type]).map(([name, { example }]) => [name, example]),
  ) as MessageData[T];

/** A signed message, by which members can check their own code. */
export const SIGNED_EXAMPLE = {
  secret: 'whsec_YW4gZXhhbXBsZSwgbm90IHRoZSBzZWNyZXQgb2YgYW55',
  id: 'msg_019ac9b7d1c07a3e8f2b6c5d4e3f2a1b',
  /** Seconds since 1970. */
  timestamp: '1795868073',
  body: '{"type":"quota.low","timestamp":"2026-11-28T12:14:32.000Z","data":{"userId":10086,"charNum":900,"threshold":1000}}',
  signature: 'v1,ZCo9uz/RQb1MGp2sLIvRECmHoEaJ+nMpSD1ihirflPM=',
} as const;
