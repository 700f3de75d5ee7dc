import { describe, expect, it } from '@jest/globals';
import { verificationMail, passwordChangedMail } from './mail-messages.js';

const HAN = /\p{Script=Han}/u;

describe('the verification mail', () => {
  it.each(['register', 'reset'] as const)('for %s uses one language and contains the code once', (purpose) => {
    for (const language of ['zh', 'en'] as const) {
      const mail = verificationMail({ to: 'someone@example.com', language, purpose, code: '048213' });
      for (const part of [mail.text, mail.html]) {
        expect(part.split('048213')).toHaveLength(2);
        expect(part).not.toContain('someone@example.com');
      }
      expect(HAN.test(mail.subject + mail.text)).toBe(language === 'zh');
      expect(mail.html).toContain(language === 'zh' ? 'lang="zh-CN"' : 'lang="en"');
    }
  });

  it('contains no other long number that could be mistaken for the code', () => {
    const { text } = verificationMail({ to: 'a@example.com', language: 'zh', purpose: 'register', code: '000000' });
    expect(text.match(/\d{4,}/g)).toEqual(['000000']);
  });
});

describe('the password-changed mail', () => {
  it('says in both languages whose password changed, and when', () => {
    const at = '2026-11-21 08:00:00';
    const own = passwordChangedMail('yours', at);
    const sub = passwordChangedMail('sub-account', at);
    for (const { subject, text, html } of [own, sub]) {
      expect(subject).toMatch(/译桥.*Yiqiao/);
      expect(text.split(at)).toHaveLength(3);
      expect(html).not.toMatch(/<(script|img|a)\b/);
    }
    expect(sub.text).toContain('sub-account');
    expect(own.text).not.toContain('sub-account');
  });
});
