import {
  WEBHOOK_DAYS,
  WEBHOOK_FAILING_DAYS,
  WEBHOOK_MS,
  WEBHOOK_ORDER_MS,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOKS_PER_ENDPOINT,
  WEBHOOKS_PER_FAMILY,
} from '@yiqiao/domain/limits';
import { WEBHOOK_RETRY_SECONDS } from '@yiqiao/domain/webhooks';
import type { DevBlock } from '../dev-doc.js';
import { eventBlocks, SIGNED_REQUEST } from './events.js';
import { VERIFY } from './verify.js';

const span = (seconds: number): string => {
  if (seconds < 60) return `${seconds} 秒`;
  return seconds < 3600 ? `${seconds / 60} 分钟` : `${seconds / 3600} 小时`;
};

const blocks: readonly DevBlock[] = [
  { heading: '收到的请求' },
  '每条消息是一个 `POST` 请求，请求体是 JSON，按 Standard Webhooks 的规范签名。',
  {
    title: '请求头',
    head: ['请求头', '内容'],
    rows: [
      ['`webhook-id`', '消息的编号，以 `msg_` 开头。同一条消息无论发几次，编号都不变'],
      ['`webhook-timestamp`', '这一次发送的时间：Unix 时间戳（秒）'],
      [
        '`webhook-signature`',
        `\`v1,\` 加上 Base64 编码的签名。更换密钥后的 ${WEBHOOK_OVERLAP_HOURS} 小时里有新旧两个，用空格隔开，对上一个即可`,
      ],
    ],
  },
  '请求体有三个字段：`type` 是事件的名称，`timestamp` 是事件发生的时间，`data` 的内容见下面各个事件。时间是 UTC，写成 ISO 8601；金额以分为单位。以后可能增加字段，不认识的请忽略。',
  {
    list: [
      `收下后请在 ${WEBHOOK_MS / 1000} 秒内返回任意 2xx，内容不限。费时的事情先存下来，返回之后再做。`,
      '其他状态码、超时、连不上都算失败，稍后重试；不跟随重定向。',
      '返回 410 表示不再接收，这个接收端立即暂停。',
      '地址须在公网上，使用 https，端口为 443、80 或 8000 到 9999。',
    ],
  },
  { heading: '验证签名' },
  '签名密钥以 `whsec_` 开头，添加接收端时显示一次。先把 `webhook-id`、`webhook-timestamp` 和请求体用英文句点连起来；密钥去掉 `whsec_`，按 Base64 解码，用它算出 HMAC-SHA256，再与请求头里的签名比较。请求体要用收到的原始字节，不能先解析再重新生成。',
  { codes: VERIFY, title: '验证一条消息' },
  '也可以直接用 Standard Webhooks 的官方库，例如 npm 和 PyPI 上的 `standardwebhooks`。下面是一条签好名的消息，可以拿来核对自己的代码；它的时间早已过去，核对时先跳过时间的检查。',
  { code: SIGNED_REQUEST, name: '签好名的消息' },
  { heading: '防止重放与重复' },
  {
    list: [
      '发送时间也在签名之内。与当前时间相差 5 分钟以上的请求应当拒绝，别人截到旧请求也无法重放；服务器的时钟请保持准确。',
      `每条消息至少送达一次：你的应答如果在路上丢了，同一条消息会再来。请把处理过的 \`webhook-id\` 记 ${WEBHOOK_DAYS} 天，见过的直接返回 2xx。`,
    ],
  },
  { heading: '重试、顺序与暂停' },
  {
    list: [
      `失败后依次等待 ${WEBHOOK_RETRY_SECONDS.map(span).join('、')}再试，每次随机延长至多五分之一，共 ${WEBHOOK_RETRY_SECONDS.length + 1} 次，历时三天多。还没有送达的记为失败，可以在发送记录里手动重发。`,
      `同一个订单、账号、密钥或术语表的消息按发生的先后送达：前一条没有送到，后一条就等着，从前一条首次发送算起最多等 ${WEBHOOK_ORDER_MS / 3600_000} 小时。不同对象之间不保证先后，请以 \`timestamp\` 为准。`,
      `连续 ${WEBHOOK_FAILING_DAYS} 天一条也没有送达，接收端自动暂停，并邮件通知主账号。暂停期间的消息会留着，恢复后按顺序补发。换了地址或类型，天数重新计算。`,
      `一个接收端同时最多收到 ${WEBHOOKS_PER_ENDPOINT} 个请求，同一主账号的所有接收端合计最多 ${WEBHOOKS_PER_FAMILY} 个。`,
      `只发送订阅之后发生的事件。消息和发送记录保留 ${WEBHOOK_DAYS} 天。`,
    ],
  },
  { heading: '群机器人' },
  '企业微信、飞书、钉钉和 Slack 的群机器人收到的是一段文字，语言可以选。飞书和钉钉的机器人如果启用了签名校验，在接收端里填上平台给的密钥即可。重试、顺序和暂停与上面相同。',
  ...eventBlocks({
    head: ['`data` 的字段', '类型', '说明'],
    example: (type) => `${type} 的请求体`,
    when: {
      'order.paid': '订单已支付，额度已经到账。',
      'order.refunded': '订单退了款，全额或部分；退几次就有几条。',
      'quota.low': '主账号的字符低于设定的提醒数。充值之后再次低于时再发。',
      'quota.exhausted': '主账号的字符用完了。充值之后再次用完时再发。',
      'package.expiring': '套餐快要到期，提前的天数与到期提醒的设置相同。',
      'key.capped': '密钥第一次因为每日或每月的上限拒绝了翻译；每个周期一条。',
      'glossary.imported': '一份术语表文件导入完成。',
      test: '在会员中心点了“测试”。不能订阅；发送失败时不会自动重试。',
    },
  }),
];
export default blocks;
