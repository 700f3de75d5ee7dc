import type { Language } from '@yiqiao/contracts/envelope';
import { type Device, productName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';
import type { AccountMail } from '../platform/mail-template.js';

const SENDER: Record<Language, string> = { zh: '译桥', en: 'Yiqiao' };

/** `at`: the wire's date-time. `children`: how many sub-accounts were closed with it. */
export function closedMail(language: Language, { at, children }: { at: string; children: number }): AccountMail {
  const messages = {
    zh: {
      subject: '译桥 账号已注销',
      lead: '您的译桥账号已按您的要求注销，不能再登录，也无法恢复。',
      at: '注销时间',
      children: '一并注销的子账号',
      count: `${children} 个`,
      remarks: [
        '昵称、邮箱、登录记录、术语表等个人资料已经删除，剩余额度不再保留；依法需要保存的账目中只留编号。',
        '待支付的订单已取消。此后才到的付款会原路退回。',
        '如果这不是您本人的操作，请尽快联系客服。这是发往此邮箱的最后一封账号邮件；您随时可以用它重新注册。',
      ],
    },
    en: {
      subject: 'Your Yiqiao account is closed',
      lead: 'As you asked, your Yiqiao account has been closed. It can no longer be used and cannot be restored.',
      at: 'Closed at',
      children: 'Sub-accounts closed with it',
      count: String(children),
      remarks: [
        'Your personal data (nickname, email address, sign-ins, glossary) has been deleted, and the remaining quota is gone. The billing records we must keep hold ID numbers only.',
        'Unpaid orders have been canceled. A payment that still arrives will be returned to you.',
        'If this was not you, contact our support team soon. This is the last email about this account; you can sign up with this address again at any time.',
      ],
    },
  }[language];
  return {
    language,
    subject: messages.subject,
    lead: messages.lead,
    facts: [[messages.at, at], ...(children > 0 ? ([[messages.children, messages.count]] as const) : [])],
    remarks: messages.remarks,
    sender: SENDER[language],
  };
}

/** A sign-in. `at`: the wire's date-time. */
export type DeviceSignIn = Device & { clientType: ClientType; ip: string; at: string };

/** `site`: the public URL. */
export function newDeviceMail(language: Language, signIn: DeviceSignIn, site: string): AccountMail {
  const messages = {
    zh: {
      subject: '译桥 新设备登录提醒',
      lead: '您的译桥账号刚刚在一台新设备上登录。',
      labels: ['登录时间', '浏览器', '系统', 'IP 地址'],
      unknown: '未能识别',
      remarks: [
        '如果是您本人，无需处理：以后从这台设备登录不再提醒。换了网络时，同一台设备也可能再提醒一次。',
        '如果不是您本人，请立即修改密码（所有设备会退出登录），并检查「个人资料」中的登录设备。',
      ],
      link: '查看登录设备',
    },
    en: {
      subject: 'New sign-in to your Yiqiao account',
      lead: 'Someone just signed in to your Yiqiao account from a new device.',
      labels: ['Time', 'Browser', 'System', 'IP address'],
      unknown: 'Not recognized',
      remarks: [
        'If this was you, there is nothing to do: this device will not be reported again, unless you use it on another network.',
        'If this was not you, change your password at once, which signs every device out, and check the devices under “Profile”.',
      ],
      link: 'Signed-in devices',
    },
  }[language];
  const { browser, system, clientType, ip, at } = signIn;
  const nameOf = (product: string | null): string | null => product && productName(product, language);
  // Apps name their system by their type.
  const client = clientType === 'web' ? null : CLIENT_TYPES[clientType][language];
  const [atLabel = '', browserLabel = '', systemLabel = '', ipLabel = ''] = messages.labels;
  return {
    language,
    subject: messages.subject,
    lead: messages.lead,
    facts: [
      [atLabel, at],
      ...(client === null ? ([[browserLabel, nameOf(browser) ?? messages.unknown]] as const) : []),
      [systemLabel, nameOf(system) ?? client ?? messages.unknown],
      [ipLabel, ip],
    ],
    remarks: messages.remarks,
    link: { label: messages.link, address: `${site}/UserCenterInfo` },
    sender: SENDER[language],
  };
}
