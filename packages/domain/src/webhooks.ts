/** Webhooks: what the family's own software and its chat groups are told (docs/decisions/0073). */

/** What can be subscribed to. `test` is sent by the test button alone. */
export const WEBHOOK_EVENTS = {
  'order.paid': { zh: '订单已支付', en: 'Order paid' },
  'order.refunded': { zh: '订单已退款', en: 'Order refunded' },
  'quota.low': { zh: '余额不足提醒', en: 'Balance is low' },
  'quota.exhausted': { zh: '字符已用完', en: 'Balance is used up' },
  'package.expiring': { zh: '套餐即将到期', en: 'Package expires soon' },
  'key.capped': { zh: 'API 密钥达到上限', en: 'API key reached its cap' },
  'glossary.imported': { zh: '术语表已导入', en: 'Glossary imported' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export type WebhookMessageType = WebhookEvent | 'test';

/** `standard`: JSON with Standard Webhooks signatures. The others: a text for a robot in a group chat. */
export const WEBHOOK_FORMATS = {
  standard: { zh: 'Webhook（JSON）', en: 'Webhook (JSON)' },
  wecom: { zh: '企业微信群机器人', en: 'WeCom group robot' },
  feishu: { zh: '飞书群机器人', en: 'Feishu group robot' },
  dingtalk: { zh: '钉钉群机器人', en: 'DingTalk group robot' },
  slack: { zh: 'Slack', en: 'Slack' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type WebhookFormat = keyof typeof WEBHOOK_FORMATS;

/** Formats whose platform checks a signature with a secret of its own, if the robot was set up so. */
export const takesSignSecret = (format: WebhookFormat): boolean => format === 'feishu' || format === 'dingtalk';

/** `waiting`: to be sent, or to be retried. `failed`: given up. `canceled`: the endpoint was switched off meanwhile. */
export const WEBHOOK_STATES = {
  waiting: { zh: '待发送', en: 'Waiting' },
  delivered: { zh: '已送达', en: 'Delivered' },
  failed: { zh: '失败', en: 'Failed' },
  canceled: { zh: '已取消', en: 'Canceled' },
} as const satisfies Record<string, { zh: string; en: string }>;
export type WebhookState = keyof typeof WEBHOOK_STATES;

/** Why an attempt failed. */
export const WEBHOOK_FAILURES = {
  address: {
    zh: '域名解析到内网或保留地址，已拒绝连接',
    en: 'The host resolves to a private or reserved address, so no connection was made',
  },
  host: { zh: '域名无法解析', en: 'The host name could not be resolved' },
  connection: { zh: '无法建立连接，或连接中断', en: 'The connection failed or was cut' },
  certificate: { zh: 'TLS 握手失败或证书无效', en: 'The TLS handshake failed or the certificate is not valid' },
  timeout: { zh: '10 秒内没有应答', en: 'No response within 10 seconds' },
  redirect: { zh: '返回了重定向，不会跟随', en: 'It redirected, which is not followed' },
  gone: { zh: '返回 410，表示不再接收', en: 'It answered 410: it wants no more messages' },
  status: { zh: '返回了表示失败的状态码', en: 'It answered with an error status' },
  refused: { zh: '机器人拒绝了消息', en: 'The robot refused the message' },
  settings: {
    zh: '保存的设置无法读取，请重新填写并保存',
    en: 'Its stored settings cannot be read: fill them in and save again',
  },
} as const satisfies Record<string, { zh: string; en: string }>;
export type WebhookFailure = keyof typeof WEBHOOK_FAILURES;

/** Why an endpoint is paused: days of nothing but failures, or it said that it is gone. */
export type WebhookPause = 'failures' | 'gone';

/** Pauses after the first, second … failed attempt, those that Standard Webhooks recommends: 75.6 hours in all. Seconds. */
export const WEBHOOK_RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** How much longer a pause may be by chance, so that what failed together is not retried together. */
const JITTER = 0.2;

/** When to try again after the `attempts`-th attempt failed, in ms; null: no more. `chance`: 0–1. */
export function webhookRetryMs(attempts: number, chance: number): number | null {
  const seconds = WEBHOOK_RETRY_SECONDS[attempts - 1];
  return seconds === undefined ? null : Math.round(seconds * 1_000 * (1 + JITTER * chance));
}
