import { mailParagraph, mailTemplate } from '../../platform/mail-template.js';

type MailContent = { subject: string; text: string; html: string };
/** The subject of a reminder. Times in the wire's format. */
export type ReminderSubject = { charNum: number; least: number; at: string } | { expireAt: string; at: string };

const grouped = new Intl.NumberFormat('en-US');

type Message = { subject: string; zh: string[]; en: string[] };

const messageOf = (about: ReminderSubject): Message => {
  if ('expireAt' in about)
    return {
      subject: '译桥 套餐即将到期 / Your Yiqiao package expires soon',
      zh: [`您的译桥套餐将于 ${about.expireAt} 到期。`, '到期后剩余额度暂停使用，续期后恢复可用。'],
      en: [
        `Your Yiqiao package expires at ${about.expireAt}.`,
        'What is left is then frozen, and can be used again after your next top-up.',
      ],
    };
  const [left, least] = [grouped.format(about.charNum), grouped.format(about.least)];
  return {
    subject: '译桥 余额提醒 / Your Yiqiao balance is low',
    zh: [`您的译桥账号剩余 ${left} 字符，低于您设定的 ${least} 字符。`, `时间：${about.at}`],
    en: [`Your Yiqiao account has ${left} characters left, fewer than the ${least} you set.`, `Time: ${about.at}`],
  };
};

/** In both languages, like every mail that is not sent on request; without names. `site`: the public URL. */
export function reminderMail(about: ReminderSubject, site: string): MailContent {
  const { subject, zh, en } = messageOf(about);
  const [recharge, settings] = [`${site}/UserCenterRecharge`, `${site}/UserCenterInfo`];
  const lines: { text: string; link?: string }[] = [
    ...zh.map((text) => ({ text })),
    { text: '充值续期：', link: recharge },
    { text: '修改或关闭提醒：', link: settings },
    ...en.map((text) => ({ text })),
    { text: 'Top up: ', link: recharge },
    { text: 'Change or turn off reminders: ', link: settings },
    { text: '译桥 Yiqiao' },
  ];
  return {
    subject,
    text: lines.map(({ text, link = '' }) => text + link).join('\n\n'),
    html: mailTemplate(
      'zh-CN',
      lines.map(({ text, link }) => mailParagraph(text + (link ? anchor(link) : ''))).join(''),
    ),
  };
}

const anchor = (link: string): string => `<a href="${link}" style="color:#086F7D">${link}</a>`;
