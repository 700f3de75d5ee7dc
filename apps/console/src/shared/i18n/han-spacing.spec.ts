import { describe, expect, it } from '@jest/globals';
import { withoutHanSpaces } from './han-spacing.js';

describe('a sentence with the name of a platform', () => {
  it.each([
    ['复制 微信 账号 yiqiao-sales', '复制微信账号 yiqiao-sales'],
    ['复制 WhatsApp 账号 +86 000', '复制 WhatsApp 账号 +86 000'],
    ['企业微信 二维码：小 A', '企业微信二维码：小 A'],
    ['Copy the WeChat account yiqiao-sales', 'Copy the WeChat account yiqiao-sales'],
  ])('%s is written %s', (sentence, written) => {
    expect(withoutHanSpaces(sentence)).toBe(written);
  });
});
