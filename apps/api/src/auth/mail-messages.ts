import type { Language } from '@yiqiao/contracts/envelope';
import { VCODE_MINUTES } from '@yiqiao/domain/limits';
import { type AccountMail, mailParagraph, mailTemplate } from '../platform/mail-template.js';

/** Mail contains only texts from these tables, never user input, so that nobody can send messages through us. */
export type MailContent = { subject: string; text: string; html: string };

/** The data of a verification mail; encrypted at rest. */
export type VerificationMail = { to: string; language: Language; purpose: 'register' | 'reset'; code: string };

type Message = { brand: string; subject: string; lead: string; life: string; ignore: string };

const VERIFICATION_MESSAGES: Record<VerificationMail['purpose'], Record<Language, Message>> = {
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
      life: `The code works for ${VCODE_MINUTES} minutes. Do not share it with anyone.`,
      ignore: 'If this was not you, ignore this email: no account will be created.',
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
      life: `The code works for ${VCODE_MINUTES} minutes. Do not share it with anyone.`,
      ignore: 'If this was not you, ignore this email: your password stays as it is.',
    },
  },
};

export function verificationMail({ language, purpose, code }: VerificationMail): MailContent {
  const message = VERIFICATION_MESSAGES[purpose][language];
  return {
    subject: message.subject,
    text: [message.lead, code, message.life, message.ignore, message.brand].join('\n\n'),
    html: mailTemplate(
      language === 'zh' ? 'zh-CN' : 'en',
      mailParagraph(message.lead) +
        `<p style="margin:16px 0;font:600 32px/1.2 ui-monospace,Consolas,monospace;letter-spacing:6px;color:#086F7D">${code}</p>` +
        mailParagraph(message.life) +
        mailParagraph(message.ignore) +
        mailParagraph(message.brand),
    ),
  };
}

/** Whose password changed, from the view of the mailbox's owner. */
export type PasswordOwner = 'yours' | 'sub-account';

const NOTICE_MESSAGES: Record<PasswordOwner, Record<Language, string>> = {
  yours: {
    zh: '您的译桥账号的登录密码刚刚被修改，所有设备均已退出登录。',
    en: 'The password of your Yiqiao account was just changed, and every device was signed out.',
  },
  'sub-account': {
    zh: '您名下一个译桥子账号的登录密码刚刚被修改，该子账号的所有设备均已退出登录。',
    en: 'The password of one of your Yiqiao sub-accounts was just changed, and its devices were signed out.',
  },
};
const ADVICE: Record<PasswordOwner, Record<Language, string>> = {
  yours: {
    zh: '如果这不是您本人的操作，请立即在登录页使用“忘记密码”重置密码，并联系客服。',
    en: 'If this was not you, use "Forgot password" on the sign-in page at once and contact our support team.',
  },
  'sub-account': {
    zh: '如果这不是您允许的操作，请登录主账号，为该子账号重置密码。',
    en: 'If you did not allow this, sign in to your main account and reset the password of that sub-account.',
  },
};

/** In both languages, because the owner's language is not stored. `at` is the wire's date-time. */
export function passwordChangedMail(owner: PasswordOwner, at: string): MailContent {
  const parts = [
    NOTICE_MESSAGES[owner].zh,
    `时间：${at}`,
    ADVICE[owner].zh,
    NOTICE_MESSAGES[owner].en,
    `Time: ${at}`,
    ADVICE[owner].en,
    '译桥 Yiqiao',
  ];
  return {
    subject: '译桥 密码修改提醒 / Yiqiao password changed',
    text: parts.join('\n\n'),
    html: mailTemplate('zh-CN', parts.map((part) => mailParagraph(part.replaceAll('"', '&quot;'))).join('')),
  };
}

/** `left`: recovery codes. */
export type TwoStepEvent = { what: 'on' | 'off' | 'reset' } | { what: 'recovery'; left: number };

const TWO_STEP_LEADS: Record<TwoStepEvent['what'], Record<Language, string>> = {
  on: {
    zh: '您的译桥账号已开启两步验证，以后登录时除密码外还需要动态码。请把恢复码保存在手机以外的地方。',
    en: 'Two-step sign-in is now on for your Yiqiao account: signing in now takes a code in addition to your password. Keep your recovery codes somewhere other than your phone.',
  },
  off: {
    zh: '您的译桥账号已关闭两步验证，以后登录只需要密码。',
    en: 'Two-step sign-in is now off for your Yiqiao account: you now sign in with your password only.',
  },
  reset: {
    zh: '应您的请求，客服已关闭您的译桥账号的两步验证，以后登录只需要密码。您可以在「个人资料」中重新开启。',
    en: 'As you asked, our support team has turned off two-step sign-in for your Yiqiao account: you now sign in with your password only. You can turn it on again under “Profile”.',
  },
  recovery: {
    zh: '您的译桥账号刚刚使用了一个恢复码，它不能再用。',
    en: 'A recovery code of your Yiqiao account was just used. It cannot be used again.',
  },
};

/** `at`: the wire's date-time. */
export function twoStepMail(language: Language, event: TwoStepEvent, at: string): AccountMail {
  const messages = {
    zh: {
      subject: '译桥 两步验证提醒',
      at: '时间',
      left: '剩余恢复码',
      remark: '如果这不是您本人的操作，请立即修改密码，并联系客服。',
      sender: '译桥',
    },
    en: {
      subject: 'Two-step sign-in of your Yiqiao account',
      at: 'Time',
      left: 'Recovery codes left',
      remark: 'If this was not you, change your password at once and contact our support team.',
      sender: 'Yiqiao',
    },
  }[language];
  return {
    language,
    subject: messages.subject,
    lead: TWO_STEP_LEADS[event.what][language],
    facts: [[messages.at, at], ...(event.what === 'recovery' ? ([[messages.left, String(event.left)]] as const) : [])],
    remarks: [messages.remark],
    sender: messages.sender,
  };
}
