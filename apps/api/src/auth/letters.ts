import type { Language } from '@yiqiao/contracts/envelope';
import { VCODE_MINUTES } from '@yiqiao/domain/limits';
import { paragraph, sheet } from '../platform/letter-sheet.js';

/** What stands in letters comes from these tables and from us, never from what somebody typed (no mail may carry another's words). */
export type LetterText = { subject: string; text: string; html: string };

/** Everything needed to write the letter of a code; sealed at rest. */
export type CodeLetter = { to: string; language: Language; purpose: 'register' | 'reset'; code: string };

type Words = { brand: string; subject: string; lead: string; life: string; ignore: string };

const CODE_WORDS: Record<CodeLetter['purpose'], Record<Language, Words>> = {
  register: {
    zh: {
      brand: '译桥',
      subject: '译桥 注册验证码',
      lead: '您正在注册译桥账号，验证码为：',
      life: `验证码 ${VCODE_MINUTES} 分钟内有效，请勿告诉他人。`,
      ignore: '如果这不是您本人的操作，请忽略本邮件，不会创建任何账号。',
    },
    en: {
      brand: 'Yiqiao',
      subject: 'Your Yiqiao registration code',
      lead: 'You are registering a Yiqiao account. Your verification code is:',
      life: `The code works for ${VCODE_MINUTES} minutes. Do not share it with anybody.`,
      ignore: 'If this was not you, ignore this letter: no account will be created.',
    },
  },
  reset: {
    zh: {
      brand: '译桥',
      subject: '译桥 重置密码验证码',
      lead: '您正在重置译桥账号的密码，验证码为：',
      life: `验证码 ${VCODE_MINUTES} 分钟内有效，请勿告诉他人。`,
      ignore: '如果这不是您本人的操作，请忽略本邮件，您的密码不会改变。',
    },
    en: {
      brand: 'Yiqiao',
      subject: 'Your Yiqiao password reset code',
      lead: 'You are resetting the password of your Yiqiao account. Your verification code is:',
      life: `The code works for ${VCODE_MINUTES} minutes. Do not share it with anybody.`,
      ignore: 'If this was not you, ignore this letter: your password stays as it is.',
    },
  },
};

export function codeLetter({ language, purpose, code }: CodeLetter): LetterText {
  const words = CODE_WORDS[purpose][language];
  return {
    subject: words.subject,
    text: [words.lead, code, words.life, words.ignore, words.brand].join('\n\n'),
    html: sheet(
      language === 'zh' ? 'zh-CN' : 'en',
      paragraph(words.lead) +
        `<p style="margin:16px 0;font:600 32px/1.2 ui-monospace,Consolas,monospace;letter-spacing:6px;color:#086F7D">${code}</p>` +
        paragraph(words.life) +
        paragraph(words.ignore) +
        paragraph(words.brand),
    ),
  };
}

/** Whose password changed, as seen by the owner of the mailbox. */
export type NoticeAbout = 'yours' | 'sub-account';

const NOTICE_WORDS: Record<NoticeAbout, Record<Language, string>> = {
  yours: {
    zh: '您的译桥账号的登录密码刚刚被修改，所有设备均已退出登录。',
    en: 'The password of your Yiqiao account was just changed, and every device was signed out.',
  },
  'sub-account': {
    zh: '您名下一个译桥子账号的登录密码刚刚被修改，该子账号的所有设备均已退出登录。',
    en: 'The password of one of your Yiqiao sub-accounts was just changed, and its devices were signed out.',
  },
};
const ADVICE: Record<NoticeAbout, Record<Language, string>> = {
  yours: {
    zh: '如果这不是您本人的操作，请立即在登录页使用“忘记密码”重置密码，并联系客服。',
    en: 'If this was not you, use "Forgot password" on the login page at once and contact our support.',
  },
  'sub-account': {
    zh: '如果这不是您允许的操作，请登录主账号，为该子账号重置密码。',
    en: 'If you did not allow this, sign in to your main account and reset the password of that sub-account.',
  },
};

/** Says it in both languages: nobody remembers in which one the owner reads. `at` is the wire's date-time. */
export function passwordNotice(about: NoticeAbout, at: string): LetterText {
  const parts = [
    NOTICE_WORDS[about].zh,
    `时间：${at}`,
    ADVICE[about].zh,
    NOTICE_WORDS[about].en,
    `Time: ${at}`,
    ADVICE[about].en,
    '译桥 Yiqiao',
  ];
  return {
    subject: '译桥 密码修改提醒 / Yiqiao password changed',
    text: parts.join('\n\n'),
    html: sheet('zh-CN', parts.map((part) => paragraph(part.replaceAll('"', '&quot;'))).join('')),
  };
}
