import { describe, expect, it } from '@jest/globals';
import { warningText } from './translate-one.js';

const nothing = { warning: null, servedBy: null, sure: true };

describe('the warning of a translation', () => {
  it('is empty if nothing happened', () => {
    expect(warningText(nothing, 'zh')).toBeNull();
    expect(warningText(nothing, 'en')).toBeNull();
  });

  it('names some of the lost pieces', () => {
    const few = { ...nothing, warning: { code: 'LOST', lost: ['{name}', '\n'] } } as const;
    expect(warningText(few, 'zh')).toBe('部分内容未能原样保留：{name}、换行，请核对。');
    expect(warningText(few, 'en')).toBe('Some content was not kept as it was: {name}, line breaks; please check.');
    const lost = ['1', '2', `https://example.com/${'a'.repeat(500)}`, '4', '5'];
    const many = { ...nothing, warning: { code: 'LOST', lost } } as const;
    expect(warningText(many, 'zh')).toBe(
      '部分内容未能原样保留：1、2、https://example.com/aaaaaaaaaaaaaaaaaaaa…等 5 处，请核对。',
    );
    expect(warningText(many, 'en')).toMatch(/: 1, 2, https:.{34}… and 2 more; please check\.$/);
  });

  it('names sentences that were not translated', () => {
    const some = { ...nothing, warning: { code: 'STAYED', stayed: ['Déjà vu'] } } as const;
    expect(warningText(some, 'zh')).toBe('部分句子未翻译，保留原文：Déjà vu。');
    expect(warningText(some, 'en')).toBe('Some sentences were not translated and stayed as they are: Déjà vu.');
  });

  it('names another channel that served first, then the rest', () => {
    const remarks = {
      warning: { code: 'VIA', via: 'es' },
      servedBy: { name: '谷歌翻译', enName: 'Google' },
      sure: false,
    } as const;
    expect(warningText(remarks, 'zh')).toBe(
      '所选通道暂不可用，本次由「谷歌翻译」通道翻译。经西班牙语转译，准确度会降低。原文语言由系统推测，可能不准确，请核对。',
    );
    expect(warningText(remarks, 'en')).toBe(
      'The chosen channel is unavailable right now; Google translated this. Translated via Spanish; expect less accuracy. The source language is a guess; please check it.',
    );
  });
});
