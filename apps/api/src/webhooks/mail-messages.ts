import type { Language } from '@yiqiao/contracts/envelope';
import { WEBHOOK_FAILING_DAYS } from '@yiqiao/domain/limits';
import type { WebhookPause } from '@yiqiao/domain/webhooks';
import type { AccountMail } from '../platform/mail-template.js';

/** Times in the wire's format. `name`: the member's own. */
export type PausedFacts = { name: string; reason: WebhookPause; at: string; failingSince: string };

/** An endpoint was paused. `site`: the public URL. */
export function pausedMail(
  language: Language,
  { name, reason, at, failingSince }: PausedFacts,
  site: string,
): AccountMail {
  const messages = {
    zh: {
      subject: '译桥 Webhook 已暂停',
      lead: {
        failures: `您的 Webhook 接收端已连续 ${WEBHOOK_FAILING_DAYS} 天没有收下任何消息，我们已暂停向它发送。`,
        gone: '您的 Webhook 接收端返回了 410，表示不再接收消息，我们已暂停向它发送。',
      }[reason],
      labels: ['接收端', '最早失败', '暂停时间'],
      remarks: [
        '暂停期间发生的事件会保留 30 天，恢复后按顺序补发。',
        '请先确认接收端能正常应答，再到「Webhook」页面发送测试并恢复；不再使用的可以删除。',
      ],
      link: '查看 Webhook',
      sender: '译桥',
    },
    en: {
      subject: 'A Yiqiao webhook is paused',
      lead: {
        failures: `Your webhook endpoint has not accepted any message for ${WEBHOOK_FAILING_DAYS} days, so we have paused it.`,
        gone: 'Your webhook endpoint answered 410: it wants no more messages. We have paused it.',
      }[reason],
      labels: ['Endpoint', 'Failing since', 'Paused at'],
      remarks: [
        'What happens meanwhile is kept for 30 days, and sent in order once you resume it.',
        'Make sure that your endpoint answers, then send a test and resume it on the “Webhooks” page. If you no longer need it, delete it.',
      ],
      link: 'Webhooks',
      sender: 'Yiqiao',
    },
  }[language];
  const [nameLabel = '', sinceLabel = '', atLabel = ''] = messages.labels;
  return {
    language,
    subject: messages.subject,
    lead: messages.lead,
    facts: [
      [nameLabel, name],
      ...(reason === 'failures' ? ([[sinceLabel, failingSince]] as const) : []),
      [atLabel, at],
    ],
    remarks: messages.remarks,
    link: { label: messages.link, address: `${site}/UserCenterWebhook` },
    sender: messages.sender,
  };
}
