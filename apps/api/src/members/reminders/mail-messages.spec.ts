import { describe, expect, it } from '@jest/globals';
import { reminderMail } from './mail-messages.js';

const SITE = 'https://yiqiao.example';
const at = '2026-11-21 08:00:00';

describe('the reminder mail', () => {
  it('names the remaining balance, the threshold and the time in both languages', () => {
    const { subject, text, html } = reminderMail({ charNum: 987, least: 12_345, at }, SITE);
    expect(subject).toMatch(/译桥.*Yiqiao/);
    for (const part of [text, html]) {
      expect(part).toContain('剩余 987 字符，低于您设定的 12,345 字符');
      expect(part).toContain('has 987 characters left, fewer than the 12,345 you set');
      expect(part.split(at)).toHaveLength(3);
    }
  });

  it('names the end of a package in both languages', () => {
    const { text } = reminderMail({ expireAt: '2026-11-24 09:30:00', at }, SITE);
    expect(text).toContain('将于 2026-11-24 09:30:00 到期');
    expect(text).toContain('expires at 2026-11-24 09:30:00');
  });

  it('links only to our own site', () => {
    const { html } = reminderMail({ charNum: 0, least: 1, at }, SITE);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    expect(new Set(links)).toEqual(new Set([`${SITE}/UserCenterRecharge`, `${SITE}/UserCenterInfo`]));
    expect(html).not.toMatch(/<(script|img)\b/);
  });
});
