import { describe, expect, it } from '@jest/globals';
import { codeLetter, passwordNotice } from './letters.js';

const HAN = /\p{Script=Han}/u;

describe('the letter of a code', () => {
  it.each(['register', 'reset'] as const)('for %s speaks one language and shows the code once', (purpose) => {
    for (const language of ['zh', 'en'] as const) {
      const letter = codeLetter({ to: 'someone@example.com', language, purpose, code: '048213' });
      for (const part of [letter.text, letter.html]) {
        expect(part.split('048213')).toHaveLength(2);
        expect(part).not.toContain('someone@example.com');
      }
      expect(HAN.test(letter.subject + letter.text)).toBe(language === 'zh');
      expect(letter.html).toContain(language === 'zh' ? 'lang="zh-CN"' : 'lang="en"');
    }
  });

  it('has the only digits of its length, so that people and machines find the code', () => {
    const { text } = codeLetter({ to: 'a@example.com', language: 'zh', purpose: 'register', code: '000000' });
    expect(text.match(/\d{4,}/g)).toEqual(['000000']);
  });
});

describe('the notice of a changed password', () => {
  it('says in both languages whose password it was, and when', () => {
    const at = '2026-11-21 08:00:00';
    const own = passwordNotice('yours', at);
    const sub = passwordNotice('sub-account', at);
    for (const { subject, text, html } of [own, sub]) {
      expect(subject).toMatch(/译桥.*Yiqiao/);
      expect(text.split(at)).toHaveLength(3);
      expect(html).not.toMatch(/<(script|img|a)\b/);
    }
    expect(sub.text).toContain('sub-account');
    expect(own.text).not.toContain('sub-account');
  });
});
