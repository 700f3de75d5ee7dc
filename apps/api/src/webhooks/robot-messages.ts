import type { Language } from '@yiqiao/contracts/envelope';
import { yuanOf } from '@yiqiao/domain/orders';
import type { MessageData } from '@yiqiao/domain/webhook-messages';
import type { WebhookMessageType } from '@yiqiao/domain/webhooks';

const grouped = new Intl.NumberFormat('en-US');
const n = (value: number): string => grouped.format(value);

/** A moment as the installation writes it. */
type WriteTime = (iso: string) => string;

type Lines = { readonly [T in WebhookMessageType]: (data: MessageData[T], time: WriteTime) => readonly string[] };

const zh: Lines = {
  'order.paid': ({ orderNo, packageName, amount }) => [
    '【译桥】订单已支付，额度已到账',
    `套餐：${packageName.zh}`,
    `金额：${yuanOf(amount)} 元`,
    `订单号：${orderNo}`,
  ],
  'order.refunded': ({ orderNo, refundAmount, refundNo }) => [
    '【译桥】订单已退款',
    `退款金额：${yuanOf(refundAmount)} 元`,
    `订单号：${orderNo}`,
    ...(refundNo === null ? [] : [`退款单号：${refundNo}`]),
  ],
  'quota.low': ({ charNum, threshold }) => [
    '【译桥】余额不足提醒',
    `剩余 ${n(charNum)} 字符，已低于设定的 ${n(threshold)} 字符，请及时充值。`,
  ],
  'quota.exhausted': () => ['【译桥】字符已用完', '翻译已停用，充值后立即恢复。'],
  'package.expiring': ({ expireAt }, time) => [
    '【译桥】套餐即将到期',
    `到期时间：${time(expireAt)}`,
    '到期后剩余额度暂停使用，续期后恢复。',
  ],
  'key.capped': ({ apiKeyName, apiKeyPrefix, period, cap, renewsAt }, time) => [
    `【译桥】API 密钥已达${period === 'day' ? '每日' : '每月'}上限`,
    `密钥：${apiKeyName}（${apiKeyPrefix}…）`,
    `上限：${n(cap)} 字符`,
    `恢复时间：${time(renewsAt)}`,
  ],
  'glossary.imported': ({ added, changed, unchanged, removed }) => [
    '【译桥】术语表已导入',
    `新增 ${n(added)} 条，修改 ${n(changed)} 条，未变 ${n(unchanged)} 条，删除 ${n(removed)} 条`,
  ],
  test: () => ['【译桥】测试消息', '看到这条消息，说明机器人已接通。'],
};

const en: Lines = {
  'order.paid': ({ orderNo, packageName, amount }) => [
    '[Yiqiao] Order paid, quota credited',
    `Package: ${packageName.en}`,
    `Amount: CNY ${yuanOf(amount)}`,
    `Order: ${orderNo}`,
  ],
  'order.refunded': ({ orderNo, refundAmount, refundNo }) => [
    '[Yiqiao] Order refunded',
    `Refunded: CNY ${yuanOf(refundAmount)}`,
    `Order: ${orderNo}`,
    ...(refundNo === null ? [] : [`Refund: ${refundNo}`]),
  ],
  'quota.low': ({ charNum, threshold }) => [
    '[Yiqiao] Your balance is low',
    `${n(charNum)} characters left, fewer than the ${n(threshold)} you set. Top up soon.`,
  ],
  'quota.exhausted': () => [
    '[Yiqiao] Your balance is used up',
    'Translations have stopped. They resume as soon as you top up.',
  ],
  'package.expiring': ({ expireAt }, time) => [
    '[Yiqiao] Your package expires soon',
    `Expires at ${time(expireAt)}`,
    'What is left is then frozen until your next top-up.',
  ],
  'key.capped': ({ apiKeyName, apiKeyPrefix, period, cap, renewsAt }, time) => [
    `[Yiqiao] An API key reached its ${period === 'day' ? 'daily' : 'monthly'} cap`,
    `Key: ${apiKeyName} (${apiKeyPrefix}…)`,
    `Cap: ${n(cap)} characters`,
    `Resets at ${time(renewsAt)}`,
  ],
  'glossary.imported': ({ added, changed, unchanged, removed }) => [
    '[Yiqiao] Glossary imported',
    `${n(added)} added, ${n(changed)} changed, ${n(unchanged)} unchanged, ${n(removed)} deleted`,
  ],
  test: () => ['[Yiqiao] Test message', 'If you can read this, the robot is connected.'],
};

const LINES: Readonly<Record<Language, Lines>> = { zh, en };

/** The text of a message in a group chat. */
export function robotText(
  { type, data }: { type: WebhookMessageType; data: Readonly<Record<string, unknown>> },
  language: Language,
  time: WriteTime,
): string {
  const lines = LINES[language][type] as (data: unknown, time: WriteTime) => readonly string[];
  return lines(data, time).join('\n');
}
