import { describe, expect, it } from '@jest/globals';
import { deviceName } from './devices.js';

describe('the name of a device', () => {
  it.each([
    ['Chrome 141', 'Windows', 'Chrome 141 · Windows', 'Chrome 141 · Windows'],
    ['WeChat 8', 'Android', '微信 8 · 安卓', 'WeChat 8 · Android'],
    [null, 'iPhone', 'iPhone', 'iPhone'],
    ['QQ Browser', null, 'QQ 浏览器', 'QQ Browser'],
    [null, null, null, null],
  ])('of %s and %s', (browser, system, zh, en) => {
    expect(deviceName({ browser, system }, 'zh')).toBe(zh);
    expect(deviceName({ browser, system }, 'en')).toBe(en);
  });
});
