import { paragraph, sheet } from '../../platform/letter-sheet.js';

type Letter = { subject: string; text: string; html: string };
/** What a letter can be about. Times as the wire writes them. */
export type About = { charNum: number; least: number; at: string } | { expireAt: string; at: string };

const grouped = new Intl.NumberFormat('en-US');

type Words = { subject: string; zh: string[]; en: string[] };

const wordsOf = (about: About): Words => {
  if ('expireAt' in about)
    return {
      subject: '译桥 套餐即将到期 / Your Yiqiao package ends soon',
      zh: [`您的译桥套餐将于 ${about.expireAt} 到期。`, '到期后剩余额度暂停使用，续期后恢复可用。'],
      en: [
        `Your Yiqiao package ends at ${about.expireAt}.`,
        'What is left is frozen then, and can be used again after the next recharge.',
      ],
    };
  const [left, least] = [grouped.format(about.charNum), grouped.format(about.least)];
  return {
    subject: '译桥 余额提醒 / Your Yiqiao balance is low',
    zh: [`您的译桥账号剩余 ${left} 字符，低于您设定的 ${least} 字符。`, `时间：${about.at}`],
    en: [`Your Yiqiao account has ${left} characters left, fewer than the ${least} you set.`, `Time: ${about.at}`],
  };
};

/** Says it in both languages, like every letter that nobody has just asked for; no names. `site`: where people reach it. */
export function reminderLetter(about: About, site: string): Letter {
  const { subject, zh, en } = wordsOf(about);
  const [recharge, settings] = [`${site}/UserCenterRecharge`, `${site}/UserCenterInfo`];
  const lines: { words: string; link?: string }[] = [
    ...zh.map((words) => ({ words })),
    { words: '充值续期：', link: recharge },
    { words: '修改或关闭提醒：', link: settings },
    ...en.map((words) => ({ words })),
    { words: 'Recharge: ', link: recharge },
    { words: 'Change or switch off reminders: ', link: settings },
    { words: '译桥 Yiqiao' },
  ];
  return {
    subject,
    text: lines.map(({ words, link = '' }) => words + link).join('\n\n'),
    html: sheet('zh-CN', lines.map(({ words, link }) => paragraph(words + (link ? anchor(link) : ''))).join('')),
  };
}

const anchor = (link: string): string => `<a href="${link}" style="color:#086F7D">${link}</a>`;
